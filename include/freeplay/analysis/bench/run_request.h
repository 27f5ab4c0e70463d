#pragma once

#include <optional>
#include <string>
#include <vector>

#include "freeplay/base/location.h"

namespace freeplay {

/// A run that a file asks for, as data.
struct RunRequest {
  std::string name;
  std::string model;                  ///< path of the model file
  std::vector<std::string> settings;  ///< `PATH=VALUE`, as for `freeplay run --set`
  std::optional<std::string> end;
  int n_modes = 0;                      ///< natural frequencies instead of the analysis in the file
  std::optional<std::string> campbell;  ///< speeds: modes of a rotor over them instead
  std::optional<std::string> response;  ///< speeds: its response to unbalance over them instead
  std::optional<int> n_points;          ///< of these speeds
  Location where;
};

}  // namespace freeplay
