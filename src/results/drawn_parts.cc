#include "freeplay/results/drawn_parts.h"

#include <algorithm>
#include <cmath>

namespace freeplay {

namespace {

/// The outline at a place; between two of them the larger one, which the shell must not cut.
double radius_at(const std::vector<PlacedOutline>& outlines, double s) {
  double radius = 0.0;
  for (std::size_t k = 0; k < outlines.size(); ++k) {
    const bool begins_before = k == 0 || outlines[k - 1].at <= s;
    const bool ends_after = k + 1 == outlines.size() || outlines[k + 1].at >= s;
    if (begins_before && ends_after) radius = std::max(radius, outlines[k].outline.radius());
  }
  return radius;
}

bool is_in_cylinder(const ShapeSpec& cylinder, const Vec3& point) {
  constexpr double margin = 1e-6;  // points are often given at the very ends
  const Vec3 axis = cylinder.to - cylinder.from;
  const double part = axis.dot(point - cylinder.from) / axis.squaredNorm();
  return part > -margin && part < 1.0 + margin && (point - cylinder.from - part * axis).norm() < cylinder.radius;
}

}  // namespace

std::optional<double> drawn_journal_radius(const ModelSpec& spec, const SpringSpec& bearing) {
  for (const FrameRef& place : {bearing.between[1], bearing.between[0]}) {
    const auto beam = std::ranges::find(spec.beams, place.body, &BeamSpec::name);
    if (beam != spec.beams.end()) return radius_at(drawn_outlines(spec, *beam), place.s.value_or(0.0));
    const auto body = std::ranges::find(spec.bodies, place.body, &RigidBodySpec::name);
    if (body == spec.bodies.end() || body->shape.kind != ShapeSpec::Kind::cylinder) continue;
    const auto point = std::ranges::find(body->points, place.point, &PointSpec::name);
    const Vec3 at = point == body->points.end() ? Vec3(Vec3::Zero()) : point->at;
    const bool is_disk = (body->shape.to - body->shape.from).norm() < 2.0 * body->shape.radius;
    if (!is_disk && is_in_cylinder(body->shape, at)) return body->shape.radius;
  }
  return std::nullopt;
}

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
