#include "freeplay/assembly/remarks.h"

#include <algorithm>
#include <cstdio>
#include <numbers>

#include "freeplay/assembly/start_of_clearances.h"

namespace freeplay {

namespace {

std::string three_digits(double value, const char* unit) {
  char text[64];
  std::snprintf(text, sizeof text, "%.3g %s", value, unit);
  return text;
}

bool is_driven(const JointSpec& joint) { return joint.drive.angle || joint.drive.displacement; }

/// A drive that prescribes everything leaves no motion to integrate; without one the model is a structure.
std::string warning_of_mobility(const ModelSpec& spec) {
  if (std::ranges::any_of(spec.joints, is_driven))
    return "warning: mobility 0: the drives prescribe the whole motion; `analysis: {kinematic: ...}` computes it and "
           "its "
           "forces without errors of integration";
  return "warning: mobility 0: nothing can move in this dynamic analysis; look for a joint too much, or for one that "
         "holds more than was meant";
}

}  // namespace

std::vector<std::string> changes_by_assembly(const Assembled& assembled) {
  constexpr double round_off = 1e-9;
  const AssemblyReport& report = assembled.report;
  std::vector<std::string> lines;
  if (report.position_change > round_off * assembled.model.length_scale)
    lines.push_back("assembly moved '" + report.moved_body + "' by " + three_digits(report.position_change, "m") +
                    " to close the joints");
  if (report.rotation_change > round_off)
    lines.push_back("assembly turned '" + report.rotated_body + "' by " +
                    three_digits(report.rotation_change * 180.0 / std::numbers::pi, "deg") + " to close the joints");
  if (report.velocity_change > round_off)
    lines.push_back("assembly changed the given velocity of '" + report.changed_body + "' by " +
                    three_digits(report.velocity_change, "(m/s or rad/s)"));
  return lines;
}

std::vector<std::string> warnings_of(const ModelSpec& spec, const Assembled& assembled) {
  std::vector<std::string> warnings = spec.warnings;
  if (spec.analysis.kind == AnalysisSpec::Kind::dynamic && assembled.report.mobility() == 0)
    warnings.push_back(warning_of_mobility(spec));
  for (const std::string& warning : unmeant_impacts(spec, assembled)) warnings.push_back(warning);
  return warnings;
}

}  // namespace freeplay
