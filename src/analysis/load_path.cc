#include "load_path.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "freeplay/base/diagnostics.h"

namespace freeplay {

namespace {

/// At least so many rows without a wish for more.
constexpr int automatic_load_steps = 10;
/// Motion in one step: a turn in rad, or a part of the size of the model. The Cayley map ends at half a turn.
constexpr double largest_motion = 0.4;
/// Cosine of the angle by which the path may turn in one step.
constexpr double sharpest_bend = 0.8;
constexpr double smallest_step = 1e-7;  // of the first
/// At a limit point the load factor hardly changes along the path; at the start it had half a share.
constexpr double level = 0.1;

std::string load_text(double load_factor) {
  char text[32];
  std::snprintf(text, sizeof text, "%.8g", load_factor);
  return text;
}

}  // namespace

LoadPath::LoadPath(const State& unloaded, const AnalysisSpec& analysis, EquilibriumSolver& solver, Observer& observer,
                   Record record)
    : analysis_(analysis),
      solver_(solver),
      observer_(observer),
      record_(std::move(record)),
      control_(analysis.path == AnalysisSpec::Path::arc_length ? Control::arc_length : Control::load),
      largest_increment_(1.0 / analysis.load_steps.value_or(automatic_load_steps)) {
  here_.state = unloaded;
}

double LoadPath::product(std::span<const double> a, std::span<const double> b) const {
  const std::vector<double>& metric = solver_.equations().metric();
  double sum = 0.0;
  for (std::size_t k = 0; k + 1 < a.size(); ++k) sum += metric[k] * a[k] * b[k];
  return displacement_weight_ * sum + a.back() * b.back();
}

std::vector<double> LoadPath::path_row() const {
  std::vector<double> row = here_.tangent;
  const std::vector<double>& metric = solver_.equations().metric();
  for (std::size_t k = 0; k + 1 < row.size(); ++k) row[k] *= displacement_weight_ * metric[k];
  return row;
}

std::vector<double> LoadPath::load_row() const {
  std::vector<double> row(solver_.equations().size(), 0.0);
  row.back() = 1.0;
  return row;
}

void LoadPath::start() {
  auto found = solver_.solve(here_.state, solver_.unknowns_of(here_.state), load_row(), here_.state.load_factor);
  if (!found)
    throw NumericalFailure(
        "no equilibrium without loads was found near the given positions. Try `path: descent`, which looks for a "
        "stable position under the full loads.");
  here_ = std::move(*found);
  here_.pivots = solver_.pivots(here_.state);
  auto tangent = solver_.tangent(here_.state, load_row());
  if (!tangent) give_up();
  here_.tangent = std::move(*tangent);
  const double motion = product(here_.tangent, here_.tangent) - 1.0;
  if (!std::isfinite(motion))
    throw NumericalFailure(
        "the displacements under these loads leave the range of numbers; look at the units of loads, gravity and "
        "stiffnesses.");
  if (motion > 0.0) displacement_weight_ = 1.0 / motion;
  const double length = std::sqrt(product(here_.tangent, here_.tangent));
  for (double& part : here_.tangent) part /= length;
  length_ = first_length_ = length_for(largest_increment_);
}

std::optional<Equilibrium> LoadPath::attempt(double length, Control control, double load_factor) const {
  std::vector<double> guess = solver_.unknowns_of(here_.state);
  const std::vector<double>& metric = solver_.equations().metric();
  for (std::size_t k = 0; k < guess.size(); ++k) {
    const double change = length * here_.tangent[k];
    if (k + 1 < guess.size() && metric[k] * change * change > largest_motion * largest_motion) return std::nullopt;
    guess[k] += change;
  }
  if (control == Control::load) guess.back() = load_factor;
  const std::vector<double> row = control == Control::load ? load_row() : path_row();
  double value = 0.0;
  for (std::size_t k = 0; k < row.size(); ++k) value += row[k] * guess[k];
  auto next = solver_.solve(here_.state, guess, row, value);
  if (!next || (control == Control::load && jumps(next->state, length))) return std::nullopt;
  auto tangent = solver_.tangent(next->state, path_row());
  if (!tangent) return std::nullopt;
  next->tangent = std::move(*tangent);
  const double size = std::sqrt(product(next->tangent, next->tangent));
  for (double& part : next->tangent) part /= size;
  if (product(here_.tangent, next->tangent) < sharpest_bend) return std::nullopt;
  // With the load prescribed, beyond a limit point there is nothing that hangs together with what was before it.
  if (control == Control::load && next->tangent.back() <= 0.0) return std::nullopt;
  next->pivots = solver_.pivots(next->state);
  return next;
}

/// With the load prescribed, Newton's method may find equilibrium on the far side of a limit point: much farther away
/// than the path leads.
bool LoadPath::jumps(const State& there, double length) const {
  constexpr double far = 3.0;            // times what the tangent says
  constexpr double worth_a_look = 0.05;  // of the size of the model, or rad
  const double size = solver_.equations().length_scale();
  double square = 0.0, expected = 0.0;
  for (std::size_t n = 0; n < there.pose.size(); ++n) {
    const Pose &from = here_.state.pose[n], &to = there.pose[n];
    square += ((to.x - from.x) / size).squaredNorm() + 0.5 * (to.R - from.R).squaredNorm();
  }
  const std::vector<double>& metric = solver_.equations().metric();
  for (std::size_t k = 0; k + 1 < here_.tangent.size(); ++k)
    expected += metric[k] * std::pow(length * here_.tangent[k], 2);
  const double scale = std::sqrt(static_cast<double>(there.pose.size()));
  return std::sqrt(square) > std::max(far * std::sqrt(expected), worth_a_look * scale);
}

std::optional<Equilibrium> LoadPath::step(double length) const { return attempt(length, Control::arc_length, 0.0); }

std::optional<Equilibrium> LoadPath::step_to_load(double load_factor) const {
  if (slope() <= 0.0) return std::nullopt;
  return attempt(length_for(load_factor), Control::load, load_factor);
}

/// Load steps that were asked for are met exactly.
double LoadPath::next_load() const {
  const double wanted = here_.state.load_factor + length_ * slope();
  const double n = std::floor(here_.state.load_factor / largest_increment_ + 1e-9) + 1.0;
  const double limit = std::min(1.0, n * largest_increment_);
  return wanted > limit - 1e-9 ? limit : wanted;
}

bool LoadPath::take_step() {
  if (control_ == Control::load) {
    const double target = next_load();
    auto next = step_to_load(target);
    if (!next) return false;
    accept(std::move(*next), length_for(target), Control::load);
    return true;
  }
  auto next = step(length_);
  if (!next) return false;
  if (next->state.load_factor < 1.0) {
    accept(std::move(*next), length_, Control::arc_length);
    return true;
  }
  auto last = step_to_load(1.0);
  if (!last) return false;
  accept(std::move(*last), length_for(1.0), Control::load);
  return true;
}

void LoadPath::accept(Equilibrium next, double length, Control control) {
  if (is_beyond_critical_point(next)) {
    const Equilibrium critical = critical_point(next, length, control);
    tell(next, critical);
    record_(critical.state);
    largest_load_factor_ = std::max(largest_load_factor_, critical.state.load_factor);
  }
  const int iterations = next.iterations;
  here_ = std::move(next);
  largest_load_factor_ = std::max(largest_load_factor_, here_.state.load_factor);
  record_(here_.state);
  adapt(iterations);
}

void LoadPath::adapt(int iterations) {
  constexpr int few = 6, many = 9;
  if (iterations <= few) length_ *= 1.5;
  if (iterations > many) length_ *= 0.7;
  length_ = std::min(length_, largest_increment_ / std::abs(slope()));
}

bool LoadPath::stability_changes(const Equilibrium& there) const {
  const int change = there.pivots.negative - here_.pivots.negative;
  // Of an unsymmetric stiffness (loads without potential) the pivots show only the sign of the determinant.
  const bool symmetric = there.pivots.symmetric && here_.pivots.symmetric;
  return symmetric ? change != 0 : change % 2 != 0;
}

bool LoadPath::is_beyond_critical_point(const Equilibrium& there) const {
  return stability_changes(there) || there.tangent.back() * slope() < 0.0;
}

/// By bisection between here and there.
Equilibrium LoadPath::critical_point(const Equilibrium& there, double length, Control control) const {
  constexpr int n_bisections = 12;
  Equilibrium critical = there;
  double before = 0.0, after = length;
  for (int k = 0; k < n_bisections; ++k) {
    const double middle = 0.5 * (before + after);
    auto found = attempt(middle, control, here_.state.load_factor + middle * slope());
    if (!found) break;
    const bool beyond = is_beyond_critical_point(*found);
    (beyond ? after : before) = middle;
    if (beyond) critical = std::move(*found);
  }
  return critical;
}

void LoadPath::tell(const Equilibrium& there, const Equilibrium& critical) {
  // A path along which the loads only rise ends just there, where round-off decides which of the two is seen first.
  const bool ends = control_ == Control::load && slope() < level;
  const bool turns = ends || there.tangent.back() * slope() < 0.0;
  const std::string kind = turns ? "limit point" : "bifurcation";
  const bool symmetric = there.pivots.symmetric && here_.pivots.symmetric;
  std::string detail = symmetric ? "negative eigenvalues of the stiffness: " + std::to_string(here_.pivots.negative) +
                                       " before, " + std::to_string(there.pivots.negative) + " after"
                                 : "the determinant of the stiffness changes its sign";
  if (turns) detail += "; '" + solver_.equations().moving_most(critical.tangent) + "' moves most";
  observer_.event({critical.state.load_factor, kind, "", {}, "", detail});
  observer_.message("load factor " + load_text(critical.state.load_factor) + ": " + kind + ", " + detail);
}

void LoadPath::give_up() const {
  const std::string where = "load factor " + load_text(here_.state.load_factor);
  if (here_.tangent.empty()) throw NumericalFailure(where + ": the stiffness is singular. Try `path: descent`.");
  const std::string body = "body '" + solver_.equations().moving_most(here_.tangent) + "' moves most";
  if (control_ == Control::load && slope() < level)
    throw NumericalFailure(where + ": the stiffness becomes singular here, the loads cannot be raised further; " +
                           body +
                           ". Try `path: arc-length`, which goes on beyond a limit point, `path: descent`, which looks "
                           "for a stable position under the full loads, or a dynamic analysis.");
  throw NumericalFailure(where + ": no equilibrium was found close to this one, even for the smallest change; " + body +
                         ". Try `path: arc-length`, `path: descent` or a dynamic analysis.");
}

RunEnd LoadPath::follow() {
  start();
  record_(here_.state);
  for (int n_steps = 0; here_.state.load_factor != 1.0; ++n_steps) {
    if (observer_.interrupted()) return RunEnd::interrupted;
    if (n_steps == analysis_.max_load_steps)
      throw NumericalFailure("the full loads were not reached in " + std::to_string(n_steps) +
                             " steps: the load factor is " + load_text(here_.state.load_factor) + " and was at most " +
                             load_text(largest_load_factor_) +
                             ". Look at the path in history.csv, lower the loads or raise `max-steps`.");
    while (!take_step()) {
      length_ *= 0.5;
      if (!(length_ >= smallest_step * first_length_)) give_up();
    }
  }
  return RunEnd::finished;
}

}  // namespace freeplay
