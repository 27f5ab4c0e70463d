#include "freeplay/app/study_progress.h"

#include <unistd.h>

#include <cstdio>

#include "freeplay/base/formatted.h"

namespace freeplay {

namespace {

constexpr std::chrono::milliseconds redraw_interval{200};

}  // namespace

StudyProgress::StudyProgress(int n_cases, bool silent)
    : n_cases_(n_cases), silent_(silent), on_terminal_(isatty(STDERR_FILENO)) {}

std::string StudyProgress::remaining() const {
  if (n_ended_ == 0) return "ETA -";
  const double elapsed = std::chrono::duration<double>(Clock::now() - start_).count();
  return "ETA " + clock_text(elapsed / n_ended_ * (n_cases_ - n_ended_));
}

void StudyProgress::ended(const std::string& name, const std::string& how, bool failed) {
  ++n_ended_;
  n_failed_ += failed;
  next_ = {};
  if (silent_ || (on_terminal_ && !failed)) return;
  clear();
  std::fprintf(stderr, "%d/%d  %s: %s  %s\n", n_ended_, n_cases_, name.c_str(), how.c_str(), remaining().c_str());
}

void StudyProgress::running(int n_running) {
  if (silent_ || !on_terminal_ || Clock::now() < next_) return;
  next_ = Clock::now() + redraw_interval;
  constexpr int length = 30;
  const int filled = length * n_ended_ / n_cases_;
  std::fprintf(stderr, "\r[%s%s] %d/%d cases  %d running  %d failed  %s\x1b[K", std::string(filled, '#').c_str(),
               std::string(length - filled, '.').c_str(), n_ended_, n_cases_, n_running, n_failed_,
               remaining().c_str());
  line_shown_ = true;
}

void StudyProgress::clear() {
  if (line_shown_) std::fprintf(stderr, "\r\x1b[K");
  line_shown_ = false;
}

}  // namespace freeplay
