#include <algorithm>
#include <cmath>

#include "freeplay/analysis/dynamic.h"
#include "freeplay/base/diagnostics.h"
#include "freeplay/base/formatted.h"

// How a dynamic analysis fails, and what it says then.

namespace freeplay {

void DynamicAnalysis::give_up(const StepReport& report, double dt) {
  std::string message = "t = " + formatted("%.9g", stepper_->state().time) +
                        " s: the step cannot be solved, even with " + formatted("dt = %.3g s", dt) + ": " +
                        report.reason;
  if (!report.place.empty()) {
    const bool is_residual = report.outcome == StepReport::Outcome::not_converged;
    message += (is_residual ? "; largest residual at " : "; most of all at ") + report.place +
               formatted(" (relative residual %.2g)", report.relative_residual);
  }
  if (report.unsolvable_friction >= 0) {
    const JointFriction& friction = assembled_.model.frictions[report.unsolvable_friction];
    message += ".\nLoss of solvability of the reaction at joint '" + assembled_.model.joints[friction.joint].name +
               "': more friction gives more normal force, and that more friction again, until nothing balances. The "
               "cause is sigma1 of law '" +
               friction.law_name +
               "' (lugre-force): the damping of its bristles does not scale with the load. Use `lugre-load-scaled` or "
               "`lugre`, or a smaller sigma1.";
    throw NumericalFailure(message);
  }
  message +=
      ".\nTry a smaller step or tolerance; look for a position that the mechanism cannot reach (a dead point, a "
      "drive that asks too much) or a jump in a load or drive.";
  throw NumericalFailure(message);
}

/// Steps that Newton's method calls solved are wrong where forces differ by more than numbers have digits: a part of
/// the model is so stiff that round-off of its strains moves the rest.
void DynamicAnalysis::check_balance(double wrong) const {
  const Model& model = assembled_.model;
  const Ledger& ledger = stepper_->ledger();
  // At rest there is only round-off: of velocities per step, and of positions under gravity.
  const double round_off =
      0.5 * model.mass_scale * std::pow(1e-11 * model.length_scale / statistics_.smallest_step, 2) +
      1e-9 * model.mass_scale * model.gravity.norm() * model.length_scale;
  const double scale = std::max({ledger.largest_energy, std::abs(ledger.load_work), std::abs(ledger.drive_work),
                                 ledger.friction_loss, std::abs(ledger.gravity), round_off});
  if (std::isfinite(ledger.residual) && std::abs(ledger.residual) <= wrong * scale) return;
  throw NumericalFailure(
      "t = " + formatted("%.9g", stepper_->state().time) + " s: the energy balance is open by " +
      formatted("%.2g J", std::abs(ledger.residual)) + formatted(" (largest energy %.2g J)", ledger.largest_energy) +
      ": what was computed is wrong.\nThe usual cause are stiffnesses, masses or lengths that differ by more than "
      "numbers have digits (16): look at the units of sections, springs and inertias. Else try a smaller step or a "
      "smaller "
      "newton: {tolerance: ...}.");
}

}  // namespace freeplay
