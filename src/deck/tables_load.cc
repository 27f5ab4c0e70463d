#include "freeplay/deck/coordinate_reference.h"
#include "tables.h"

namespace freeplay {

namespace {

Table<LoadSpec> load_table(const std::string& title, const std::string& description, const std::string& unit) {
  Table<LoadSpec> table(title, description);
  table.required("on", &LoadSpec::on, frame_reference(), "Where it acts.");
  table.required("value", &LoadSpec::value, array_of<3>(state_function(unit)),
                 "Components. They may depend on the motion.");
  table.optional("following", &LoadSpec::following, boolean(),
                 "The components are in the axes of the body and turn with it, instead of in the axes of ground.");
  return table;
}

Table<ActuatorSpec> actuator_table() {
  Table<ActuatorSpec> table(
      "Actuator",
      "A moment about the axis of a joint, or a force along it: a motor, a cylinder. It acts on the "
      "second body of the joint and opposite on the first; positive: the coordinate grows.");
  table.required("joint", &ActuatorSpec::joint, coordinate_reference(),
                 "The joint, or `name.angle`, `name.displacement` if it has both.");
  table.optional("moment", &ActuatorSpec::moment, state_function("N*m"),
                 "If the coordinate is an angle. It may depend on the motion.");
  table.optional("force", &ActuatorSpec::force, state_function("N"),
                 "If the coordinate is a displacement. It may depend on the motion.");
  table.optional(
      "lag", &ActuatorSpec::lag, number("s", at_least(0)),
      "Time constant T with which the actuator follows that value: T F' + F = value. It begins with the value "
      "at the start; statics have no lag.");
  table.check([](const ActuatorSpec&, const Given& given, Reader& reader) {
    if (given.has("moment") == given.has("force")) reader.error(given.place(), "needs either 'moment' or 'force'");
  });
  return table;
}

Table<LineLoadSpec> line_load_table() {
  using Load = LineLoadSpec;
  Table<Load> table("Line load", "A force and a moment per length along a whole beam, the same everywhere on it.");
  table.required("on", &Load::on, frame_reference(), "The beam.");
  table.optional("force", &Load::force, array_of<3>(time_function("N/m")), "Components of the force per length.");
  table.optional("moment", &Load::moment, array_of<3>(time_function("N*m/m")), "Components of the moment per length.");
  table.optional("following", &Load::following, boolean(),
                 "The components are in the axes of the section and turn with it, instead of in the axes of ground.");
  table.check([](const Load&, const Given& given, Reader& reader) {
    if (!given.has("force") && !given.has("moment")) reader.error(given.place(), "needs 'force' or 'moment'");
  });
  return table;
}

}  // namespace

std::vector<Alternative<LoadSpec>> load_types() {
  return {alternative("force", load_table("Force", "A force at a place.", "N"), &LoadSpec::kind, LoadSpec::Kind::force),
          alternative("torque", load_table("Torque", "A torque on a body.", "N*m"), &LoadSpec::kind,
                      LoadSpec::Kind::torque)};
}

Alternative<ActuatorSpec> actuator() { return alternative("actuator", actuator_table()); }

Alternative<LineLoadSpec> line_load() { return alternative("line-load", line_load_table()); }

}  // namespace freeplay
