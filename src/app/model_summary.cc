#include "freeplay/app/model_summary.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <numbers>

#include "freeplay/assembly/remarks.h"
#include "freeplay/base/formatted.h"
#include "freeplay/base/names.h"
#include "freeplay/deck/beam_axis.h"

namespace freeplay {

namespace {

/// From start to end, each name once in a row.
std::string sections_of(const BeamSpec& beam) {
  std::vector<std::string> names;
  for (const StationSpec& station : beam.sections)
    if (names.empty() || names.back() != station.section) names.push_back(station.section);
  return joined(names, " - ");
}

/// Lengths below round-off are zero.
std::string vector_text(const Vec3& v, double scale) {
  const auto rounded = [&](double x) { return std::abs(x) < 1e-12 * scale ? 0.0 : x; };
  return formatted("(%.6g, %.6g, %.6g)", rounded(v.x()), rounded(v.y()), rounded(v.z()));
}

double degrees(double angle) { return angle * 180.0 / std::numbers::pi; }

constexpr double worth_telling = 1e-9;  ///< of the size of the model, or rad
const char* const under_the_name = "                   ";

/// Where a body is after assembly, and how far that is from what the file says.
std::string pose_text(const RigidBodySpec& body, const Pose& pose, double scale) {
  std::string text = under_the_name + ("at " + vector_text(pose.x, scale)) + " m";
  const Eigen::AngleAxisd rotation(pose.R);
  if (rotation.angle() > worth_telling)
    text += formatted(", turned by %.6g deg about ", degrees(rotation.angle())) + vector_text(rotation.axis(), 1.0);
  if (!body.at) return text + ", placed by assembly\n";
  const double move = (pose.x - *body.at).norm();
  const double change = Eigen::AngleAxisd(body.rotation.value_or(Mat3::Identity()).transpose() * pose.R).angle();
  std::vector<std::string> changes;
  if (move > worth_telling * scale) changes.push_back(formatted("moved it by %.3g m", move));
  if (change > worth_telling) changes.push_back(formatted("turned it by %.3g deg", degrees(change)));
  return text + (changes.empty() ? "\n" : "; assembly has " + joined(changes, " and ") + "\n");
}

/// Ends and mass of a beam after assembly.
std::string beam_text(const BeamSpec& spec, const Assembled& assembled) {
  const Beam& beam = *std::ranges::find(assembled.beams, spec.name, &Beam::name);
  const int first = beam.elements.front()->nodes().front(), last = beam.elements.back()->nodes().back();
  const BeamAxis axis(spec);
  double mass = 0.0;
  for (int n = first; n <= last; ++n) mass += assembled.model.nodes[n].mass(0, 0);
  const double scale = assembled.model.length_scale;
  const Vec3 start = assembled.state.pose[first].x, end = assembled.state.pose[last].x;
  const double move =
      std::max((start - axis.at(0, 0.0).x).norm(), (end - axis.at(axis.n_pieces() - 1, axis.length()).x).norm());
  return formatted("  %-16s beam, mass %.6g kg, section %s, %.6g m, %d elements of degree %d\n", spec.name.c_str(),
                   mass, sections_of(spec).c_str(), axis.length(), spec.elements * axis.n_pieces(), spec.degree) +
         under_the_name + "from " + vector_text(start, scale) + " to " + vector_text(end, scale) + " m" +
         (move > worth_telling * scale ? formatted("; assembly has moved an end by %.3g m\n", move) : "\n");
}

std::string lines_of_bodies(const ModelSpec& spec, const Assembled& assembled) {
  std::string text = "bodies\n";
  for (std::size_t n = 0; n < spec.bodies.size(); ++n) {
    const RigidBodySpec& body = spec.bodies[n];
    const auto& I = body.inertia;
    text += formatted(
                "  %-16s %smass %.6g kg%s%s\n", body.name.c_str(), body.is_point ? "point " : "", body.mass,
                body.is_point ? "" : formatted(", inertia (%.4g, %.4g, %.4g) kg m^2", I[0], I[1], I[2]).c_str(),
                body.fix.empty()
                    ? ""
                    : formatted(", %zu direction%s fixed", body.fix.size(), body.fix.size() == 1 ? "" : "s").c_str()) +
            pose_text(body, assembled.state.pose[n], assembled.model.length_scale);
  }
  for (const BeamSpec& beam : spec.beams) text += beam_text(beam, assembled);
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
  return formatted("  %-16s %-*s %s - %s", joint.name.c_str(), width, joint.type.c_str(),
                   joint.between[0].text().c_str(), joint.between[1].text().c_str());
}

std::string equations_text(const Model& model, const std::string& joint) {
  const auto found = std::ranges::find(model.joints, joint, &Joint::name);
  return found == model.joints.end() ? "" : formatted(", %zu equations", found->equations.size());
}

std::string lines_of_joints(const ModelSpec& spec, const Model& model) {
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
  for (const CouplingSpec& joint : spec.couplings)
    text += formatted("  %-16s %-*s %s - %s, 1 equation\n", joint.name.c_str(), width, joint.type.c_str(),
                      joint.of[0].text().c_str(), joint.of[1].text().c_str());
  return text;
}

std::string redundancy(const Assembled& assembled) {
  const AssemblyReport& report = assembled.report;
  std::string text =
      formatted("degrees of freedom %d, equations %d, redundant %zu: mobility %d\n", report.degrees_of_freedom,
                report.n_equations, report.redundant.size(), report.mobility());
  if (report.redundant.empty()) return text;
  text +=
      "redundant equations, dropped (the reactions that belong to them are not unique and are set to zero; axes are "
      "those of the joint, z along its axis)\n";
  for (const int e : report.redundant) text += "  " + assembled.model.equation_name(e) + "\n";
  return text;
}

std::string plan(const ModelSpec& spec) {
  const AnalysisSpec& analysis = spec.analysis;
  if (analysis.kind == AnalysisSpec::Kind::static_equilibrium) return "would run: static equilibrium\n";
  const std::string until = formatted("to t = %.6g s", analysis.end);
  if (analysis.kind == AnalysisSpec::Kind::kinematic) return "would run: kinematic analysis " + until + "\n";
  const std::string steps = analysis.step ? formatted("fixed step %.4g s", *analysis.step)
                                          : formatted("step controlled by error, tolerance %.2g", analysis.tolerance);
  return "would run: dynamic analysis " + until + ", " + steps + formatted(", alpha %.3g\n", analysis.alpha);
}

}  // namespace

std::string model_summary(const ModelSpec& spec, const Assembled& assembled) {
  std::string text = spec.title.empty() ? "" : spec.title + "\n";
  text += lines_of_bodies(spec, assembled) + lines_of_joints(spec, assembled.model);
  const std::size_t n_loads = spec.loads.size() + spec.line_loads.size() + spec.actuators.size();
  if (!spec.springs.empty() || n_loads > 0) text += formatted("springs %zu, loads %zu\n", spec.springs.size(), n_loads);
  text += redundancy(assembled);
  for (const std::string& change : changes_by_assembly(assembled)) text += change + "\n";
  for (const std::string& warning : warnings_of(spec, assembled)) text += warning + "\n";
  return text + plan(spec);
}

}  // namespace freeplay
