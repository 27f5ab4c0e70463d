#pragma once

#include <map>

#include "freeplay/assembly/assembly.h"
#include "freeplay/mechanics/line_load.h"

namespace freeplay {

/// The nodes of a beam: consecutive numbers along it.
struct BeamNodes {
  int first = 0;
  std::vector<double> s;                     ///< of each node, 0 to 1
  std::vector<LineLoad::Share> shares;       ///< of its nodes in its length, element by element
  std::vector<const BeamElement*> elements;  ///< along it
  std::size_t first_element = 0;             ///< number of the first of them in the model

  int at(double place) const;
};
using BeamMap = std::map<std::string, BeamNodes>;

/// Where joints, springs and loads act on a beam.
std::vector<double> loaded_places(const ModelSpec& spec, const BeamSpec& beam);

/// Where results of a beam are wanted or something is attached to it, ascending; with repetitions and ends.
std::vector<double> places_along(const ModelSpec& spec, const BeamSpec& beam);

/// Adds nodes and elements of all beams.
BeamMap add_beams(const ModelSpec& spec, Model& model, State& state, std::vector<GivenParts>& given);

}  // namespace freeplay
