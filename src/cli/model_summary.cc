#include "freeplay/cli/model_summary.h"

#include <algorithm>
#include <cstdio>

#include "freeplay/assembly/start_of_clearances.h"
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

/// "contact soft (hertz)"
template <class Law>
std::string law_text(const char* what, const std::vector<Law>& laws, const std::string& name) {
  const auto law = std::ranges::find(laws, name, &Law::name);
  return law == laws.end() ? "" : std::string(", ") + what + " " + name + " (" + law->type + ")";
}

int width_of_types(const ModelSpec& spec) {
  std::size_t width = 14;
  for (const JointSpec& joint : spec.joints) width = std::max(width, joint.type.size());
  for (const ClearanceSpec& joint : spec.clearances) width = std::max(width, joint.type.size());
  return static_cast<int>(width);
}

/// Name, type and places, with which the line of every joint begins.
template <class Joint>
std::string joint_text(const Joint& joint, int width) {
  return format("  %-16s %-*s %s - %s", joint.name.c_str(), width, joint.type.c_str(), joint.between[0].text().c_str(),
                joint.between[1].text().c_str());
}

std::string equations_text(const Model& model, const std::string& joint) {
  const auto found = std::ranges::find(model.joints, joint, &Joint::name);
  return found == model.joints.end() ? "" : format(", %zu equations", found->equations.size());
}

std::string joints(const ModelSpec& spec, const Model& model) {
  if (spec.joints.empty() && spec.clearances.empty()) return "";
  const int width = width_of_types(spec);
  std::string text = "joints\n";
  for (const JointSpec& joint : spec.joints) {
    const bool driven = joint.drive.angle || joint.drive.displacement;
    text += joint_text(joint, width) + equations_text(model, joint.name) + (driven ? ", driven" : "");
    if (joint.friction) text += law_text("friction", spec.frictions, joint.friction->law);
    text += "\n";
  }
  for (const ClearanceSpec& joint : spec.clearances)
    text += joint_text(joint, width) + equations_text(model, joint.name) +
            law_text("contact", spec.contacts, joint.contact) + law_text("friction", spec.frictions, joint.friction) +
            "\n";
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
  text += redundancy(assembled) + corrections(assembled.report, assembled.model.length_scale);
  for (const std::string& warning : unmeant_impacts(spec, assembled)) text += warning + "\n";
  return text + plan(spec);
}

}  // namespace freeplay
