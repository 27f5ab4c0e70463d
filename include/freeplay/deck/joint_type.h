#pragma once

#include <array>
#include <span>
#include <string>

namespace freeplay {

/// What the model file may say about one type of ideal joint. The types themselves, with their equations, are data in
/// src/mechanics/ideal_joint.cc; the reader of the model file needs only this.
struct JointTypeKeys {
  std::string name;
  std::string description;           ///< one or two sentences for doc/input.md and the schema
  bool place = true;                 ///< it is somewhere; a pure orientation is not
  bool axis = false;                 ///< has a joint axis (key `axis`, required unless a named point carries it)
  bool second_axis = false;          ///< universal: has `second-axis` (required)
  bool length = false;               ///< distance: has `length`
  bool lead = false;                 ///< screw: has `lead` (required)
  bool curve = false;                ///< cam: has `curve` (required), `closed` and `roller-radius`
  bool drives_angle = false;         ///< `drive: {angle: ...}` is possible
  bool drives_displacement = false;  ///< `drive: {displacement: ...}` is possible
  bool friction = false;             ///< may have `friction`, and in it:
  bool friction_radius = false;      ///< `radius` (required): of the pin, ball or disk where it slips
  bool bending_arm = false;          ///< `bending-arm`: moments across the axis press on the joint too
  bool thrust_radius = false;        ///< `thrust-radius`: so does a force along the axis
  bool torsion_arm = false;          ///< `torsion-arm`: so does a moment about the axis
  /// It looks at the axes of its first or second place, which a point mass does not have.
  std::array<bool, 2> uses_axes{};

  bool is_apart() const { return length || curve; }  ///< its two places are not at one point
};

/// All ideal joints, in the order of the documentation.
std::span<const JointTypeKeys> joint_type_keys();
/// Throws std::logic_error if there is none of that name.
const JointTypeKeys& joint_type_keys(const std::string& name);
/// Makes a type known to the reader; called when the program starts, from where its equations are.
void add_joint_type(JointTypeKeys type);

}  // namespace freeplay
