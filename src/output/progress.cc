#include "freeplay/output/progress.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace freeplay {

namespace {

using Seconds = std::chrono::duration<double>;

constexpr std::chrono::milliseconds redraw_interval{100};
constexpr std::chrono::seconds plain_interval{10};
constexpr std::chrono::seconds plain_interval_of_tenths{1};

double fraction(const ProgressState& state) {
  const double done = state.end > 0.0 ? state.time / state.end : 0.0;
  return done > 0.0 ? std::min(done, 1.0) : 0.0;  // also for a time that is not a number
}

template <class... Values>
std::string formatted(const char* format, Values... values) {
  char text[160];
  const int length = std::snprintf(text, sizeof text, format, values...);
  return {text, static_cast<std::size_t>(std::clamp<int>(length, 0, sizeof text - 1))};
}

std::string clock_text(double seconds) {
  const long total = std::lround(seconds);
  if (total < 3600) return formatted("%ld:%02ld", total / 60, total % 60);
  return formatted("%ld:%02ld:%02ld", total / 3600, total / 60 % 60, total % 60);
}

// A continued run starts in the middle: only what this process did tells its speed.
std::string remaining_text(const ProgressState& state, double start_time, double elapsed) {
  constexpr double least_elapsed = 0.5;  // [s]; earlier the estimate is noise
  constexpr double longest = 1e7;        // [s]; beyond it (four months) the number helps nobody
  const double done = state.time - start_time;
  if (elapsed < least_elapsed || !(done > 0.0)) return "ETA -";
  const double remaining = elapsed * std::max(0.0, state.end - state.time) / done;
  return remaining < longest ? "ETA " + clock_text(remaining) : "ETA -";
}

std::string numbers_text(const ProgressState& state) {
  std::string text = formatted("t %.4g s  dt %.2e s  Newton %d", state.time, state.step, state.newton_iterations);
  if (state.contacts)
    text += formatted("  free/stick/slip %d/%d/%d", state.contacts->free, state.contacts->stick, state.contacts->slip);
  return text + formatted("  energy %+.1e J", state.ledger_residual);
}

int terminal_width(int descriptor) {
  constexpr int usual_width = 80;
  winsize size{};
  return ::ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : usual_width;
}

// The bar takes the space the numbers leave; on a narrow terminal there is none, and the end of the line is cut, since
// a line that wraps cannot be redrawn.
std::string terminal_line(const ProgressState& state, const std::string& numbers, int width) {
  constexpr int least_bar = 6;
  constexpr int longest_bar = 40;
  std::string line = formatted("%3.0f%%  ", std::floor(100.0 * fraction(state))) + numbers;
  const int space = width - 1 - static_cast<int>(line.size()) - 3;
  if (space >= least_bar) {
    const int length = std::min(space, longest_bar);
    const int filled = static_cast<int>(fraction(state) * length);
    line = "[" + std::string(filled, '#') + std::string(length - filled, '.') + "] " + line;
  }
  return line.substr(0, std::max(0, width - 1));
}

}  // namespace

Progress::Progress(Style style) : Progress(STDERR_FILENO, style) {}

Progress::Progress(int descriptor, Style style) : descriptor_(descriptor), style_(style) {
  if (style_ == Style::automatic) style_ = ::isatty(descriptor_) ? Style::terminal : Style::plain;
}

void Progress::start(const ProgressState& state, Clock::time_point now) {
  started_ = true;
  start_ = next_ = last_printed_ = now;
  start_time_ = state.time;
  tenths_ = static_cast<int>(10.0 * fraction(state));
}

void Progress::update(const ProgressState& state, Clock::time_point now) {
  if (style_ == Style::silent) return;
  if (!started_) start(state, now);
  if (style_ == Style::terminal) {
    if (now >= next_) draw(state, now);
    return;
  }
  const bool tenth_done = 10.0 * fraction(state) >= tenths_ + 1;
  const auto quiet = now - last_printed_;
  if (quiet >= plain_interval || (tenth_done && quiet >= plain_interval_of_tenths)) print(state, now);
}

void Progress::draw(const ProgressState& state, Clock::time_point now) {
  const std::string numbers =
      remaining_text(state, start_time_, Seconds(now - start_).count()) + "  " + numbers_text(state);
  send("\r" + terminal_line(state, numbers, terminal_width(descriptor_)) + "\x1b[K");
  bar_shown_ = true;
  next_ = now + redraw_interval;
}

void Progress::print(const ProgressState& state, Clock::time_point now) {
  send(formatted("%5.1f%%  ", 100.0 * fraction(state)) + numbers_text(state) + "  " +
       remaining_text(state, start_time_, Seconds(now - start_).count()) + "\n");
  tenths_ = static_cast<int>(10.0 * fraction(state));
  last_printed_ = now;
}

void Progress::clear() {
  if (!bar_shown_) return;
  send("\r\x1b[K");
  bar_shown_ = false;
  next_ = {};
}

// A failure is no reason to stop a run: the terminal may have been closed.
void Progress::send(const std::string& text) const {
  [[maybe_unused]] auto n = ::write(descriptor_, text.data(), text.size());
}

}  // namespace freeplay
