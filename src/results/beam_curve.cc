#include "freeplay/results/beam_curve.h"

namespace freeplay {

namespace {

// Round-off of the axes of a section that two elements share.
constexpr double same_axes = 1e-9;

/// The rotation closest to a matrix that nearly is one: interpolated directors are not quite orthonormal. Newton's
/// iteration for the polar decomposition, R <- R (3 - R^T R) / 2, squares the error.
Mat3 orthonormalised(Mat3 R) {
  constexpr int to_round_off = 5;  // from 10 %, far more than between two nodes of a usable mesh
  for (int k = 0; k < to_round_off; ++k) R = 0.5 * R * (3.0 * Mat3::Identity() - R.transpose() * R);
  return R;
}

BeamStation interpolated(const BeamElement& element, const ElementPoint& point, const Motion& now) {
  const Pose pose = element.interpolated(now, point.of_nodes);
  BeamStation station;
  station.x = pose.x;
  station.R = orthonormalised(pose.R);
  const std::span<const int> nodes = element.nodes();
  for (std::size_t a = 0; a < nodes.size(); ++a) {
    station.velocity += point.of_nodes[a] * now.velocity[nodes[a]].head<3>();
    station.angular_velocity += point.of_nodes[a] * now.velocity[nodes[a]].tail<3>();
  }
  return station;
}

}  // namespace

BeamCurve::BeamCurve(const Beam& beam, std::size_t n_intervals)
    : elements_(beam.elements), first_element_(beam.first_element) {
  const int degree = elements_.front()->n_points();
  const std::size_t n = (n_intervals + elements_.size() - 1) / elements_.size();
  for (std::size_t k = 0; k <= n; ++k)
    points_.push_back(element_point(degree, static_cast<double>(k) / static_cast<double>(n)));
}

std::size_t BeamCurve::n_stations() const { return elements_.size() * (points_.size() - 1) + 1; }

std::vector<double> BeamCurve::places() const {
  std::vector<double> places{0.0};
  const std::size_t last = points_.size() - 1;
  for (const BeamElement* element : elements_) {
    const double start = places.back(), length = element->length();
    for (std::size_t k = 1; k <= last; ++k)
      places.push_back(start + length * static_cast<double>(k) / static_cast<double>(last));
  }
  const double length = places.back();
  for (double& place : places) place /= length;
  return places;
}

void BeamCurve::evaluate(const Motion& now, const Model& model, const State& state,
                         std::span<BeamStation> stations) const {
  std::array<SectionState, BeamElement::max_degree> states;
  const std::span at_gauss_points(states.data(), static_cast<std::size_t>(elements_.front()->n_points()));
  const std::size_t last = points_.size() - 1;
  for (std::size_t e = 0; e < elements_.size(); ++e) {
    elements_[e]->section_states(internal_of(model, state, first_element_ + e), at_gauss_points);
    const std::span own = stations.subspan(e * last, points_.size());
    const BeamStation before = own[0];  // at the end of the last element
    for (std::size_t k = 0; k < own.size(); ++k) {
      own[k] = interpolated(*elements_[e], points_[k], now);
      own[k].section = section_at(points_[k], at_gauss_points);
    }
    if (e == 0 || (own[0].R - before.R).norm() > same_axes) continue;  // a corner has no mean
    own[0].section.strain = 0.5 * (own[0].section.strain + before.section.strain);
    own[0].section.force = 0.5 * (own[0].section.force + before.section.force);
  }
}

}  // namespace freeplay
