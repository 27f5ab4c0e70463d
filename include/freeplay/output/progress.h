#pragma once

#include <chrono>
#include <optional>
#include <string>

namespace freeplay {

struct ContactCounts {
  int free = 0;
  int stick = 0;
  int slip = 0;
};

/// What the user wants to see of a running analysis.
struct ProgressState {
  double time = 0.0;             ///< reached [s]
  double end = 0.0;              ///< of the analysis [s]
  double step = 0.0;             ///< last step size [s]
  int newton_iterations = 0;     ///< of the last step
  double ledger_residual = 0.0;  ///< energy that is not accounted for [J]
  std::optional<ContactCounts> contacts;
};

/// Shows how far a run is: on a terminal one line with a bar, redrawn at most 10 times a second; in a file or a pipe a
/// plain line when a further tenth is done (but not more than one a second) or 10 s have passed since the last.
class Progress {
 public:
  using Clock = std::chrono::steady_clock;
  enum class Style { automatic, terminal, plain, silent };

  /// The default writes to standard error, in the style that fits what it is.
  explicit Progress(Style style = Style::automatic);
  Progress(int descriptor, Style style);
  /// Never leaves half a bar on the screen.
  ~Progress() { finish(); }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// For every step: looks at the clock and returns if nothing is to be shown. The first call sets the start, from
  /// which the remaining time is estimated.
  void update(const ProgressState& state) { update(state, Clock::now()); }
  void update(const ProgressState& state, Clock::time_point now);

  /// Takes the bar off the screen, so that something else can be printed; the next update draws it again.
  void clear();
  void finish() { clear(); }

 private:
  void start(const ProgressState& state, Clock::time_point now);
  void draw(const ProgressState& state, Clock::time_point now);
  void print(const ProgressState& state, Clock::time_point now);
  void send(const std::string& text) const;

  int descriptor_;
  Style style_;
  bool started_ = false;
  bool bar_shown_ = false;
  double start_time_ = 0.0;
  int tenths_ = 0;  ///< done and announced
  Clock::time_point start_;
  Clock::time_point next_;          ///< terminal: earliest next drawing
  Clock::time_point last_printed_;  ///< plain
};

}  // namespace freeplay
