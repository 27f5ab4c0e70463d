#pragma once

#include <chrono>
#include <string>

namespace freeplay {

/// How far a study is, on standard error: a line that is redrawn on a terminal, else a plain line for each case.
class StudyProgress {
 public:
  StudyProgress(int n_cases, bool silent);
  ~StudyProgress() { clear(); }
  StudyProgress(const StudyProgress&) = delete;
  StudyProgress& operator=(const StudyProgress&) = delete;

  /// A case has ended; `how`: `finished in 2 s`.
  void ended(const std::string& name, const std::string& how, bool failed);
  /// Called again and again while cases run.
  void running(int n_running);

 private:
  std::string remaining() const;
  void clear();

  using Clock = std::chrono::steady_clock;
  int n_cases_, n_ended_ = 0, n_failed_ = 0;
  bool silent_, on_terminal_, line_shown_ = false;
  Clock::time_point start_ = Clock::now(), next_ = start_;
};

}  // namespace freeplay
