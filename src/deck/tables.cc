#include "tables.h"

#include "freeplay/deck/law_types.h"

namespace freeplay {

namespace {

const char* const introduction =
    "A model file is YAML (or JSON). Lengths, masses and all other numbers are in SI units unless they carry a unit:\n"
    "`0.5 mm`, `2500 rpm`, `207 GPa`, `28.2 kN*m^2`, `30 deg`. A unit of the wrong dimension is an error. `rpm` and "
    "`rev/min`\n"
    "are angular velocities (1 rpm = 2 pi/60 rad/s); 1 Hz is 1/s and not 2 pi rad/s.\n\n"
    "**Units** are `m g s rad Hz N Pa J W`, with the prefixes `p n u m c d h k M G T` if wanted, and `kg t min h deg "
    "rev "
    "rpm in ft lb lbf`.\n"
    "They are combined with `*`, `/` and `^`.\n\n"
    "**Expressions.** Every number may be an expression with `+ - * / ^`, comparisons, `if(condition, a, b)` or "
    "`condition ? a : b`,\n"
    "`sin cos tan asin acos atan atan2 sinh cosh tanh exp log sqrt abs min max pow sign`, `step(x)` (0 for x < 0, else "
    "1),\n"
    "`ramp(x, a, b)` (rises smoothly from 0 at a to 1 at b), `pi`, `e`, and parameters as `${name}`. A unit stands "
    "directly after a\n"
    "number and includes the units that follow after `*` and `/`: `x / 2 m/s` is x / (2 m/s). As soon as one number "
    "has a unit,\n"
    "all need theirs, and only 0 fits everywhere.\n\n"
    "**Time functions** may also contain the time `t`, which has the unit s in an expression with units and is the "
    "plain number of\n"
    "seconds in one without: `10 N * sin(3 rad/s * t)` and `10*sin(3*t)` are the same force. Instead of an expression "
    "they may be a\n"
    "table, linear between its points and constant outside: `{table: [[0 s, 0 N], [1 s, 5 N]]}`.\n\n"
    "**Names** begin with a letter or `_` and contain letters, digits, `_` and `-`. Two are reserved: `ground`, the "
    "inertial frame, and `t`, the\n"
    "time. A place is a body (`crank`: the origin of its axes) or a named point of a body (`crank.tip`, "
    "`ground.support`). On a beam it is one "
    "of its ends\n"
    "(`shaft.start`, `shaft.end`) or a place along it (`shaft@0.5`: from 0 at the start to 1 at the end, also "
    "`shaft@1/3` or `shaft@${s}`).";

Table<ModelSpec> ground_table() {
  Table<ModelSpec> table("Ground", "The inertial frame.");
  table.optional("points", &ModelSpec::ground_points, points(), "Named points that do not move.");
  return table;
}

template <class Spec>
Things<ModelSpec> things(std::vector<Spec> ModelSpec::*member, const std::vector<Alternative<Spec>>& types) {
  Things<ModelSpec> result;
  for (const auto& type : types) result.type(member, type);
  return result;
}

}  // namespace

Table<ModelSpec> model_table() {
  Table<ModelSpec> table("Model file", introduction);
  table.required("freeplay", &ModelSpec::format_version, choice<int>({{"1", 1}}), "Version of the file format.");
  table.optional("title", &ModelSpec::title, text(), "Title for reports.");
  table.optional(
      "parameters", &ModelSpec::parameters, parameters(),
      "Named numbers for use as `${name}`; each may use those before it. One that is never used is an error.");
  table.optional("gravity", &ModelSpec::gravity, vector3("m/s^2"), "Acceleration of gravity.");
  table.group("ground", ground_table(), "Points of the inertial frame.");
  table.optional("sections", &ModelSpec::sections, sections(),
                 "Cross sections of beams. One that no beam has is an error.");
  Things<ModelSpec>()
      .type(&ModelSpec::bodies, alternative("rigid", rigid_body_table(), &RigidBodySpec::is_point, false))
      .type(&ModelSpec::bodies, alternative("point", point_mass_table(), &RigidBodySpec::is_point, true))
      .type(&ModelSpec::beams, alternative("beam", beam_table()))
      .add_to(table, "bodies", "The bodies.", true);
  things(&ModelSpec::contacts, contact_law_types().list())
      .add_to(table, "contacts",
              "Laws of normal contact, for joints with clearance. One that is not used is an error.");
  things(&ModelSpec::frictions, friction_law_types().list())
      .add_to(table, "frictions", "Friction laws. One that is not used is an error.");
  Things<ModelSpec> joints = things(&ModelSpec::joints, joint_types());
  for (const auto& type : clearance_types()) joints.type(&ModelSpec::clearances, type);
  for (const auto& type : coupling_types().list()) joints.type(&ModelSpec::couplings, type);
  joints.add_to(table, "joints",
                "Joints between two places: ideal ones, and joints with clearance; and couplings of two joints.");
  things(&ModelSpec::springs, spring_types()).add_to(table, "springs", "Springs and dampers between two places.");
  things(&ModelSpec::loads, load_types())
      .type(&ModelSpec::line_loads, line_load())
      .type(&ModelSpec::actuators, actuator())
      .add_to(table, "loads", "Applied forces and torques.");
  table.required("analysis", &ModelSpec::analysis, analysis(), "What to compute.");
  table.optional("output", &ModelSpec::output, nested(output_table()), "What to write.");
  return table;
}

}  // namespace freeplay
