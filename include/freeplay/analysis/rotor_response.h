#pragma once

#include <string>
#include <vector>

#include "freeplay/analysis/rotor_request.h"
#include "freeplay/analysis/vibration_shapes.h"
#include "freeplay/analysis/whirl_equations.h"

namespace freeplay {

/// A vibration Re(amplitude exp(i w t)) of a place or of a force, in the axes of ground.
struct ResponsePoint {
  Eigen::Vector3cd amplitude = Eigen::Vector3cd::Zero();
  double largest = 0.0;  ///< half the long axis of the ellipse across the axis of the rotor
};

struct ResponseQuantity {
  std::string name;
  bool is_force = false;  ///< [N] on what stands still, else a displacement [m]
  std::vector<ResponsePoint> at;
};

struct RotorResponse {
  Rotor rotor;
  std::vector<double> speeds;       ///< of each point [rad/s]
  std::vector<double> frequencies;  ///< of the vibration [rad/s]
  std::vector<ResponseQuantity> quantities;
  std::vector<VibrationShapes> shapes;  ///< at some points, and where a place moves most; fixed axes
};

/// Response of the rotor of an assembled model_for_rotor() to unbalance or to a load. InputError, NumericalFailure.
RotorResponse find_response(Assembled& assembled, const RotorRequest& request, SolverFactory& solvers);

}  // namespace freeplay
