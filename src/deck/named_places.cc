#include "named_places.h"

#include <algorithm>

#include "freeplay/base/names.h"
#include "tables.h"

namespace freeplay {

std::string listed(const std::string& what, const std::vector<std::string>& names) {
  constexpr std::size_t most = 20;  // more would hide the message
  if (names.empty() || names.size() > most) return {};
  return " (" + what + ": " + joined(names) + ")";
}

std::vector<std::string> names_in(const YamlNode& root, const char* section) {
  std::vector<std::string> names;
  const YamlNode::Entry* things = root.find(section);
  if (things == nullptr) return names;
  for (const YamlNode::Entry& entry : things->value.entries) names.push_back(entry.key);
  return names;
}

NamedPlaces::NamedPlaces(const ModelSpec& model, const YamlNode& root, Reader& reader) : reader_(reader) {
  add("ground", model.ground_points, reader.failed("ground"));
  for (const RigidBodySpec& body : model.bodies) add(body.name, body.points, reader.failed("bodies." + body.name));
  for (const BeamSpec& beam : model.beams) {
    add(beam.name, {}, false);
    points_[beam.name].is_beam = true;
  }
  // A body that could not be read still has its name.
  const YamlNode::Entry* bodies = root.find("bodies");
  if (bodies == nullptr) return;
  for (const YamlNode::Entry& entry : bodies->value.entries) {
    if (!points_.contains(entry.key)) add(entry.key, {}, true);
  }
}

void NamedPlaces::check(const FrameRef& reference) {
  if (reference.body.empty()) return;
  const auto body = points_.find(reference.body);
  if (body == points_.end()) {
    reader_.error(reference.where, "there is no body '" + reference.body + "'" + did_you_mean(reference.body, bodies_) +
                                       listed("bodies", bodies_));
    return;
  }
  if (body->second.is_beam) {
    check_on_beam(reference);
  } else if (!body->second.incomplete) {
    check_on_rigid_body(reference, body->second);
  }
}

bool NamedPlaces::is_beam(const std::string& name) const {
  const auto body = points_.find(name);
  return body != points_.end() && body->second.is_beam;
}

bool NamedPlaces::may_have_axis(const std::array<FrameRef, 2>& between) const {
  return std::any_of(between.begin(), between.end(), [&](const FrameRef& reference) {
    const auto body = points_.find(reference.body);
    if (body == points_.end() || body->second.incomplete) return true;
    const PointSpec* point = find(reference);
    return point != nullptr && point->axis.has_value();
  });
}

void NamedPlaces::add(const std::string& name, const std::vector<PointSpec>& points, bool incomplete) {
  points_[name] = {points, incomplete};
  bodies_.push_back(name);
}

void NamedPlaces::check_on_beam(const FrameRef& reference) {
  if (place_along_beam(reference)) return;
  const std::string& name = reference.body;
  const std::string problem = reference.point.empty() ? "is a beam, name a place on it"
                                                      : "is a beam and has no point '" + reference.point + "'" +
                                                            did_you_mean(reference.point, {"start", "end"});
  reader_.error(reference.where, "'" + name + "' " + problem + " (its places: " + name + ".start, " + name +
                                     ".end, and " + name + "@s with s from 0 to 1)");
}

void NamedPlaces::check_on_rigid_body(const FrameRef& reference, const Body& body) {
  std::vector<std::string> names;
  for (const PointSpec& point : body.points) names.push_back(point.name);
  if (reference.s) {
    reader_.error(reference.where, "'" + reference.body + "' is not a beam: only beams have places with @" +
                                       listed("its points", names));
  } else if (!reference.point.empty() && find(reference) == nullptr) {
    reader_.error(reference.where, "'" + reference.body + "' has no point '" + reference.point + "'" +
                                       did_you_mean(reference.point, names) + listed("its points", names));
  }
}

const PointSpec* NamedPlaces::find(const FrameRef& reference) const {
  const auto body = points_.find(reference.body);
  if (body == points_.end()) return nullptr;
  for (const PointSpec& point : body->second.points) {
    if (point.name == reference.point) return &point;
  }
  return nullptr;
}

}  // namespace freeplay
