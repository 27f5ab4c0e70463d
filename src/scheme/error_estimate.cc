#include "freeplay/scheme/error_estimate.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "freeplay/scheme/energy.h"

namespace freeplay {

ErrorEstimate::ErrorEstimate(const Model& model, int n_unknowns, double slow)
    : model_(model),
      slow_(slow),
      mass_(model.bodies.size(), 0.0),
      acceleration_(model.nodes.size(), Vec6::Zero()),
      kinetic_(model.bodies.size(), 0.0),
      errors_(model.nodes.size(), Vec6::Zero()),
      squares_(model.bodies.size()),
      filtered_(model.bodies.size()),
      residual_(n_unknowns, 0.0),
      correction_(n_unknowns) {
  for (const Node& node : model.nodes) mass_[node.body] += node.mass(0, 0);
  mass_of_all_ = std::accumulate(mass_.begin(), mass_.end(), 0.0);
  memory_.acceleration = acceleration_;
  memory_.kinetic = kinetic_;
}

void ErrorEstimate::start(const State& state, const std::vector<Vec6>& twist_rate) {
  memory_.dt = 0.0;
  std::fill(kinetic_.begin(), kinetic_.end(), 0.0);
  for (std::size_t n = 0; n < model_.nodes.size(); ++n) {
    const Node& node = model_.nodes[n];
    const Vec3 centre = first_moment(node.mass) / node.mass(0, 0);
    const Vec3 v = state.twist[n].head<3>(), w = state.twist[n].tail<3>(), w_rate = twist_rate[n].tail<3>();
    memory_.acceleration[n] << twist_rate[n].head<3>() + w_rate.cross(centre) + w.cross(v + w.cross(centre)), w_rate;
    kinetic_[node.body] += 0.5 * state.twist[n].dot(node.mass * state.twist[n]);
  }
  for (std::size_t b = 0; b < kinetic_.size(); ++b) memory_.kinetic[b] = std::max(memory_.kinetic[b], kinetic_[b]);
}

double ErrorEstimate::scale(int body, double kinetic_of_all) const {
  constexpr double small_part = 1e-6;  // of energies: a thousandth of the speed
  const double of_model = small_part * kinetic_of_all * mass_[body] / mass_of_all_;
  return std::max({kinetic_[body], of_model, 0.5 * mass_[body] * slow_ * slow_});
}

ErrorEstimate::Error ErrorEstimate::of(const StepNodes& nodes, double dt) {
  dt_ = dt;
  nodes.compare(memory_.acceleration, memory_.dt, acceleration_, errors_);
  std::fill(kinetic_.begin(), kinetic_.end(), 0.0);
  nodes.add_kinetic(kinetic_);
  for (std::size_t b = 0; b < kinetic_.size(); ++b) kinetic_[b] = std::max(memory_.kinetic[b], kinetic_[b]);
  std::fill(squares_.begin(), squares_.end(), 0.0);
  nodes.add_squares(errors_, squares_);
  return worst();
}

ErrorEstimate::Error ErrorEstimate::filtered(const StepNodes& nodes, NonlinearSolver& solver,
                                             const std::vector<bool>& marked) {
  nodes.residual_of(errors_, residual_);
  if (!solver.correction(residual_, correction_)) return worst();
  nodes.displacements(correction_, errors_);
  std::fill(filtered_.begin(), filtered_.end(), 0.0);
  nodes.add_squares(errors_, filtered_);
  for (std::size_t b = 0; b < squares_.size(); ++b)
    if (!marked[b]) squares_[b] = filtered_[b];
  return worst();
}

ErrorEstimate::Error ErrorEstimate::worst() const {
  // Positions have no more digits, and neither have drives at the very start of a motion: no step would be short
  // enough.
  const double resolution = 1e-15 * model_.length_scale;
  const double of_all = std::accumulate(kinetic_.begin(), kinetic_.end(), 0.0);
  Error worst;
  for (std::size_t b = 0; b < squares_.size(); ++b) {
    if (squares_[b] <= mass_[b] * resolution * resolution) continue;
    const double error = std::sqrt(squares_[b] / (2.0 * scale(static_cast<int>(b), of_all))) / dt_;
    if (error > worst.value) worst = {error, static_cast<int>(b)};
  }
  return worst;
}

}  // namespace freeplay
