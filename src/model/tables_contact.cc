#include "freeplay/base/names.h"
#include "freeplay/base/units.h"
#include "tables.h"

namespace freeplay {

Format<std::string> law_reference(const std::string& what) {
  const auto read = [=](const YamlNode& node, const Location&, Reader& reader) -> std::optional<std::string> {
    if (node.kind == YamlNode::Kind::scalar) return node.text;
    const YamlNode::Entry* law = node.kind == YamlNode::Kind::map ? node.find("law") : nullptr;
    const bool is_ideal_form = law != nullptr && law->value.kind == YamlNode::Kind::scalar;
    reader.error(node.where,
                 "must be the name of a law in '" + what + "', not " + node.kind_text() +
                     (is_ideal_form ? "; in a joint with clearance write only '" + law->value.text + "'" : ""));
    return std::nullopt;
  };
  return {{.kind = Shape::Kind::text, .phrase = "name in `" + what + "`"}, read, [](const std::string& name) {
            return name.empty() ? YamlNode{} : YamlNode::scalar(name);
          }};
}

namespace {

void error_at(const std::string& key, const std::string& message, const Given& given, Reader& reader) {
  const Reader::Scope scope(reader, key);
  reader.error(given.place(key), message);
}

// Laws of normal contact

Table<ContactLawSpec> linear_contact_table() {
  Table<ContactLawSpec> table("Contact linear", "A linear spring: f = k d, with the penetration d.");
  table.required("stiffness", &ContactLawSpec::stiffness, number("N/m", above(0)), "Stiffness k.");
  table.optional("damping", &ContactLawSpec::damping, number("s/m", at_least(0)),
                 "Factor chi of the dissipative part: f = k d (1 + chi d'), never negative.");
  return table;
}

void check_stiffness(const ContactLawSpec&, const Given& given, Reader& reader) {
  for (const std::string key : {"young", "poisson"}) {
    if (given.has("stiffness") && given.has(key))
      error_at(key, "is never used, because 'stiffness' is given; remove one of them", given, reader);
  }
  if (!given.has("stiffness") && (!given.has("young") || !given.has("poisson"))) {
    reader.error(given.place(), "needs 'stiffness', or 'young' and 'poisson' of both bodies");
  }
}

/// The unit of K depends on the exponent, so that none can be written.
Format<double> number_without_unit() {
  const Format<double> plain = number("", above(0));
  const auto read = [=](const YamlNode& node, const Location& where, Reader& reader) -> std::optional<double> {
    if (node.kind != YamlNode::Kind::scalar) return plain.read(node, where, reader);
    const auto value = reader.quantity(node, node.where);
    if (!value) return std::nullopt;
    if (value->dimension == Dimension{}) return plain.read(node, where, reader);
    reader.error(node.where, quotation(node) + " is " + describe(value->dimension) +
                                 ", but K of f = K d^n is a number without unit: write its value in N/m^n");
    return std::nullopt;
  };
  return {plain.shape(), read, [=](const double& value) { return plain.write(value); }};
}

Table<ContactLawSpec> power_table(const std::string& title, const std::string& text, bool restitution) {
  using Law = ContactLawSpec;
  Table<Law> table("Contact " + title, text);
  table.optional("stiffness", &Law::stiffness, number_without_unit(),
                 "K of f = K d^n as a number without unit: its value in N/m^n. If absent: Hertz's, from the materials "
                 "and the radii of the joint.");
  table.optional("exponent", &Law::exponent, number("", at_least(1)), "n.");
  table.optional("young", &Law::young, array_of<2>(number("Pa", above(0))), "Young's moduli of the two bodies.");
  table.optional("poisson", &Law::poisson, array_of<2>(number("", between(0, 0.5))),
                 "Poisson's ratios of the two bodies.");
  if (restitution) {
    table.required("restitution", &Law::restitution, number("", between(0.01, 1)), "Coefficient of restitution e.");
  }
  table.check(check_stiffness);
  return table;
}

// Friction laws

using Friction = FrictionLawSpec;

void add_static_and_kinetic(Table<Friction>& table) {
  table.required("static", &Friction::static_coefficient, number("", at_least(0)), "Coefficient of static friction.");
  table.required("kinetic", &Friction::kinetic_coefficient, number("", above(0)), "Coefficient of kinetic friction.");
  table.check([](const Friction& law, const Given& given, Reader& reader) {
    if (given.has("static") && given.has("kinetic") && law.static_coefficient < law.kinetic_coefficient)
      error_at("static", "must not be smaller than 'kinetic'", given, reader);
  });
}

void add_coefficient(Table<Friction>& table) {
  table.required("coefficient", &Friction::kinetic_coefficient, number("", above(0)), "Coefficient of friction.");
}

void add_velocity(Table<Friction>& table, const std::string& text) {
  table.required("velocity", &Friction::velocity, number("m/s", above(0)), text);
}

void add_stribeck(Table<Friction>& table) {
  table.required("stribeck-velocity", &Friction::stribeck_velocity, number("m/s", above(0)),
                 "Velocity at which friction falls from its static to its kinetic value.");
}

Table<Friction> step_table() {
  Table<Friction> table(
      "Step of a bristle law",
      "A step for the bristles besides the one that follows from `tolerance`: smallest * mu_k/(sigma0 "
      "v_s) * max(1, v/(v_s velocity), v_s/(100 v))^growth. Applies if one of its keys is given.");
  table.optional("smallest", &Friction::step_smallest, number("", above(0)),
                 "In time constants of the bristles; if absent: 0.02.");
  table.optional("velocity", &Friction::step_velocity, number("", above(0)),
                 "In Stribeck velocities: the step grows beyond it; if absent: 5.");
  table.optional("growth", &Friction::step_growth, number("", at_least(0)), "Exponent of the growth; if absent: 1.2.");
  return table;
}

void add_bristles(Table<Friction>& table, const std::string& stiffness_unit, const std::string& damping_unit) {
  table.required("sigma0", &Friction::sigma0, number(stiffness_unit, above(0)), "Stiffness of the bristles.");
  table.optional("sigma1", &Friction::sigma1, number(damping_unit, at_least(0)), "Damping of the bristles.");
  table.optional("sigma2", &Friction::sigma2, number(damping_unit, at_least(0)), "Viscous friction.");
  add_stribeck(table);
  table.optional("exponent", &Friction::exponent, number("", above(0)), "Exponent of the Stribeck curve.");
  table.group("step", step_table(), "Control of the step size.");
}

Table<Friction> coulomb_table() {
  Table<Friction> table("Friction coulomb",
                        "Coulomb's law itself: true stick, any force up to static N at rest, kinetic N when slipping. "
                        "For ideal joints.");
  add_static_and_kinetic(table);
  return table;
}

Table<Friction> regularised_table() {
  Table<Friction> table("Friction regularised-coulomb", "mu tanh(v/v_0): smooth; creeps instead of sticking.");
  add_coefficient(table);
  add_velocity(table, "v_0.");
  return table;
}

Table<Friction> threshold_table() {
  Table<Friction> table(
      "Friction threshold-coulomb",
      "mu times a factor that rises from 0 at `lower` to 1 at `velocity`. No friction below `lower`.");
  add_coefficient(table);
  table.required("lower", &Friction::lower_velocity, number("m/s", at_least(0)), "No friction below this velocity.");
  add_velocity(table, "Full friction from this velocity on.");
  table.check([](const Friction& law, const Given& given, Reader& reader) {
    if (given.has("lower") && given.has("velocity") && law.lower_velocity >= law.velocity)
      error_at("lower", "must be smaller than 'velocity'", given, reader);
  });
  return table;
}

Table<Friction> piecewise_table() {
  Table<Friction> table("Friction piecewise-coulomb",
                        "Rises linearly to the static value at `velocity`, falls to the kinetic one at 1.5 of it.");
  add_static_and_kinetic(table);
  add_velocity(table, "Velocity of the largest friction.");
  return table;
}

Table<Friction> stribeck_table() {
  Table<Friction> table("Friction stribeck", "Stribeck curve, times tanh(v/v_0) to pass through zero.");
  add_static_and_kinetic(table);
  add_stribeck(table);
  table.optional("exponent", &Friction::exponent, number("", above(0)), "Exponent of the curve.");
  table.optional("sigma2", &Friction::sigma2, number("s/m", at_least(0)), "Viscous friction.");
  add_velocity(table, "v_0.");
  return table;
}

Table<Friction> brown_mcphee_table() {
  Table<Friction> table("Friction brown-mcphee", "The continuous Stribeck curve of Brown and McPhee.");
  add_static_and_kinetic(table);
  add_stribeck(table);
  return table;
}

Table<Friction> dahl_table() {
  Table<Friction> table("Friction dahl", "Bristles without Stribeck effect: friction coefficient sigma0 z.");
  add_coefficient(table);
  table.required("sigma0", &Friction::sigma0, number("1/m", above(0)), "Stiffness of the bristles.");
  add_velocity(table, "Slower slip counts as sticking; sets the scale of the step.");
  table.group("step", step_table(), "Control of the step size.");
  return table;
}

Table<Friction> lugre_table() {
  Table<Friction> table("Friction lugre",
                        "LuGre bristles on the friction coefficient: sigma0 z + sigma1 z' + sigma2 v.");
  add_static_and_kinetic(table);
  add_bristles(table, "1/m", "s/m");
  return table;
}

Table<Friction> lugre_force_table() {
  Table<Friction> table("Friction lugre-force",
                        "LuGre bristles on the friction force. They do not scale with the normal force.");
  add_static_and_kinetic(table);
  add_bristles(table, "N/m", "N*s/m");
  table.required("least-load", &Friction::least_load, number("N", above(0)),
                 "Floor of the normal force in the bristles' equation, part of the model where contacts open.");
  return table;
}

Table<Friction> lugre_load_scaled_table() {
  Table<Friction> table("Friction lugre-load-scaled",
                        "LuGre bristles given on the force at a reference load and scaled with the normal force.");
  add_static_and_kinetic(table);
  add_bristles(table, "N/m", "N*s/m");
  table.required("reference-load", &Friction::reference_load, number("N", above(0)), "The reference load.");
  return table;
}

// Joints with clearance

using Clearance = ClearanceSpec;

/// A radius, length or width; zero where the range allows it.
Format<double> size_of_a_part(const Range& range = above(0)) {
  const Format<double> plain = number("m", range);
  const auto read = [=](const YamlNode& node, const Location& where, Reader& reader) {
    const std::optional<double> size = plain.read(node, where, reader);
    if (size && *size != 0.0 && !is_size_of_a_part(*size))
      reader.error(node.where, "is " + rounded_text(*size) + " m; look at the units");
    return size;
  };
  return {plain.shape(), read, [=](const double& size) { return plain.write(size); }};
}

void add_laws(Table<Clearance>& table) {
  table.required("contact", &Clearance::contact, law_reference("contacts"), "Contact law.")
      .place(&Clearance::contact_where);
  table.optional("friction", &Clearance::friction, law_reference("frictions"), "Friction law; if absent: none.")
      .place(&Clearance::friction_where);
  table.optional("penetration", &Clearance::penetration, number("m", above(0)),
                 "Characteristic penetration: the step is such that the gap changes by about this near contact. If "
                 "absent, the step follows from `tolerance`, also in contact.");
  table.optional("nearness", &Clearance::nearness, number("", above(0)),
                 "With `penetration`: distance, in characteristic penetrations, from which on a contact is near.");
  table.optional("growth", &Clearance::growth, number("", at_least(0)),
                 "With `penetration`: how fast the step grows with the distance.");
}

void add_radii(Table<Clearance>& table) {
  table.required("bearing-radius", &Clearance::bearing_radius, size_of_a_part(), "Radius of the bearing.");
  table.required("journal-radius", &Clearance::journal_radius, size_of_a_part(), "Radius of the journal.");
  table.check([](const Clearance& joint, const Given& given, Reader& reader) {
    if (given.has("bearing-radius") && given.has("journal-radius") && joint.journal_radius >= joint.bearing_radius)
      error_at("journal-radius", "must be smaller than 'bearing-radius': there is no clearance", given, reader);
  });
}

Table<Clearance> round_table(const std::string& title, const std::string& text, bool axis) {
  Table<Clearance> table("Joint " + title, text);
  table.required("between", &Clearance::between, two_places(),
                 "Bearing and journal. A body alone is the origin of its axes; `ground` alone is where the other is at "
                 "the start.");
  table.optional("at", &Clearance::at, vector3("m"),
                 "Centre of the bearing in the initial positions, in the axes of ground.");
  if (axis) {
    table.optional(
        "axis", &Clearance::axis, direction(),
        "Its axis in the initial positions, in the axes of ground. May be absent if a point in `between` has an axis.");
  }
  add_radii(table);
  add_laws(table);
  return table;
}

Table<Clearance> journal_bearing_table() {
  Table<Clearance> table = round_table(
      "journal-bearing", "A journal in a bearing of finite length: a disk in a cylinder at each end.", true);
  table.required("length", &Clearance::length, size_of_a_part(), "Length of the bearing.");
  return table;
}

Table<Clearance> guide_table() {
  Table<Clearance> table(
      "Joint translational-clearance",
      "A block in a straight guide: its four corners, in the plane of `axis` and `across`, touch the "
      "two walls of the guide.");
  table.required("between", &Clearance::between, two_places(),
                 "Guide and block. A body alone is the origin of its axes; `ground` alone is where the block is at the "
                 "start.");
  table.optional("at", &Clearance::at, vector3("m"), "A point in the middle of the guide, in the axes of ground.");
  table.required("axis", &Clearance::axis, direction(), "Direction of the guide, in the axes of ground.");
  table.required("across", &Clearance::across, direction(), "Direction from wall to wall, normal to `axis`.");
  table.required("length", &Clearance::length, size_of_a_part(), "Length of the block.");
  table.required("width", &Clearance::width, size_of_a_part(), "Width of the block.");
  table.required("gap", &Clearance::gap, number("m", above(0)),
                 "Gap on each side of the block in the middle of the guide.");
  add_laws(table);
  table.check([](const Clearance& joint, const Given& given, Reader& reader) {
    if (given.has("axis") && given.has("across") &&
        std::abs(joint.axis->normalized().dot(joint.across->normalized())) > 1e-6)
      error_at("across", "must be normal to 'axis'", given, reader);
  });
  return table;
}

Table<Clearance> plane_table(const std::string& title, const std::string& text, bool disk) {
  Table<Clearance> table("Joint " + title, text);
  table.required("between", &Clearance::between, two_places(),
                 "The body that carries the plane, which goes through the origin of its axes or the point that is "
                 "named, and the body on it.");
  table.optional("at", &Clearance::at, vector3("m"),
                 "A point of the plane in the initial positions, in the axes of ground.");
  table.required("normal", &Clearance::axis, direction(), "Normal of the plane, towards the body on it.");
  if (disk) {
    table.required("disk-axis", &Clearance::across, direction(), "Axis of the disk, in the axes of ground.");
    table.required("radius", &Clearance::journal_radius, size_of_a_part(), "Radius of the disk.");
  } else {
    table.optional("radius", &Clearance::journal_radius, size_of_a_part(at_least(0)),
                   "Radius of the ball; 0: a point.");
  }
  add_laws(table);
  return table;
}

}  // namespace

std::vector<Alternative<ContactLawSpec>> contact_law_types() {
  const auto law = [](const std::string& name, const Table<ContactLawSpec>& table) {
    return alternative(name, table, &ContactLawSpec::type, name);
  };
  return {
      law("linear", linear_contact_table()),
      law("hertz", power_table("hertz", "f = K d^n, elastic.", false)),
      law("hunt-crossley",
          power_table("hunt-crossley", "f = K d^n (1 + 3 (1 - e)/2 d'/v), v the speed of impact.", true)),
      law("lankarani-nikravesh",
          power_table("lankarani-nikravesh", "f = K d^n (1 + 3 (1 - e^2)/4 d'/v), v the speed of impact.", true)),
      law("flores",
          power_table("flores",
                      "f = K d^n (1 + 8 (1 - e)/(5 e) d'/v), v the speed of impact: closest to e of these laws.",
                      true)),
  };
}

std::vector<Alternative<FrictionLawSpec>> friction_law_types() {
  const auto law = [](const std::string& name, const Table<FrictionLawSpec>& table) {
    return alternative(name, table, &FrictionLawSpec::type, name);
  };
  return {law("coulomb", coulomb_table()),
          law("regularised-coulomb", regularised_table()),
          law("threshold-coulomb", threshold_table()),
          law("piecewise-coulomb", piecewise_table()),
          law("stribeck", stribeck_table()),
          law("brown-mcphee", brown_mcphee_table()),
          law("dahl", dahl_table()),
          law("lugre", lugre_table()),
          law("lugre-force", lugre_force_table()),
          law("lugre-load-scaled", lugre_load_scaled_table())};
}

std::vector<Alternative<ClearanceSpec>> clearance_types() {
  const auto joint = [](const std::string& name, const Table<ClearanceSpec>& table) {
    return alternative(name, table, &ClearanceSpec::type, name);
  };
  return {
      joint("planar-clearance",
            round_table("planar-clearance",
                        "A hinge with clearance whose journal stays in the plane of the bearing and parallel to it.",
                        true)),
      joint("spherical-clearance", round_table("spherical-clearance", "A ball in a socket.", false)),
      joint("spatial-clearance",
            round_table("spatial-clearance", "A thin disk in a cylinder, free to tilt and slide.", true)),
      joint("journal-bearing", journal_bearing_table()),
      joint("translational-clearance", guide_table()),
      joint("ball-on-plane", plane_table("ball-on-plane", "A ball, or a point, that can touch a plane.", false)),
      joint("disk-on-plane", plane_table("disk-on-plane", "A thin disk whose rim can touch a plane.", true)),
  };
}

}  // namespace freeplay
