#include "freeplay/analysis/campbell.h"

#include <algorithm>
#include <cmath>
#include <functional>

namespace freeplay {

namespace {

constexpr double resolved = 1e-11;  // relative accuracy of critical speeds and of the limit of stability

/// Follows modes from speed to speed.
class Tracker {
 public:
  Tracker(WhirlSolver& solver, int n_modes) : solver_(solver), n_modes_(n_modes) {}

  void start(double speed) {
    found_ = solver_.modes(speed, n_modes_);
    speed_ = speed;
    for (const WhirlMode& mode : found_.modes)
      if (static_cast<int>(current_.size()) < n_modes_) current_.emplace_back(mode);
  }

  /// Halves the way where shapes change too much to tell which mode is which. At rest the two bending modes of a round
  /// shaft have no shapes of their own: which is called which does not matter there.
  void go_to(double speed, int depth = 3) {
    constexpr double same = 0.6;
    WhirlModes found = solver_.modes(speed, n_modes_);
    const auto [next, worst] = matched(found);
    if (worst < same && depth > 0 && speed_ > 0.0) {
      const double half = 0.5 * (speed_ + speed);
      go_to(half, depth - 1);
      go_to(speed, depth - 1);
      return;
    }
    current_ = next;
    found_ = std::move(found);
    speed_ = speed;
  }

  const std::vector<std::optional<WhirlMode>>& current() const { return current_; }
  const WhirlModes& found() const { return found_; }

 private:
  using Modes = std::vector<std::optional<WhirlMode>>;

  /// The pairs that are most alike first.
  std::pair<Modes, double> matched(const WhirlModes& found) const {
    struct Pair {
      std::size_t line, mode;
      double likeness, score;
    };
    std::vector<Pair> pairs;
    for (std::size_t l = 0; l < current_.size(); ++l) {
      if (!current_[l]) continue;
      for (std::size_t m = 0; m < found.modes.size(); ++m) {
        const double likeness = solver_.likeness(*current_[l], found.modes[m]);
        pairs.push_back({l, m, likeness, solver_.kinship(*current_[l], found.modes[m])});
      }
    }
    std::ranges::stable_sort(pairs, std::greater<>(), &Pair::score);
    Modes next(current_.size());
    std::vector<char> taken(found.modes.size(), false);
    double worst = 1.0;
    for (const Pair& pair : pairs) {
      constexpr double nothing_in_common = 0.05;
      if (next[pair.line] || taken[pair.mode] || pair.score < nothing_in_common) continue;
      next[pair.line] = found.modes[pair.mode];
      taken[pair.mode] = true;
      worst = std::min(worst, pair.likeness);
    }
    for (std::size_t l = 0; l < current_.size(); ++l)
      if (current_[l] && !next[l]) worst = 0.0;
    return {next, worst};
  }

  WhirlSolver& solver_;
  int n_modes_;
  double speed_ = 0.0;
  Modes current_;
  WhirlModes found_;
};

double growth(const WhirlModes& found) {
  double largest = 0.0;
  for (const WhirlMode& mode : found.modes) largest = std::max(largest, mode.value.real());
  return largest;
}

class CampbellFinder {
 public:
  CampbellFinder(const Assembled& assembled, const RotorRequest& request, SolverFactory& solvers, Campbell& result)
      : solver_(assembled, result.rotor, solvers), n_modes_(request.n_modes), result_(result) {}

  void run() {
    Tracker tracker(solver_, n_modes_);
    for (std::size_t k = 0; k < result_.speeds.size(); ++k) {
      k == 0 ? tracker.start(result_.speeds[0]) : tracker.go_to(result_.speeds[k]);
      if (k == 0) result_.lines.resize(tracker.current().size());
      for (std::size_t l = 0; l < result_.lines.size(); ++l) result_.lines[l].at.push_back(tracker.current()[l]);
      result_.n_rigid = std::max(result_.n_rigid, tracker.found().n_rigid);
      result_.n_creeping = std::max(result_.n_creeping, tracker.found().n_creeping);
      result_.damped = result_.damped || solver_.equations().has_dampers();
      note_growth(k, tracker.found());
    }
    order_lines();
    for (std::size_t l = 0; l < result_.lines.size(); ++l)
      for (std::size_t k = 0; k + 1 < result_.speeds.size(); ++k) find_critical(static_cast<int>(l), k);
    std::ranges::stable_sort(result_.critical, {}, &CriticalSpeed::speed);
    keep_shapes();
  }

 private:
  void keep_shapes() {
    const WhirlEquations& equations = solver_.equations();
    const std::size_t n_nodes = equations.model().nodes.size();
    for (const std::size_t k : points_with_shapes(result_.speeds.size(), result_.lines.size(), n_nodes)) {
      VibrationShapes at{k, {}};
      for (const CampbellLine& line : result_.lines) {
        std::vector<Mode::Twist> shape;
        for (std::size_t n = 0; line.at[k] && n < n_nodes; ++n)
          shape.push_back(equations.own_motion_of(static_cast<int>(n), line.at[k]->vector));
        at.shapes.push_back(std::move(shape));
      }
      result_.shapes.push_back(std::move(at));
    }
  }

  /// Two modes that are equal at rest part with the speed: the lower one comes first.
  void order_lines() {
    const std::size_t second = std::min<std::size_t>(1, result_.speeds.size() - 1);
    const auto key = [&](const CampbellLine& line) {
      constexpr double equal = 1e-6;
      const double at_start = line.at[0] ? line.at[0]->frequency() : 0.0;
      const double rounded = std::round(std::log(std::max(at_start, 1e-300)) / equal);
      return std::pair(rounded, line.at[second] ? line.at[second]->frequency() : INFINITY);
    };
    std::ranges::stable_sort(result_.lines, {}, key);
  }

