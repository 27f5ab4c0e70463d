#include "connection_check.h"

#include <algorithm>

#include "freeplay/base/names.h"
#include "freeplay/deck/joint_type.h"
#include "tables.h"

namespace freeplay {

void ConnectionCheck::check_joint(const JointSpec& joint) {
  const Connection connection{"joints." + joint.name + "." + joint.type, joint.where, joint.between};
  if (joint.friction)
    check_law(connection.path + ".friction.law", "frictions", "friction law", joint.friction->law,
              joint.friction->law_where);
  if (!check_between(connection)) return;
  const JointTypeKeys& type = joint_type_keys(joint.type);
  const bool has_place = !type.is_apart() && type.place;
  const Reader::Scope scope(reader_, connection.path);
  refuse_points(connection, "a joint of type " + type.name, type.uses_axes,
                "spherical, distance, or, with the point as the second place, point-on-plane, point-on-line and "
                "point-on-curve");
  if (joint.friction && type.friction_radius)
    refuse_points(connection, "friction of type " + type.name, {true, true}, "a joint without friction");
  if (has_place && !joint.at) require_place(connection);
  if (has_place) require_positions(connection, joint.at.has_value());
  if (type.axis && !joint.axis) require_axis(connection);
}

void ConnectionCheck::check_clearance(const ClearanceSpec& joint) {
  const Connection connection{"joints." + joint.name + "." + joint.type, joint.where, joint.between};
  check_law(connection.path + ".contact", "contacts", "contact law", joint.contact, joint.contact_where);
  if (!joint.friction.empty()) {
    check_law(connection.path + ".friction", "frictions", "friction law", joint.friction, joint.friction_where);
    refuse_set_valued(connection.path, joint);
  }
  if (!check_between(connection)) return;
  const Reader::Scope scope(reader_, connection.path);
  const ClearanceTypeKeys& type = clearance_type_keys(joint.type);
  refuse_points(connection, "a joint of type " + type.name, {type.axis, !type.ball},
                "ball-on-ball, or, with the point as the second place, spherical-clearance and ball-on-plane");
  if (!joint.friction.empty() && joint.between[0].body != "ground")
    refuse_points(connection, "friction against another body than ground", {true, true}, "a contact without friction");
  if (joint.at)
    require_position_of_attached(connection, 0);
  else if (!type.is_apart)
    require_positions(connection, false);
  if (type.axis && !joint.axis) require_axis(connection);
  if (joint.journal_radius == 0.0) require_stiffness(joint);
}

void ConnectionCheck::refuse_set_valued(const std::string& path, const ClearanceSpec& joint) {
  for (const FrictionLawSpec& law : model_.frictions) {
    if (law.name != joint.friction || !law.set_valued_kinetic_coefficient) continue;
    const Reader::Scope scope(reader_, path + ".friction");
    reader_.error(joint.friction_where, "law '" + law.name +
                                            "' is for ideal joints only (it sticks by a constraint); use 'lugre', "
                                            "'regularised-coulomb' or another law in a joint with clearance");
  }
}

void ConnectionCheck::require_stiffness(const ClearanceSpec& joint) {
  for (const ContactLawSpec& law : model_.contacts) {
    if (law.name != joint.contact || !law.needs_radius || reader_.failed("contacts." + law.name)) continue;
    const Reader::Scope scope(reader_, "contact");
    reader_.error(joint.contact_where, "law '" + law.name +
                                           "' takes its stiffness from the radii, but a point has none: give the law "
                                           "a 'stiffness'");
  }
}

void ConnectionCheck::check_law(const std::string& path, const char* section, const char* what, const std::string& name,
                                const Location& where) {
  if (name.empty() || reader_.failed(path)) return;
  const std::vector<std::string> names = names_in(root_, section);
  if (std::find(names.begin(), names.end(), name) != names.end()) return;
  const Reader::Scope scope(reader_, path);
  reader_.error(where, std::string("there is no ") + what + " '" + name + "'" + did_you_mean(name, names) +
                           listed(section, names));
}

void ConnectionCheck::check_spring(const SpringSpec& spring) {
  const char* const type = spring.kind == SpringSpec::Kind::translational ? "translational"
                           : spring.kind == SpringSpec::Kind::torsional   ? "torsional"
                           : spring.kind == SpringSpec::Kind::bushing     ? "bushing"
                                                                          : "bearing-coefficients";
  const Connection connection{"springs." + spring.name + "." + type, spring.where, spring.between};
  if (!check_between(connection)) return;
  const Reader::Scope scope(reader_, connection.path);
  if (spring.kind == SpringSpec::Kind::bushing || spring.kind == SpringSpec::Kind::bearing_coefficients) {
    if (!spring.at) require_place(connection);
    require_positions(connection, spring.at.has_value());
  }
  const bool turns = spring.kind == SpringSpec::Kind::torsional || spring.kind == SpringSpec::Kind::bushing;
  refuse_points(connection, std::string("a spring of type ") + type,
                {turns || spring.kind == SpringSpec::Kind::bearing_coefficients, turns},
                "translational springs, or bearing-coefficients with the point as the second place");
  const bool needs_axis =
      spring.kind == SpringSpec::Kind::torsional || spring.kind == SpringSpec::Kind::bearing_coefficients;
  if (needs_axis && !spring.axis) require_axis(connection);
}

bool ConnectionCheck::check_between(const Connection& connection) {
  if (reader_.failed(connection.path + ".between") || connection.between[0].body.empty()) return false;
  for (std::size_t i = 0; i < 2; ++i) {
    const Reader::Scope scope(reader_, connection.path + ".between." + std::to_string(i));
    places_.check(connection.between[i]);
  }
  if (connection.between[0].body == connection.between[1].body) check_not_with_itself(connection);
  return !reader_.failed(connection.path);
}

void ConnectionCheck::check_not_with_itself(const Connection& connection) {
  const auto& [first, second] = connection.between;
  const bool is_beam = places_.is_beam(first.body);
  const bool differ = place_along_beam(first) != place_along_beam(second);
  if (is_beam && (differ || reader_.failed(connection.path))) return;
  const Reader::Scope scope(reader_, connection.path + ".between");
  reader_.error(second.where, is_beam ? "connects '" + second.text() + "' with itself; name two different places"
                                      : "connects '" + first.body + "' with itself; name two different bodies");
}

bool ConnectionCheck::is_point(const FrameRef& place) const {
  const auto body = std::ranges::find(model_.bodies, place.body, &RigidBodySpec::name);
  return body != model_.bodies.end() && body->is_point;
}

void ConnectionCheck::refuse_points(const Connection& connection, const std::string& thing,
                                    std::array<bool, 2> uses_axes, const std::string& instead) {
  for (std::size_t side = 0; side < 2; ++side) {
    const FrameRef& place = connection.between[side];
    if (!uses_axes[side] || !is_point(place)) continue;
    const Reader::Scope scope(reader_, "between." + std::to_string(side));
    reader_.error(place.where, "'" + place.body + "' is a point mass: it has no axes and does not turn, which " +
                                   thing + " needs. Possible: " + instead + "; or make it a rigid body");
  }
}

void ConnectionCheck::require_place(const Connection& connection) {
  // Ground alone is where the other is, which require_positions looks after.
  const bool is_known =
      std::any_of(connection.between.begin(), connection.between.end(), [this](const FrameRef& reference) {
        return !reference.point.empty() || reference.s || reference.body == "ground" || is_point(reference);
      });
  if (is_known) return;
  reader_.error(connection.where,
                "it is not known where this is: add 'at: [x, y, z]', or name a point in 'between', such as " +
                    connection.between[1].body + ".tip");
}

bool ConnectionCheck::has_position(const std::string& name) const {
  const auto body = std::ranges::find(model_.bodies, name, &RigidBodySpec::name);
  if (body == model_.bodies.end() || body->at) return true;  // also ground and beams
  if (reader_.failed("bodies." + name)) return true;         // its position may be what could not be read
  return std::ranges::all_of(std::array{Dof::x, Dof::y, Dof::z},
                             [&](Dof dof) { return std::ranges::count(body->fix, dof) > 0; });
}

void ConnectionCheck::require_positions(const Connection& connection, bool has_at) {
  for (std::size_t side = 0; side < 2; ++side) {
    const FrameRef& place = connection.between[side];
    const FrameRef& other = connection.between[1 - side];
    if (!place.point.empty() || place.s || is_point(place)) continue;
    if (has_at)
      require_position_of_attached(connection, side);
    else if (place.body == "ground" && !has_position(other.body))
      reader_.error(connection.where, "it is not known where on ground this is, since '" + other.body +
                                          "' has no position: add 'at: [x, y, z]' here or in bodies." + other.body +
                                          ", or name a point of ground");
  }
}

void ConnectionCheck::require_position_of_attached(const Connection& connection, std::size_t side) {
  const FrameRef& place = connection.between[side];
  if (has_position(place.body)) return;
  const Reader::Scope scope(reader_, "between." + std::to_string(side));
  reader_.error(place.where, "it is not known where on '" + place.body + "' the place 'at' is, since '" + place.body +
                                 "' has no position: add 'at: [x, y, z]' (and 'rotation') in bodies." + place.body +
                                 ", or name a point of it, such as " + place.body + ".tip");
}

void ConnectionCheck::require_axis(const Connection& connection) {
  if (places_.may_have_axis(connection.between)) return;
  reader_.error(connection.where, "needs an axis: add 'axis: [x, y, z]', or give one to a point that 'between' names");
}

}  // namespace freeplay
