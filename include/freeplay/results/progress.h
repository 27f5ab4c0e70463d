#pragma once

#include <chrono>
#include <deque>
#include <optional>
#include <string>

namespace freeplay {

/// Contacts that do not touch, and contacts and friction joints that stick or slip.
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
  std::string ruler;             ///< what made it as small as it is: `contact T`, `motion of crank`, `output`
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

  /// For every step: looks at the clock and says whether something is to be shown. The first call sets the start.
  bool is_due(double time, double end) { return is_due(time, end, Clock::now()); }
  bool is_due(double time, double end, Clock::time_point now);
  /// If it is due: only then all numbers have to be known.
  void show(const ProgressState& state) { show(state, Clock::now()); }
  void show(const ProgressState& state, Clock::time_point now);

  /// Takes the bar off the screen, so that something else can be printed; the next update draws it again.
  void clear();
  void finish() { clear(); }

 private:
  struct Moment {
    Clock::time_point clock;
    double time;
  };
  void start(double time, double end, Clock::time_point now);
  std::string remaining_text(const ProgressState& state, Clock::time_point now);
  void draw(const ProgressState& state, Clock::time_point now);
  void print(const ProgressState& state, Clock::time_point now);
  void send(const std::string& text) const;

  int descriptor_;
  Style style_;
  bool started_ = false;
  bool bar_shown_ = false;
  int tenths_ = 0;             ///< done and announced
  std::deque<Moment> recent_;  ///< for the speed
  Clock::time_point start_;
  Clock::time_point next_;          ///< terminal: earliest next drawing
  Clock::time_point last_printed_;  ///< plain
};

}  // namespace freeplay