  /// The one among the modes at a speed that belongs to a line between two of its places.
  std::optional<WhirlMode> mode_between(const WhirlMode& a, const WhirlMode& b, double speed) {
    const WhirlModes found = solver_.modes(speed, n_modes_);
    const WhirlMode* best = nullptr;
    double most = 0.0;
    for (const WhirlMode& mode : found.modes) {
      const double kinship = solver_.kinship(a, mode) + solver_.kinship(b, mode);
      if (kinship <= most) continue;
      most = kinship;
      best = &mode;
    }
    return best ? std::optional(*best) : std::nullopt;
  }

  /// Sign of frequency - speed. In axes that turn with the rotor a line may stay at the speed for a while: the rotor
  /// creeps away in them.
  static int side(const WhirlMode& mode, double speed) {
    const double difference = mode.frequency() - speed;
    return difference > 0.0 ? 1 : difference < 0.0 ? -1 : 0;
  }

  void find_critical(int line, std::size_t k) {
    const auto& a = result_.lines[line].at[k];
    const auto& b = result_.lines[line].at[k + 1];
    if (!a || !b) return;
    const double low = result_.speeds[k], high = result_.speeds[k + 1];
    const int side_a = side(*a, low), side_b = side(*b, high);
    if (side_a == side_b) return;
    if (side_a * side_b < 0 && result_.rotor.axes == Rotor::Axes::fixed) {
      add_critical(line, secant(*a, *b, low, high), *a, *b);
      return;
    }
    if (side_a * side_b == 0) {
      add_critical(line, edge(*a, *b, low, high, side_a).first, *a, *b);
      return;
    }
    const auto [first, inside] = edge(*a, *b, low, high, side_a);
    add_critical(line, first, *a, *b);
    if (!inside) return;
    add_critical(line, edge(*a, *b, *inside, high, 0).first, *a, *b);
    if (!result_.stability_limit || result_.stability_limit->speed > first)
      result_.stability_limit = StabilityLimit{first, false, first, Whirl::forward};
  }

  void add_critical(int line, double speed, const WhirlMode& a, const WhirlMode& b) {
    // In rotating axes the mode stands still here, and cannot be told from motions that nothing hinders.
    if (result_.rotor.axes == Rotor::Axes::rotating) {
      result_.critical.push_back({speed, line, b.whirl, 0.5 * (a.damping_ratio() + b.damping_ratio())});
      return;
    }
    const std::optional<WhirlMode> mode = mode_between(a, b, speed);
    if (mode) result_.critical.push_back({speed, line, mode->whirl, mode->damping_ratio()});
  }

  /// Illinois' variant of the secant method.
  double secant(const WhirlMode& a, const WhirlMode& b, double low, double high) {
    double f_low = a.frequency() - low, f_high = b.frequency() - high;
    double x = high;
    for (int iteration = 0; iteration < 60 && high - low > resolved * high; ++iteration) {
      x = (low * f_high - high * f_low) / (f_high - f_low);
      const std::optional<WhirlMode> mode = mode_between(a, b, x);
      if (!mode) return x;
      const double f = mode->frequency() - x;
      if (std::abs(f) <= resolved * x) return x;
      if ((f > 0.0) == (f_high > 0.0)) {
        high = x;
        f_high = f;
        f_low *= 0.5;
      } else {
        low = x;
        f_low = f;
        f_high *= 0.5;
      }
    }
    return x;
  }

  /// Bisection for the speed up to which a line is on one side. Also a speed at which it is on no side, if there is
  /// one.
  std::pair<double, std::optional<double>> edge(const WhirlMode& a, const WhirlMode& b, double low, double high,
                                                int first_side) {
    std::optional<double> inside;
    while (high - low > resolved * high) {
      const double middle = 0.5 * (low + high);
      const std::optional<WhirlMode> mode = mode_between(a, b, middle);
      if (!mode) break;
      const int here = side(*mode, middle);
      if (here == 0) inside = inside ? std::max(*inside, middle) : middle;
      (here == first_side ? low : high) = middle;
    }
    return {0.5 * (low + high), inside};
  }

  void note_growth(std::size_t k, const WhirlModes& found) {
    if (result_.stability_limit || growth(found) <= 0.0) return;
    double stable = k == 0 ? 0.0 : result_.speeds[k - 1], unstable = result_.speeds[k];
    WhirlModes at_limit = found;
    while (k > 0 && unstable - stable > resolved * unstable) {
      const double middle = 0.5 * (stable + unstable);
      WhirlModes here = solver_.modes(middle, n_modes_);
      const bool grows = growth(here) > 0.0;
      (grows ? unstable : stable) = middle;
      if (grows) at_limit = std::move(here);
    }
    const WhirlMode& mode =
        *std::ranges::max_element(at_limit.modes, {}, [](const WhirlMode& m) { return m.value.real(); });
    result_.stability_limit = StabilityLimit{unstable, k == 0, mode.frequency(), mode.whirl};
  }

  WhirlSolver solver_;
  int n_modes_;
  Campbell& result_;
};

}  // namespace

Campbell find_campbell(Assembled& assembled, const RotorRequest& request, SolverFactory& solvers) {
  Campbell result;
  result.rotor = find_rotor(assembled, request.joint);
  if (result.rotor.has_unbalance)
    result.rotor.notes.push_back("unbalance is left out: it shakes the rotor, but does not change its modes");
  result.speeds = request.speeds;
  note_speeds_beyond_tables(assembled, request.speeds, result.rotor);
  CampbellFinder(assembled, request, solvers, result).run();
  return result;
}

}  // namespace freeplay
