#pragma once

// Results inside beams, from the nodes and the Gauss points of their elements.

#include <array>
#include <string>
#include <vector>

#include "freeplay/mechanics/beam_element.h"
#include "freeplay/mechanics/model.h"

namespace freeplay {

/// A point of an element of degree p: the polynomial through its p + 1 nodes carries positions and directors, the one
/// through its p Gauss points carries strains and section forces.
struct ElementPoint {
  std::array<double, BeamElement::max_degree + 1> of_nodes{};
  std::array<double, BeamElement::max_degree> of_gauss_points{};
};

/// `xi` goes from 0 to 1 along the element.
ElementPoint element_point(int degree, double xi);

/// Strains and section forces at a point of an element whose values at the Gauss points are given.
SectionState section_at(const ElementPoint& point, std::span<const SectionState> at_gauss_points);

/// The end or the start of an element.
struct ElementEnd {
  const BeamElement* element = nullptr;
  std::size_t number = 0;  ///< of the element in the model
  ElementPoint point;
};

/// A place along a beam that has results. It is an end of elements.
struct BeamPlace {
  std::string name;               ///< `shaft.start`, `shaft@0.5`
  std::vector<ElementEnd> sides;  ///< towards the start and towards the end of the beam; at its ends only one
  bool jumps = false;             ///< section forces do: a joint, a spring or a load acts here, or it is a corner

  bool has_two_results() const { return jumps && sides.size() == 2; }
};

SectionState section_at(const ElementEnd& end, const Model& model, const State& state);

/// Mean over the sides.
SectionState section_at(const BeamPlace& place, const Model& model, const State& state);

struct Beam {
  std::string name;
  std::vector<const BeamElement*> elements;  ///< from start to end
  std::size_t first_element = 0;             ///< number of the first of them in the model; the others follow it
  std::vector<BeamPlace> places;
};

}  // namespace freeplay
