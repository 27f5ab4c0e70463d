#include "freeplay/deck/joint_type.h"

#include <algorithm>
#include <stdexcept>
#include <vector>

namespace freeplay {

namespace {

std::vector<JointTypeKeys>& known_types() {
  static std::vector<JointTypeKeys> types;
  return types;
}

}  // namespace

std::span<const JointTypeKeys> joint_type_keys() { return known_types(); }

const JointTypeKeys& joint_type_keys(const std::string& name) {
  const auto found = std::ranges::find(known_types(), name, &JointTypeKeys::name);
  if (found == known_types().end()) throw std::logic_error("no ideal joint is called '" + name + "'");
  return *found;
}

void add_joint_type(JointTypeKeys type) { known_types().push_back(std::move(type)); }

}  // namespace freeplay
