#pragma once

#include "freeplay/deck/spec.h"
#include "freeplay/mechanics/model.h"

namespace freeplay {

/// The contacts of one joint with clearance. `a` and `b` are the frames of bearing (or plane) and journal; their third
/// axes lie along the axis of the bearing (or the normal of the plane).
void add_contacts(const ModelSpec& spec, const ClearanceSpec& joint, const Frame& a, const Frame& b,
                  const Mat3& ground_to_a, const Mat3& ground_to_b, Model& model);

}  // namespace freeplay
