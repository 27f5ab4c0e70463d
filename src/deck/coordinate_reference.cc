#include "freeplay/deck/coordinate_reference.h"

#include "freeplay/base/names.h"

namespace freeplay {

namespace {

std::optional<CoordinateRef> read_coordinate(const YamlNode& node, const Location&, Reader& reader) {
  const std::size_t dot = node.text.find('.');
  CoordinateRef reference{node.text.substr(0, dot), "", node.where};
  if (dot != std::string::npos) reference.coordinate = node.text.substr(dot + 1);
  const bool is_coordinate =
      dot == std::string::npos || reference.coordinate == "angle" || reference.coordinate == "displacement";
  if (node.kind == YamlNode::Kind::scalar && is_name(reference.joint) && is_coordinate) return reference;
  reader.error(node.where, "'" + quotation(node) +
                               "' is no coordinate of a joint: write its name, or `name.angle`, `name.displacement`");
  return std::nullopt;
}

}  // namespace

Format<CoordinateRef> coordinate_reference() {
  return {{.kind = Shape::Kind::text, .phrase = "joint"}, read_coordinate, [](const CoordinateRef& reference) {
            return YamlNode::scalar(reference.text());
          }};
}

}  // namespace freeplay
