#include "freeplay/input/one_line.h"

#include <vector>

#include "freeplay/base/names.h"

namespace freeplay {

std::string one_line(const YamlNode& node) {
  std::vector<std::string> parts;
  switch (node.kind) {
    case YamlNode::Kind::list:
      for (const YamlNode& item : node.items) parts.push_back(one_line(item));
      return "[" + joined(parts) + "]";
    case YamlNode::Kind::map:
      for (const YamlNode::Entry& entry : node.entries) parts.push_back(entry.key + ": " + one_line(entry.value));
      return "{" + joined(parts) + "}";
    default:
      return node.text;
  }
}

}  // namespace freeplay
