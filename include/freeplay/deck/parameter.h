#pragma once

#include <string>

#include "freeplay/base/location.h"
#include "freeplay/base/units.h"

namespace freeplay {

/// An entry of `parameters:`, evaluated.
struct Parameter {
  std::string name;
  Quantity value;
  Location where;
};

}  // namespace freeplay
