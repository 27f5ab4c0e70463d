#pragma once

#include <optional>

#include "freeplay/deck/spec.h"
#include "freeplay/math/types.h"

namespace freeplay {

/// What `freeplay modes` is asked for.
struct ModesRequest {
  /// The state that vibrates: as assembled (without gravity and loads), at rest under gravity and loads, or turning
  /// steadily under them.
  enum class About { assembled, rest, rotation };
  About about = About::assembled;
  int n = 10;
  double speed = 0.0;        ///< rotation [rad/s]
  std::optional<Vec3> axis;  ///< of the rotation, through the origin; absent: that of the joints to ground
  bool json = false;         ///< print JSON instead of a table
  bool paraview = false;     ///< write an animation of each mode
};

/// The model whose modes are asked for. About the assembled position gravity and loads are left out. A position of rest
/// is found as by a static analysis, whatever the analysis of the model is.
inline ModelSpec model_for_modes(ModelSpec model, const ModesRequest& request) {
  if (request.about == ModesRequest::About::assembled) {
    model.gravity.setZero();
    model.loads.clear();
    model.line_loads.clear();
    model.actuators.clear();
  }
  if (request.about == ModesRequest::About::rest) {
    model.analysis.kind = AnalysisSpec::Kind::static_equilibrium;
    model.output.columns.reset();  // of the history of another analysis, which is not written
  }
  return model;
}

}  // namespace freeplay
