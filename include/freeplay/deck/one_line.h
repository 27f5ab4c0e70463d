#pragma once

#include <string>

#include "freeplay/deck/node.h"

namespace freeplay {

/// `{lugre: {static: 0.3}}`: a value in one line, for people.
std::string one_line(const YamlNode& node);

}  // namespace freeplay
