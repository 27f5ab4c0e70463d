#pragma once

#include <map>

#include "freeplay/deck/node.h"
#include "freeplay/deck/reader.h"
#include "freeplay/deck/spec.h"

namespace freeplay {

/// ` (bodies: a, b)`
std::string listed(const std::string& what, const std::vector<std::string>& names);

/// Of the things in a section of the file, also of those that could not be read.
std::vector<std::string> names_in(const YamlNode& root, const char* section);

/// Which bodies and points there are.
class NamedPlaces {
 public:
  NamedPlaces(const ModelSpec& model, const YamlNode& root, Reader& reader);

  /// Reports a body or a point that does not exist.
  void check(const FrameRef& reference);

  bool is_known(const std::string& name) const { return points_.contains(name); }
  bool is_beam(const std::string& name) const;
  /// The axis of one of the points, or a point of which nothing is known because of another error.
  bool may_have_axis(const std::array<FrameRef, 2>& between) const;

 private:
  struct Body {
    std::vector<PointSpec> points;
    bool incomplete = false;
    bool is_beam = false;
  };

  void add(const std::string& name, const std::vector<PointSpec>& points, bool incomplete);
  void check_on_beam(const FrameRef& reference);
  void check_on_rigid_body(const FrameRef& reference, const Body& body);
  const PointSpec* find(const FrameRef& reference) const;

  Reader& reader_;
  std::map<std::string, Body> points_;
  std::vector<std::string> bodies_;
};

}  // namespace freeplay
