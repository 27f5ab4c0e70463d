#include "freeplay/results/progress.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>

#include "freeplay/base/formatted.h"

namespace freeplay {

namespace {

using Seconds = std::chrono::duration<double>;

constexpr std::chrono::milliseconds redraw_interval{100};
constexpr std::chrono::seconds plain_interval{10};
constexpr std::chrono::seconds plain_interval_of_tenths{1};

double fraction(double time, double end) {
  const double done = end > 0.0 ? time / end : 0.0;
  return done > 0.0 ? std::min(done, 1.0) : 0.0;  // also for a time that is not a number
}

std::string numbers_text(const ProgressState& state) {
  std::string text = formatted("t %.4g s  dt %.1e s", state.time, state.step);
  if (!state.ruler.empty()) text += " for " + state.ruler;
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
  const double done = fraction(state.time, state.end);
  std::string line = formatted("%3.0f%%  ", std::floor(100.0 * done)) + numbers;
  const int space = width - 1 - static_cast<int>(line.size()) - 3;
  if (space >= least_bar) {
    const int length = std::min(space, longest_bar);
    const int filled = static_cast<int>(done * length);
    line = "[" + std::string(filled, '#') + std::string(length - filled, '.') + "] " + line;
  }
  return line.substr(0, std::max(0, width - 1));
}

}  // namespace

Progress::Progress(Style style) : Progress(STDERR_FILENO, style) {}

Progress::Progress(int descriptor, Style style) : descriptor_(descriptor), style_(style) {
  if (style_ == Style::automatic) style_ = ::isatty(descriptor_) ? Style::terminal : Style::plain;
}

void Progress::start(double time, double end, Clock::time_point now) {
  started_ = true;
  start_ = next_ = last_printed_ = now;
  recent_ = {{now, time}};
  tenths_ = static_cast<int>(10.0 * fraction(time, end));
}

bool Progress::is_due(double time, double end, Clock::time_point now) {
  if (style_ == Style::silent) return false;
  if (!started_) start(time, end, now);
  if (style_ == Style::terminal) return now >= next_;
  const bool tenth_done = 10.0 * fraction(time, end) >= tenths_ + 1;
  const auto quiet = now - last_printed_;
  return quiet >= plain_interval || (tenth_done && quiet >= plain_interval_of_tenths);
}

void Progress::show(const ProgressState& state, Clock::time_point now) {
  style_ == Style::terminal ? draw(state, now) : print(state, now);
}

/// From the speed of the last while: a run that has come to its hard part does not go on as it began. (And a continued
/// run starts in the middle.)
std::string Progress::remaining_text(const ProgressState& state, Clock::time_point now) {
  constexpr double least_elapsed = 0.5;  // [s]; earlier the estimate is noise
  constexpr double longest = 1e7;        // [s]; beyond it (four months) the number helps nobody
  const double elapsed = Seconds(now - start_).count();
  const double window = std::max(30.0, 0.2 * elapsed);  // [s]
  const auto age = [&](const Moment& moment) { return Seconds(now - moment.clock).count(); };
  while (recent_.size() > 1 && age(recent_[1]) >= window) recent_.pop_front();
  const double done = state.time - recent_.front().time, spent = age(recent_.front());
  if (age(recent_.back()) >= window / 60.0) recent_.push_back({now, state.time});
  if (elapsed < least_elapsed || !(done > 0.0)) return "ETA -";
  const double remaining = spent * std::max(0.0, state.end - state.time) / done;
  return remaining < longest ? "ETA " + clock_text(remaining) : "ETA -";
}

void Progress::draw(const ProgressState& state, Clock::time_point now) {
  const std::string numbers = remaining_text(state, now) + "  " + numbers_text(state);
  send("\r" + terminal_line(state, numbers, terminal_width(descriptor_)) + "\x1b[K");
  bar_shown_ = true;
  next_ = now + redraw_interval;
}

void Progress::print(const ProgressState& state, Clock::time_point now) {
  const double done = fraction(state.time, state.end);
  send(formatted("%5.1f%%  ", 100.0 * done) + numbers_text(state) + "  " + remaining_text(state, now) + "\n");
  tenths_ = static_cast<int>(10.0 * done);
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
