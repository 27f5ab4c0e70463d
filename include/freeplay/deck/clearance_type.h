#pragma once

#include <span>

#include "freeplay/deck/spec.h"
#include "freeplay/deck/table.h"

namespace freeplay {

/// What the model file may say about one type of joint with clearance. The types themselves, with their geometry, are
/// data in src/mechanics/clearance_joint.cc; the reader of the model file needs only this.
struct ClearanceTypeKeys {
  std::string name;
  Table<ClearanceSpec> table;
  bool axis = true;       ///< has an axis or a normal, required unless a named point carries it
  bool is_apart = false;  ///< the first place is where it is named; the second need not be there
  bool ball = false;      ///< what touches is a ball, whose axes do not matter: it may be a point mass
};

/// All joints with clearance, in the order of the documentation.
std::span<const ClearanceTypeKeys> clearance_type_keys();
/// Throws std::logic_error if there is none of that name.
const ClearanceTypeKeys& clearance_type_keys(const std::string& name);
/// Makes a type known to the reader; called when the program starts, from where its geometry is.
void add_clearance_type(ClearanceTypeKeys type);

// Keys for their tables.

Format<std::array<FrameRef, 2>> two_places();
/// A radius, length or width; zero where the range allows it.
Format<double> size_of_a_part(const Range& range = above(0));
/// `contact`, `friction` and how the step follows the gap: what all types have.
void add_contact_keys(Table<ClearanceSpec>& table);

}  // namespace freeplay
