#include "freeplay/deck/one_line.h"

namespace freeplay {

std::string one_line(const YamlNode& node) {
  const std::string text = to_yaml(YamlNode::list({node}));
  return text.substr(1, text.size() - 3);  // without the brackets and the end of line
}

}  // namespace freeplay
