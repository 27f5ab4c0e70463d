#include "freeplay/deck/joint_type.h"

#include <vector>

namespace freeplay {

namespace {

std::vector<JointTypeKeys>& known_types() {
  static std::vector<JointTypeKeys> types;
  return types;
}

}  // namespace

std::span<const JointTypeKeys> joint_type_keys() { return known_types(); }

void add_joint_type(JointTypeKeys type) { known_types().push_back(std::move(type)); }

}  // namespace freeplay
