#include "freeplay/mechanics/beam.h"

#include "freeplay/math/lagrange.h"

namespace freeplay {

ElementPoint element_point(int degree, double xi) {
  ElementPoint point;
  lagrange_values(gauss_lobatto_points(degree + 1), xi, point.of_nodes);
  lagrange_values(gauss_points(degree), xi, point.of_gauss_points);
  return point;
}

SectionState section_at(const ElementPoint& point, std::span<const SectionState> at_gauss_points) {
  SectionState result;
  for (std::size_t g = 0; g < at_gauss_points.size(); ++g) {
    result.strain += point.of_gauss_points[g] * at_gauss_points[g].strain;
    result.force += point.of_gauss_points[g] * at_gauss_points[g].force;
  }
  return result;
}

SectionState section_at(const ElementEnd& end, const Model& model, const State& state) {
  std::array<SectionState, BeamElement::max_degree> states;
  const std::span used(states.data(), static_cast<std::size_t>(end.element->n_points()));
  end.element->section_states(internal_of(model, state, end.number), used);
  return section_at(end.point, used);
}

SectionState section_at(const BeamPlace& place, const Model& model, const State& state) {
  SectionState mean;
  const double share = 1.0 / static_cast<double>(place.sides.size());
  for (const ElementEnd& side : place.sides) {
    const SectionState section = section_at(side, model, state);
    mean.strain += share * section.strain;
    mean.force += share * section.force;
  }
  return mean;
}

}  // namespace freeplay
