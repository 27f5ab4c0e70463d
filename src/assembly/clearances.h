#pragma once

#include "freeplay/deck/spec.h"
#include "freeplay/mechanics/clearance_joint.h"
#include "freeplay/mechanics/model.h"

namespace freeplay {

/// The contacts of one joint with clearance, and the equations that it has besides. `length` is that of the model.
void add_contacts(const ModelSpec& spec, const ClearanceSpec& joint, const ClearancePlaces& places, double length,
                  Model& model);

}  // namespace freeplay
