#include "freeplay/results/drawn_parts.h"

#include <algorithm>
#include <cmath>

namespace freeplay {

std::vector<ParaviewBody> drawn_bodies(const ModelSpec& spec) {
  std::vector<ParaviewBody> bodies;
  for (const RigidBodySpec& body : spec.bodies) {
    ParaviewBody drawn{body.name, body.shape, body.centre, {}, 0.0};
    for (const PointSpec& point : body.points) drawn.points.push_back(point.at);
    const double inertia = std::max({body.inertia[0], body.inertia[1], body.inertia[2]});
    drawn.size_hint = std::sqrt(inertia / body.mass);
    bodies.push_back(std::move(drawn));
  }
  return bodies;
}

std::vector<PlacedOutline> drawn_outlines(const ModelSpec& spec, const BeamSpec& beam) {
  std::vector<PlacedOutline> outlines;
  for (const StationSpec& station : beam.sections) {
    const SectionSpec& section = *std::find_if(spec.sections.begin(), spec.sections.end(),
                                               [&](const SectionSpec& s) { return s.name == station.section; });
    outlines.push_back({station.at, drawn_outline(section)});
  }
  return outlines;
}

}  // namespace freeplay
