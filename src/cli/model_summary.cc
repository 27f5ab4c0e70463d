#include "freeplay/cli/model_summary.h"

#include <cstdio>

#include "freeplay/base/names.h"
#include "freeplay/model/beam_axis.h"

namespace freeplay {

namespace {

template <class... Values>
std::string format(const char* pattern, Values... values) {
  char text[512];
  std::snprintf(text, sizeof text, pattern, values...);
  return text;
}

/// From start to end, each name once in a row.
std::string sections_of(const BeamSpec& beam) {
  std::vector<std::string> names;
  for (const StationSpec& station : beam.sections)
    if (names.empty() || names.back() != station.section) names.push_back(station.section);
  return joined(names, " - ");
}

std::string bodies(const ModelSpec& spec) {
  std::string text = "bodies\n";
  for (const RigidBodySpec& body : spec.bodies)
    text += format("  %-16s mass %.6g kg, inertia (%.4g, %.4g, %.4g) kg m^2%s\n", body.name.c_str(), body.mass,
                   body.inertia[0], body.inertia[1], body.inertia[2],
                   body.fix.empty() ? "" : format(", %zu directions fixed", body.fix.size()).c_str());
  for (const BeamSpec& beam : spec.beams)
    text += format("  %-16s beam, section %s, %.6g m, %d elements of degree %d\n", beam.name.c_str(),
                   sections_of(beam).c_str(), BeamAxis(beam).length(), beam.elements * BeamAxis(beam).n_pieces(),
                   beam.degree);
  return text;
}

std::string joints(const ModelSpec& spec, const Model& model) {
  if (spec.joints.empty()) return "";
  std::string text = "joints\n";
  for (std::size_t j = 0; j < spec.joints.size(); ++j) {
    const JointSpec& joint = spec.joints[j];
    const bool driven = joint.drive.angle || joint.drive.displacement;
    text += format("  %-16s %-14s %s - %s, %zu equations%s\n", joint.name.c_str(), joint.type.c_str(),
                   joint.between[0].text().c_str(), joint.between[1].text().c_str(), model.joints[j].equations.size(),
                   driven ? ", driven" : "");
  }
  return text;
}

std::string redundancy(const Assembled& assembled) {
  const AssemblyReport& report = assembled.report;
  std::string text = format("degrees of freedom %d, equations %d, redundant %zu: mobility %d\n",
                            report.degrees_of_freedom, report.n_equations, report.redundant.size(), report.mobility());
  if (report.redundant.empty()) return text;
  text += "redundant equations, dropped (the reactions that belong to them are not unique and are set to zero)\n";
  for (const int e : report.redundant) text += "  " + assembled.model.equation_name(e) + "\n";
  return text;
}

std::string corrections(const AssemblyReport& report, double length_scale) {
  constexpr double worth_telling = 1e-9;
  std::string text;
  if (report.position_change > worth_telling * length_scale)
    text += format("assembly moved '%s' by %.3g m to close the joints\n", report.moved_body.c_str(),
                   report.position_change);
  if (report.velocity_change > worth_telling)
    text += format("assembly changed the given velocity of '%s' by %.3g (m/s or rad/s)\n", report.changed_body.c_str(),
                   report.velocity_change);
  return text;
}

std::string plan(const ModelSpec& spec) {
  const AnalysisSpec& analysis = spec.analysis;
  if (analysis.kind == AnalysisSpec::Kind::static_equilibrium) return "would run: static equilibrium\n";
  const std::string until = format("to t = %.6g s", analysis.end);
  if (analysis.kind == AnalysisSpec::Kind::kinematic) return "would run: kinematic analysis " + until + "\n";
  const std::string steps = analysis.step ? format("fixed step %.4g s", *analysis.step)
                                          : format("step controlled by error, tolerance %.2g", analysis.tolerance);
  return "would run: dynamic analysis " + until + ", " + steps + format(", alpha %.3g\n", analysis.alpha);
}

}  // namespace

std::string model_summary(const ModelSpec& spec, const Assembled& assembled) {
  std::string text = spec.title.empty() ? "" : spec.title + "\n";
  text += bodies(spec) + joints(spec, assembled.model);
  const std::size_t n_loads = spec.loads.size() + spec.line_loads.size();
  if (!spec.springs.empty() || n_loads > 0) text += format("springs %zu, loads %zu\n", spec.springs.size(), n_loads);
  return text + redundancy(assembled) + corrections(assembled.report, assembled.model.length_scale) + plan(spec);
}

}  // namespace freeplay
