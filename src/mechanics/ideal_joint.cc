#include "freeplay/mechanics/ideal_joint.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>

#include "freeplay/base/units.h"

namespace freeplay {

using Kind = QuadraticTerm::Kind;

namespace {

const char* const axis_names[] = {"x", "y", "z"};

/// The two points agree, measured along the axes that A has at the start of the step.
std::vector<Equation> point() {
  std::vector<Equation> equations;
  for (int i = 0; i < 3; ++i)
    equations.emplace_back(QuadraticTerm{Kind::coordinate, i, 0, 1.0}, std::string("position along ") + axis_names[i],
                           true);
  return equations;
}

/// B's point has no offset along axis i of A.
Equation offset(int i) {
  return {QuadraticTerm{Kind::offset, i, 0, 1.0}, std::string("position along ") + axis_names[i], true};
}

/// Axis i of A stays at a right angle to axis j of B; this hinders a relative rotation about the remaining axis.
Equation dot(int i, int j) {
  return {QuadraticTerm{Kind::dot, i, j, 1.0}, std::string("rotation about ") + axis_names[3 - i - j], false};
}

/// The third axes stay parallel.
std::vector<Equation> parallel_axes() { return {dot(0, 2), dot(1, 2)}; }

std::vector<Equation> all_angles() { return {dot(0, 2), dot(1, 2), dot(0, 1)}; }

std::vector<Equation> join(std::initializer_list<std::vector<Equation>> parts) {
  std::vector<Equation> all;
  for (const auto& part : parts) all.insert(all.end(), part.begin(), part.end());
  return all;
}

// Friction: slip along and about the axes of A, and the multipliers that press the surfaces together.

QuadraticForm sliding(int axis) { return QuadraticTerm{Kind::offset, axis, 0, 1.0}; }

/// radius times the sine of the angle by which B has turned about an axis since the axes agreed.
QuadraticForm rotating(int axis, double radius) {
  const int i = (axis + 1) % 3;
  const int j = (axis + 2) % 3;
  return {QuadraticTerm{Kind::dot, j, i, 0.5 * radius}, QuadraticTerm{Kind::dot, i, j, -0.5 * radius}};
}

/// Point of a disk of that radius, below its centre, where it touches the plane: v_axis -+ radius w_other.
QuadraticForm rolling(int axis, double radius) {
  QuadraticForm rotation = rotating(1 - axis, axis == 0 ? -radius : radius);
  return {QuadraticTerm{Kind::offset, axis, 0, 1.0}, rotation.term(0), rotation.term(1)};
}

void add_moments(std::vector<int> equations, const std::optional<double>& arm, JointFriction& friction) {
  if (arm) friction.normal.push_back({std::move(equations), 1.0 / *arm});
}

void pin_friction(const JointSpec& joint, JointFriction& friction) {
  friction.slips = {rotating(2, joint.friction->radius)};
  friction.normal = {{{0, 1}, 1.0}};
  if (joint.friction->thrust_radius)
    friction.normal.push_back({{2}, *joint.friction->thrust_radius / joint.friction->radius});
  add_moments({3, 4}, joint.friction->bending_arm, friction);
}

void ball_friction(const JointSpec& joint, JointFriction& friction) {
  friction.slips = {rotating(0, joint.friction->radius), rotating(1, joint.friction->radius),
                    rotating(2, joint.friction->radius)};
  friction.normal = {{{0, 1, 2}, 1.0}};
}

void sleeve_friction(const JointSpec& joint, JointFriction& friction) {
  friction.slips = {rotating(2, joint.friction->radius), sliding(2)};
  friction.normal = {{{0, 1}, 1.0}};
  add_moments({2, 3}, joint.friction->bending_arm, friction);
}

void rail_friction(const JointSpec& joint, JointFriction& friction) {
  friction.slips = {sliding(2)};
  friction.normal = {{{0, 1}, 1.0}};
  add_moments({2, 3}, joint.friction->bending_arm, friction);
  add_moments({4}, joint.friction->torsion_arm, friction);
}

/// On the thread: N is normal to it, the slip along it. tan(climb) = lead / (2 pi radius).
void thread_friction(const JointSpec& joint, JointFriction& friction) {
  const double climb = std::atan2(joint.lead, 2.0 * std::numbers::pi * joint.friction->radius);
  QuadraticForm rotation = rotating(2, joint.friction->radius * std::cos(climb));
  friction.slips = {
      QuadraticForm(QuadraticTerm{Kind::offset, 2, 0, std::sin(climb)}, rotation.term(0), rotation.term(1))};
  friction.normal = {{{0, 1}, 1.0}, {{4}, 1.0 / std::cos(climb)}};
  add_moments({2, 3}, joint.friction->bending_arm, friction);
}

void bead_friction(const JointSpec&, JointFriction& friction) {
  friction.slips = {sliding(2)};
  friction.normal = {{{0, 1}, 1.0}};
}

void plane_friction(const JointSpec& joint, JointFriction& friction) {
  friction.slips = {sliding(0), sliding(1)};
  friction.normal = {{{0}, 1.0}};
  add_moments({1, 2}, joint.friction->bending_arm, friction);
}

void rolling_friction(const JointSpec& joint, JointFriction& friction) {
  friction.slips = {rolling(0, joint.friction->radius), rolling(1, joint.friction->radius)};
  friction.normal = {{{0}, 1.0}};
}

std::vector<IdealJointType> make_types() {
  std::vector<IdealJointType> types;
  types.push_back({{.name = "revolute",
                    .description = "A hinge: the two places coincide, only the rotation about `axis` is free.",
                    .axis = true,
                    .drives_angle = true,
                    .friction = true,
                    .friction_radius = true,
                    .bending_arm = true,
                    .thrust_radius = true},
                   join({point(), parallel_axes()}),
                   pin_friction});
  types.push_back({{.name = "spherical",
                    .description = "A ball joint: the two places coincide, all rotations are free.",
                    .friction = true,
                    .friction_radius = true},
                   point(),
                   ball_friction});
  types.push_back(
      {{.name = "universal",
        .description =
            "A cross (Cardan) joint: the two places coincide; `axis` is fixed in the first body, `second-axis` "
            "in the second, and the two stay at a right angle.",
        .axis = true,
        .second_axis = true},
       join({point(), {dot(2, 0)}})});
  types.push_back({{.name = "cylindrical",
                    .description = "The second body slides along `axis` and turns about it.",
                    .axis = true,
                    .drives_angle = true,
                    .drives_displacement = true,
                    .friction = true,
                    .friction_radius = true,
                    .bending_arm = true},
                   join({{offset(0), offset(1)}, parallel_axes()}),
                   sleeve_friction});
  types.push_back({{.name = "prismatic",
                    .description = "The second body slides along `axis` and does not turn.",
                    .axis = true,
                    .drives_displacement = true,
                    .friction = true,
                    .bending_arm = true,
                    .torsion_arm = true},
                   join({{offset(0), offset(1)}, all_angles()}),
                   rail_friction});
  types.push_back({{.name = "screw",
                    .description = "A nut on a spindle: the second body slides along `axis` by `lead` for each turn "
                                   "about it.",
                    .axis = true,
                    .lead = true,
                    .drives_angle = true,
                    .drives_displacement = true,
                    .friction = true,
                    .friction_radius = true,
                    .bending_arm = true},
                   join({{offset(0), offset(1)}, parallel_axes()}),
                   thread_friction});
  types.push_back({{.name = "planar",
                    .description = "The second body slides in the plane normal to `axis` and turns about `axis`.",
                    .axis = true,
                    .friction = true,
                    .bending_arm = true},
                   join({{offset(2)}, parallel_axes()}),
                   plane_friction});
  types.push_back(
      {{.name = "fixed", .description = "The two bodies are glued together."}, join({point(), all_angles()})});
  types.push_back(
      {{.name = "point-on-plane",
        .description = "The place on the second body stays in the plane through the first normal to `axis`.",
        .axis = true,
        .friction = true},
       {offset(2)},
       plane_friction});
  types.push_back({{.name = "rolling-disk",
                    .description = "A disk that stands upright on a plane and may roll, slip and turn on it: `axis` is "
                                   "the normal of the plane, `second-axis` the axis of the disk, and the second place "
                                   "its centre.",
                    .axis = true,
                    .second_axis = true,
                    .friction = true,
                    .friction_radius = true},
                   {offset(2), dot(2, 0)},
                   rolling_friction});
  types.push_back({{.name = "point-on-line",
                    .description = "The place on the second body stays on the line through the first along `axis`.",
                    .axis = true,
                    .drives_displacement = true,
                    .friction = true},
                   {offset(0), offset(1)},
                   bead_friction});
  types.push_back({{.name = "point-on-curve",
                    .description = "A cam and its follower, or a bead on a wire: the second place stays on a plane "
                                   "curve of the first body, or at the distance of a roller from it.",
                    .axis = true,
                    .curve = true},
                   {offset(2)}});
  types.push_back({{.name = "parallel-axes",
                    .description = "The second body may move, and turn about `axis` alone.",
                    .place = false,
                    .axis = true,
                    .drives_angle = true},
                   parallel_axes()});
  types.push_back({{.name = "orientation",
                    .description = "The second body may move but not turn relative to the first.",
                    .place = false},
                   all_angles()});
  types.push_back(
      {{.name = "distance",
        .description = "A massless rod with ball ends: the two places keep the distance `length` (if absent: "
                       "the distance in the given positions), or the one prescribed by a drive.",
        .length = true,
        .drives_displacement = true},
       {}});
  for (IdealJointType& type : types)
    for (int side = 0; side < 2; ++side)
      type.keys.uses_axes[side] =
          (type.keys.curve && side == 0) ||
          std::ranges::any_of(type.equations, [side](const Equation& equation) { return equation.uses_axes(side); });
  return types;
}

}  // namespace

std::span<const IdealJointType> ideal_joint_types() {
  static const std::vector<IdealJointType> types = make_types();
  return types;
}

namespace {

const bool types_are_known = [] {
  for (const IdealJointType& type : ideal_joint_types()) add_joint_type(type.keys);
  return true;
}();

const IdealJointType& type_of(const JointSpec& spec) {
  const auto types = ideal_joint_types();
  const auto type = std::find_if(types.begin(), types.end(), [&](const auto& t) { return t.keys.name == spec.type; });
  if (type == types.end()) throw std::logic_error("no ideal joint of type " + spec.type);
  return *type;
}

}  // namespace

namespace {

/// The curve in the plane of the first two axes of the joint.
RelativeCoordinate::Pointer distance_from_curve(const JointSpec& spec, const Frame& a) {
  constexpr double typing_error = 1e-6;
  std::vector<Vec2> points;
  for (const Vec3& point : spec.curve) {
    const Vec3 own = a.axes.transpose() * (point - a.offset);
    if (std::abs(own.z()) > typing_error * own.norm())
      throw std::invalid_argument(
          "point " + std::to_string(points.size()) +
          " of the curve is not in the plane through the first place normal to the axis: it is " +
          rounded_text(own.z()) + " m off it; look at `axis` and `between`");
    points.push_back(own.head<2>());
  }
  return RelativeCoordinate::distance_from(PlaneCurve(points, spec.closed));
}

}  // namespace

JointFriction make_joint_friction(const JointSpec& spec) {
  JointFriction friction;
  type_of(spec).friction(spec, friction);
  friction.preload = spec.friction->preload;
  return friction;
}

bool is_apart(const JointSpec& spec) { return type_of(spec).keys.is_apart(); }

bool rotates_about_axis(const JointSpec& spec) { return type_of(spec).keys.drives_angle; }

Joint make_ideal_joint(const JointSpec& spec, const Frame& a, const Frame& b) {
  const IdealJointType* type = &type_of(spec);
  Joint joint{spec.name, spec.type, spec.where, a, b, type->equations, 0};
  joint.slides = type->keys.drives_displacement && !type->keys.length;
  joint.has_length = type->keys.length;
  if (type->keys.length) {
    const bool driven = spec.drive.displacement.has_value();
    joint.equations.push_back(
        Equation::distance(driven ? *spec.drive.displacement : TimeFunction(*spec.length), driven));
    return joint;
  }
  if (type->keys.lead)
    joint.equations.push_back(Equation::relation({{1.0, RelativeCoordinate::displacement()},
                                                  {-spec.lead / (2.0 * std::numbers::pi), RelativeCoordinate::angle()}},
                                                 "thread", true));
  if (type->keys.curve) {
    joint.normal_equation = static_cast<int>(joint.equations.size());
    joint.equations.push_back(
        Equation::relation({{1.0, distance_from_curve(spec, a)}}, "distance from the curve", true, spec.roller_radius));
  }
  if (spec.drive.angle) joint.equations.push_back(Equation::driven_angle(*spec.drive.angle));
  if (spec.drive.displacement) joint.equations.push_back(Equation::driven_displacement(*spec.drive.displacement));
  return joint;
}

}  // namespace freeplay
