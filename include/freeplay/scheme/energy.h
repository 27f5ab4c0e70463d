#pragma once

#include <algorithm>
#include <cmath>

#include "freeplay/mechanics/weight.h"

namespace freeplay {

inline double kinetic_energy(const Model& model, const State& state) {
  double sum = 0.0;
  for (std::size_t n = 0; n < model.nodes.size(); ++n)
    sum += 0.5 * state.twist[n].dot(model.nodes[n].mass * state.twist[n]);
  return sum;
}

inline double gravity_energy(const Model& model, const State& state) {
  double sum = 0.0;
  for (std::size_t n = 0; n < model.nodes.size(); ++n) {
    const Mat6& mass = model.nodes[n].mass;
    sum -= model.gravity.dot(mass(0, 0) * state.pose[n].x + state.pose[n].R * first_moment(mass));
  }
  return sum;
}

/// `scratch` is memory to work in.
inline double elastic_energy(const Model& model, const State& state, Motion& scratch) {
  set_instant_of({}, state, scratch);
  double sum = 0.0;
  for (std::size_t e = 0; e < model.elements.size(); ++e) {
    const ForceElement& element = *model.elements[e];
    if (element.energy_needs_motion()) set_instant_of(element.nodes(), state, scratch);
    sum += element.stored_energy(scratch, internal_of(model, state, e));
  }
  return sum;
}

/// Energy in contacts and their bristles.
inline ContactEnergy contact_energy(const Model& model, const State& state, Motion& scratch) {
  set_instant(state, scratch);
  ContactEnergy sum;
  for (std::size_t e = 0; e < model.elements.size(); ++e) {
    const ContactEnergy part = model.elements[e]->contact_energy(scratch, internal_of(model, state, e));
    sum.elastic += part.elastic;
    sum.friction += part.friction;
  }
  return sum;
}

/// Factors that turn momenta into square roots of energy: |p|/sqrt(m), |h|/sqrt(J). A point mass has no inertia of its
/// own; a millionth of m L^2 keeps the factor finite.
inline Vec6 momentum_scale(const Mat6& mass, double length) {
  const double m = mass(0, 0);
  const double inertia = std::max(mass.diagonal().tail<3>().maxCoeff(), 1e-6 * m * length * length);
  Vec6 scale;
  scale << Vec3::Constant(1.0 / std::sqrt(m)), Vec3::Constant(1.0 / std::sqrt(inertia));
  return scale;
}

}  // namespace freeplay
