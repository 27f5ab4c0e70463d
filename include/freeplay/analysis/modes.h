#pragma once

#include <complex>
#include <string>
#include <vector>

#include "freeplay/analysis/linearisation.h"
#include "freeplay/analysis/modes_request.h"
#include "freeplay/assembly/assembly.h"
#include "freeplay/deck/spec.h"
#include "freeplay/scheme/solver_interface.h"

namespace freeplay {

/// A small motion Re(shape exp(value t)) about the reference state.
struct Mode {
  enum class Kind {
    vibration,
    rigid,    ///< nothing hinders it: frequency zero
    decay,    ///< does not vibrate, creeps back
    unstable  ///< grows
  };
  Kind kind = Kind::vibration;
  std::complex<double> value;  ///< [1/s]
  std::string body;            ///< that has the largest share of the kinetic energy
  double share = 0.0;          ///< its share, 0 to 1
  using Twist = Eigen::Matrix<std::complex<double>, 6, 1>;
  std::vector<Twist> shape;  ///< displacement and rotation of each node, body axes; of any size

  double angular_frequency() const { return value.imag(); }  ///< [rad/s]
  double decay_rate() const { return 0.0 - value.real(); }   ///< [1/s]; negative: grows
  double damping_ratio() const { return value == 0.0 ? 0.0 : decay_rate() / std::abs(value); }
};

struct Modes {
  State state;              ///< the reference state
  SteadyRotation rotation;  ///< of the reference state
  bool damped = false;      ///< there are dampers: damping ratios say something
  std::vector<Mode> modes;  ///< unstable ones, rigid ones, then with rising frequency
};

/// Natural frequencies and mode shapes of an assembled model_for_modes(). InputError if the request does not fit the
/// model, NumericalFailure if there is no such state or no convergence.
Modes find_modes(Assembled& assembled, const AnalysisSpec& analysis, const ModesRequest& request,
                 SolverFactory& solvers);

}  // namespace freeplay
