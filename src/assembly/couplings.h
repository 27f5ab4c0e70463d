#pragma once

#include "freeplay/deck/spec.h"
#include "freeplay/mechanics/model.h"
#include "freeplay/mechanics/state_functions.h"

namespace freeplay {

/// Where a signal of the motion comes from. Throws std::invalid_argument if there is nothing of that name.
StateInput find_signal(const Signal& signal, const State& initial, const Model& model);

/// Forces and torques, line loads excepted, and actuators of joints. Throws InputError with all that do not fit.
/// `place_of_load` says where a load acts.
void add_loads(const ModelSpec& spec, const State& initial, const std::function<Frame(const FrameRef&)>& place_of_load,
               Model& model);

/// Gears and other joints that tie the coordinates of two joints of the model to each other. Throws InputError with all
/// that do not fit.
void add_couplings(const ModelSpec& spec, const State& initial, Model& model);

}  // namespace freeplay
