#include "freeplay/assembly/summary_names.h"

#include "freeplay/assembly/columns.h"
#include "freeplay/assembly/reported_joints.h"

namespace freeplay {

std::vector<std::string> summary_numbers(const Model& model, AnalysisSpec::Kind analysis) {
  std::vector<std::string> names{"size.bodies",   "size.joints",   "size.equations", "size.degrees_of_freedom",
                                 "size.mobility", "seconds.total", "seconds.steps",  "seconds.output"};
  const auto add = [&](const std::string& key, std::initializer_list<const char*> parts) {
    for (const char* part : parts) names.push_back(key + "." + part);
  };
  if (analysis == AnalysisSpec::Kind::static_equilibrium)
    add("load_factor", {"reached"});
  else
    add("time", {"reached", "end"});
  if (has_ledger(analysis)) {
    add("steps", {"accepted", "smallest", "largest", "newton_iterations", "factorisations"});
    add("steps.rejected", {"not_converged", "error_above_tolerance", "too_much_rotation", "contact_unresolved"});
    add("steps.ruled_by",
        {"error_of_motion", "error_of_friction", "approaching_contact", "output_or_corner", "step_or_max_step"});
    add("energy", {"initial", "kinetic", "elastic", "gravity", "contact", "friction_state"});
    add("work", {"loads", "drives"});
    add("loss", {"friction", "contact", "damping", "numerical", "projection"});
    add("ledger", {"residual", "relative_residual", "largest_step_residual", "largest_energy"});
    add("memory", {"matrix_and_factors"});
  }
  for (const ReportedJoint& joint : reported_joints(model))
    add("largest_joint_loads." + joint.name, {"force.value", "force.time", "moment.value", "moment.time"});
  if (!has_ledger(analysis)) return names;
  for (const ReportedJoint& joint : reported_joints(model)) {
    const std::string use = "joint_use." + joint.name;
    if (!joint.contacts.empty())
      add(use, {"contact_fraction", "contact_loss", "largest_contact_force.value", "largest_contact_force.time"});
    if (has_friction(model, joint)) add(use, {"stick_fraction", "friction_loss"});
  }
  return names;
}

}  // namespace freeplay
