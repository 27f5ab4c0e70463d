#include "freeplay/app/json_output.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <nlohmann/json.hpp>

#include "freeplay/assembly/columns.h"
#include "freeplay/assembly/remarks.h"
#include "freeplay/deck/beam_axis.h"

namespace freeplay {

namespace {

using Json = nlohmann::ordered_json;

Json or_null(const std::string& text) { return text.empty() ? Json() : Json(text); }
Json or_null(int number) { return number == 0 ? Json() : Json(number); }
Json as_json(const Vec3& v) { return {v.x(), v.y(), v.z()}; }

std::string printed(const Json& json) { return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n"; }

Json as_json(const DiagnosticMessage& message) {
  return {{"file", or_null(message.where.file)},
          {"line", or_null(message.where.line)},
          {"column", or_null(message.where.column)},
          {"key", or_null(message.path)},
          {"message", message.message},
          {"severity", message.is_error ? "error" : "warning"}};
}

/// A message that belongs to no place in a file, without what the terminal shows around it.
Json message_alone(std::string text) {
  if (text.starts_with("error: ")) text.erase(0, 7);
  while (text.ends_with('\n')) text.pop_back();
  return {{"file", nullptr}, {"line", nullptr}, {"column", nullptr},
          {"key", nullptr},  {"message", text}, {"severity", "error"}};
}

/// Numbers and truth values as such, what carries a unit or is an expression as text.
Json scalar_as_json(const YamlNode& node) {
  if (node.quoted) return node.text;
  const Json value = Json::parse(node.text, nullptr, false);
  return value.is_number() || value.is_boolean() || value.is_null() ? value : Json(node.text);
}

Json as_json(const YamlNode& node) {
  switch (node.kind) {
    case YamlNode::Kind::null:
      return nullptr;
    case YamlNode::Kind::scalar:
      return scalar_as_json(node);
    case YamlNode::Kind::list: {
      Json list = Json::array();
      for (const YamlNode& item : node.items) list.push_back(as_json(item));
      return list;
    }
    case YamlNode::Kind::map:
      break;
  }
  Json map = Json::object();
  for (const YamlNode::Entry& entry : node.entries) map[entry.key] = as_json(entry.value);
  return map;
}

Json rigid_body(const RigidBodySpec& body, const Pose& pose) {
  if (body.is_point) return {{"type", "point"}, {"mass", body.mass}, {"position", as_json(pose.x)}};
  Json rotation = Json::array();
  for (int row = 0; row < 3; ++row) rotation.push_back(as_json(Vec3(pose.R.row(row).transpose())));
  return {{"type", "rigid"},
          {"mass", body.mass},
          {"inertia", body.inertia},
          {"position", as_json(pose.x)},
          {"rotation", rotation}};
}

Json beam_body(const BeamSpec& spec, const Assembled& assembled) {
  const Beam& beam = *std::ranges::find(assembled.beams, spec.name, &Beam::name);
  const int first = beam.elements.front()->nodes().front(), last = beam.elements.back()->nodes().back();
  double mass = 0.0;
  for (int n = first; n <= last; ++n) mass += assembled.model.nodes[n].mass(0, 0);
  return {{"type", "beam"},
          {"mass", mass},
          {"length", BeamAxis(spec).length()},
          {"elements", static_cast<int>(beam.elements.size())},
          {"degree", spec.degree},
          {"start", as_json(assembled.state.pose[first].x)},
          {"end", as_json(assembled.state.pose[last].x)}};
}

Json bodies(const ModelSpec& spec, const Assembled& assembled) {
  Json bodies = Json::object();
  for (std::size_t n = 0; n < spec.bodies.size(); ++n)
    bodies[spec.bodies[n].name] = rigid_body(spec.bodies[n], assembled.state.pose[n]);
  for (const BeamSpec& beam : spec.beams) bodies[beam.name] = beam_body(beam, assembled);
  return bodies;
}

template <class JointSpecification>
Json joint(const JointSpecification& spec, const Model& model) {
  const auto found = std::ranges::find(model.joints, spec.name, &Joint::name);
  const std::size_t n_equations = found == model.joints.end() ? 0 : found->equations.size();
  return {
      {"type", spec.type}, {"between", {spec.between[0].text(), spec.between[1].text()}}, {"equations", n_equations}};
}

Json joints(const ModelSpec& spec, const Model& model) {
  Json joints = Json::object();
  for (const JointSpec& each : spec.joints) {
    joints[each.name] = joint(each, model);
    joints[each.name]["driven"] = each.drive.angle || each.drive.displacement;
    joints[each.name]["friction"] = each.friction ? Json(each.friction->law) : Json();
  }
  for (const ClearanceSpec& each : spec.clearances) {
    joints[each.name] = joint(each, model);
    joints[each.name]["contact"] = each.contact;
    joints[each.name]["friction"] = or_null(each.friction);
  }
  for (const CouplingSpec& each : spec.couplings)
    joints[each.name] = {{"type", each.type}, {"joints", {each.of[0].text(), each.of[1].text()}}, {"equations", 1}};
  return joints;
}

template <class Item>
void add_names(const std::vector<Item>& items, Json& names) {
  for (const Item& item : items) names.push_back(item.name);
}

Json parameters(const ModelSpec& spec) {
  Json parameters = Json::object();
  for (const Parameter& each : spec.parameters)
    parameters[each.name] = {{"value", each.value.value},
                             {"unit", each.value.has_unit ? Json(base_unit_text(each.value.dimension)) : Json()}};
  return parameters;
}

Json size(const Assembled& assembled) {
  Json redundant = Json::array();
  for (const int e : assembled.report.redundant) redundant.push_back(assembled.model.equation_name(e));
  return {{"degrees_of_freedom", assembled.report.degrees_of_freedom},
          {"equations", assembled.report.n_equations},
          {"mobility", assembled.report.mobility()},
          {"redundant_equations", redundant}};
}

Json analysis(const AnalysisSpec& spec) {
  if (spec.kind == AnalysisSpec::Kind::static_equilibrium) return {{"kind", "static"}};
  const bool dynamic = spec.kind == AnalysisSpec::Kind::dynamic;
  return {{"kind", dynamic ? "dynamic" : "kinematic"}, {"end", spec.end}};
}

Json columns(const ModelSpec& spec, const Assembled& assembled) {
  const std::vector<HistoryColumn> all = history_columns(assembled, spec.analysis.kind);
  std::vector<std::size_t> chosen(all.size());
  for (std::size_t i = 0; i < all.size(); ++i) chosen[i] = i;
  Diagnostics checked_by_assembly;
  if (spec.output.columns) chosen = select_columns(all, *spec.output.columns, checked_by_assembly);
  Json columns = Json::object();
  for (const std::size_t i : chosen) columns[all[i].name] = all[i].unit == "1" ? "" : all[i].unit;
  return columns;
}

}  // namespace

std::string errors_as_json(const InputError& error) {
  Json errors = Json::array();
  for (const DiagnosticMessage& message : error.messages()) errors.push_back(as_json(message));
  if (errors.empty()) errors.push_back(message_alone(error.what()));
  return printed({{"ok", false}, {"errors", errors}});
}

std::string check_as_json(const ModelSpec& spec, const Assembled& assembled, const YamlNode& as_written) {
  Json springs = Json::array(), loads = Json::array();
  add_names(spec.springs, springs);
  add_names(spec.loads, loads);
  add_names(spec.line_loads, loads);
  add_names(spec.actuators, loads);
  return printed({{"ok", true},
                  {"model", spec.file},
                  {"title", spec.title},
                  {"parameters", parameters(spec)},
                  {"bodies", bodies(spec, assembled)},
                  {"joints", joints(spec, assembled.model)},
                  {"springs", springs},
                  {"loads", loads},
                  {"size", size(assembled)},
                  {"analysis", analysis(spec.analysis)},
                  {"changes", changes_by_assembly(assembled)},
                  {"warnings", warnings_of(spec, assembled)},
                  {"columns", columns(spec, assembled)},
                  {"as_written", as_json(as_written)}});
}

}  // namespace freeplay
