#pragma once

#include <string>
#include <vector>

#include "freeplay/deck/spec.h"

namespace freeplay {

/// A mass times a distance from the axis, at a place of the rotor.
struct UnbalanceSpec {
  std::string place;
  double amount = 0.0;  ///< [kg m]
  double angle = 0.0;   ///< in the rotor, from the first direction across the axis [rad]
};

/// What `freeplay campbell` and `freeplay response` are asked for.
struct RotorRequest {
  enum class What { campbell, unbalance, harmonic };
  What what = What::campbell;
  std::string joint;           ///< a joint or a bearing by coefficients that shows the axis; empty: chosen
  std::vector<double> speeds;  ///< ascending, >= 0 [rad/s]; harmonic: one
  int n_modes = 8;
  std::vector<UnbalanceSpec> unbalances;  ///< empty: as in the model
  std::string load;                       ///< harmonic: its components are amplitudes
  std::vector<double> frequencies;        ///< harmonic [rad/s]
  std::vector<std::string> places;        ///< of the response; empty: all of the rotor
  bool json = false;                      ///< print JSON instead of a table
};

/// The model that turns steadily. Loads are left out, but for the one whose response is asked for.
inline ModelSpec model_for_rotor(ModelSpec model, const RotorRequest& request) {
  std::erase_if(model.loads, [&](const LoadSpec& load) { return load.name != request.load; });
  std::erase_if(model.line_loads, [&](const LineLoadSpec& load) { return load.name != request.load; });
  model.actuators.clear();
  model.output.columns.reset();  // of a history, which is not written
  return model;
}

}  // namespace freeplay
