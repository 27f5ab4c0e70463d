#include "freeplay/assembly/history_names.h"

#include <algorithm>

#include "freeplay/assembly/reported_joints.h"
#include "freeplay/base/names.h"

namespace freeplay {

namespace {

using Columns = std::vector<HistoryColumn>;

void add_vector(const std::string& name, const std::string& unit, Columns& columns) {
  for (const char* axis : {".x", ".y", ".z"}) columns.push_back({name + axis, unit});
}

void add_point(const OutputPoint& point, Columns& columns) {
  add_vector(point.name + ".position", "m", columns);
  add_vector(point.name + ".velocity", "m/s", columns);
  add_vector(point.name + ".acceleration", "m/s^2", columns);
  add_vector(point.name + ".angular_velocity", "rad/s", columns);
  if (!point.has_axes) return;
  for (const char* axis : {".axis1", ".axis2", ".axis3"}) add_vector(point.name + axis, "", columns);
}

void add_section(const std::string& name, Columns& columns) {
  add_vector(name + ".section_force", "N", columns);
  add_vector(name + ".section_moment", "N*m", columns);
  add_vector(name + ".strain", "", columns);
  add_vector(name + ".curvature", "1/m", columns);
}

void add_beam_place(const BeamPlace& place, Columns& columns) {
  if (!place.has_two_results()) return add_section(place.name, columns);
  for (const char* side : {".before", ".after"}) add_section(place.name + side, columns);
}

void add_load(const std::string& joint, Columns& columns) {
  add_vector(joint + ".force", "N", columns);
  add_vector(joint + ".moment", "N*m", columns);
}

void add_position(const Joint& joint, Columns& columns) {
  if (has_angle(joint)) columns.push_back({joint.name + ".angle", "rad"});
  if (has_displacement(joint)) columns.push_back({joint.name + ".displacement", "m"});
  if (has_length(joint)) columns.push_back({joint.name + ".length", "m"});
  for (const Equation& equation : joint.equations)
    if (equation.is_driven())
      columns.push_back(
          {joint.name + (equation.is_length() ? ".drive_force" : ".drive_moment"), equation.is_length() ? "N" : "N*m"});
}

void add_friction(const std::string& joint, Columns& columns) {
  columns.push_back({joint + ".normal_force", "N"});
  columns.push_back({joint + ".friction_force", "N"});
  columns.push_back({joint + ".friction_ratio", "1"});
  columns.push_back({joint + ".slip_velocity", "m/s"});
  columns.push_back({joint + ".bristle", "m"});
  columns.push_back({joint + ".state", "1"});
}

void add_energies(AnalysisSpec::Kind analysis, Columns& columns) {
  for (const char* name :
       {"energy.kinetic", "energy.elastic", "energy.gravity", "energy.contact", "energy.friction_state"})
    columns.push_back({name, "J"});
  if (!has_ledger(analysis)) return;
  for (const char* name : {"work.loads", "work.drives", "loss.friction", "loss.contact", "loss.damping",
                           "loss.numerical", "loss.projection", "ledger.residual"})
    columns.push_back({name, "J"});
}

/// What to tell about a pattern that nothing fits: a name that differs by a typing error, if there is one.
std::string remedy(const ColumnPattern& pattern, std::span<const HistoryColumn> columns) {
  std::vector<std::string> names;
  for (const HistoryColumn& column : columns) names.push_back(column.name);
  const std::string suggestion = did_you_mean(pattern.text, names);
  if (!suggestion.empty()) return suggestion;
  return ": write NAME.QUANTITY.AXIS such as 'crank.position.x', with * for any characters; without 'columns' all are "
         "written and can be seen in history.csv";
}

}  // namespace

bool has_angle(const Joint& joint) { return joint.angle >= 0; }

bool has_displacement(const Joint& joint) {
  return joint.type == "cylindrical" || joint.type == "prismatic" || joint.type == "point-on-line";
}

bool has_length(const Joint& joint) { return joint.type == "distance"; }

bool has_ledger(AnalysisSpec::Kind analysis) { return analysis == AnalysisSpec::Kind::dynamic; }

Columns history_columns(const Model& model, std::span<const Beam> beams, AnalysisSpec::Kind analysis) {
  const bool is_static = analysis == AnalysisSpec::Kind::static_equilibrium;
  Columns columns{is_static ? HistoryColumn{"load_factor", "1"} : HistoryColumn{"time", "s"}};
  for (const OutputPoint& point : model.points) add_point(point, columns);
  for (const Beam& beam : beams)
    for (const BeamPlace& place : beam.places) add_beam_place(place, columns);
  for (const ReportedJoint& joint : reported_joints(model)) {
    add_load(joint.name, columns);
    if (joint.joint >= 0) add_position(model.joints[joint.joint], columns);
  }
  for (const JointFriction& friction : model.frictions) add_friction(model.joints[friction.joint].name, columns);
  for (const auto& element : model.elements)
    for (const ForceElement::Quantity& quantity : element->quantities())
      columns.push_back({element->name() + "." + quantity.name, quantity.unit});
  add_energies(analysis, columns);
  return columns;
}

bool fits(std::string_view name, std::string_view pattern) {
  const std::size_t star = pattern.find('*');
  if (star == std::string_view::npos) return name == pattern;
  if (!name.starts_with(pattern.substr(0, star))) return false;
  // The shortest text that a star can stand for is enough to try, except for what follows the last star.
  name.remove_prefix(star);
  pattern.remove_prefix(star + 1);
  while (true) {
    const std::size_t next = pattern.find('*');
    const std::string_view piece = pattern.substr(0, next);
    if (next == std::string_view::npos) return name.ends_with(piece);
    const std::size_t found = name.find(piece);
    if (found == std::string_view::npos) return false;
    name.remove_prefix(found + piece.size());
    pattern.remove_prefix(next + 1);
  }
}

std::vector<std::size_t> select_columns(std::span<const HistoryColumn> columns, std::span<const ColumnPattern> patterns,
                                        Diagnostics& diagnostics) {
  std::vector<bool> chosen(columns.size(), false);
  chosen[0] = true;
  for (std::size_t p = 0; p < patterns.size(); ++p) {
    bool any = false;
    for (std::size_t k = 0; k < columns.size(); ++k) {
      if (!fits(columns[k].name, patterns[p].text)) continue;
      any = chosen[k] = true;
    }
    if (!any)
      diagnostics.error(patterns[p].where, "output.columns." + std::to_string(p),
                        "'" + patterns[p].text + "' fits no column" + remedy(patterns[p], columns));
  }
  std::vector<std::size_t> numbers;
  for (std::size_t k = 0; k < columns.size(); ++k)
    if (chosen[k]) numbers.push_back(k);
  return numbers;
}

}  // namespace freeplay
