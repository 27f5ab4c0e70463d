#include <Eigen/Eigenvalues>
#include <algorithm>
#include <set>

#include "tables.h"

namespace freeplay {

namespace {

Format<PointSpec> point() {
  Table<PointSpec> table("Point", "A point with a direction.");
  table.required("at", &PointSpec::at, vector3("m"), "Position in the axes of the body.");
  table.optional("axis", &PointSpec::axis, direction(),
                 "Axis, in the axes of the body, of a joint at this point that gives none itself.");
  const Format<Vec3> position = vector3("m");
  const auto read = [=](const YamlNode& node, const Location& where, Reader& reader) -> std::optional<PointSpec> {
    PointSpec point;
    if (node.kind != YamlNode::Kind::list) {
      table.read(node, where, reader, point);
    } else if (const auto at = position.read(node, where, reader)) {
      point.at = *at;
    }
    return point;
  };
  const auto write = [=](const PointSpec& point) { return point.axis ? table.write(point) : position.write(point.at); };
  const std::string phrase = "list of 3: number [m], or {at: [x, y, z], axis: [x, y, z]}";
  return {{.kind = Shape::Kind::any_of, .phrase = phrase, .parts = {position.shape(), table.shape()}}, read, write};
}

/// One number, three or six.
Format<std::array<double, 6>> inertia() {
  const Format<double> one = number("kg*m^2", at_least(0));
  const Format<double> any = number("kg*m^2");
  const Format<std::vector<double>> list = list_of(any, 3, 6);
  const auto read = [=](const YamlNode& node, const Location& where,
                        Reader& reader) -> std::optional<std::array<double, 6>> {
    if (node.kind == YamlNode::Kind::scalar) {
      const auto value = one.read(node, where, reader);
      if (!value) return std::nullopt;
      return std::array<double, 6>{*value, *value, *value};
    }
    const auto values = list.read(node, where, reader);
    if (!values) return std::nullopt;
    if (values->size() != 3 && values->size() != 6) {
      reader.error(node.where, "must be 1, 3 or 6 numbers, not " + std::to_string(values->size()));
      return std::nullopt;
    }
    std::array<double, 6> result{};
    std::copy(values->begin(), values->end(), result.begin());
    return result;
  };
  const auto write = [=](const std::array<double, 6>& value) { return list.write({value.begin(), value.end()}); };
  const std::string phrase = "number, or list of 3 or 6 numbers [kg*m^2]";
  return {{.kind = Shape::Kind::any_of, .phrase = phrase, .parts = {one.shape(), list.shape()}}, read, write};
}

/// Masses are never negative, hence no principal moment is greater than the sum of the other two.
void check_inertia(const std::array<double, 6>& inertia, const Location& where, Reader& reader) {
  constexpr double round_off = 1e-9;
  const auto& [xx, yy, zz, xy, xz, yz] = inertia;
  Mat3 tensor;
  tensor << xx, xy, xz, xy, yy, yz, xz, yz, zz;
  const Vec3 moments = Eigen::SelfAdjointEigenSolver<Mat3>(tensor, Eigen::EigenvaluesOnly).eigenvalues();
  const double allowed = round_off * moments.cwiseAbs().maxCoeff();
  const auto text = rounded_text;
  const std::string all = "its principal moments are " + text(moments[0]) + ", " + text(moments[1]) + " and " +
                          text(moments[2]) + " kg*m^2, but ";
  if (moments[0] < -allowed) {
    reader.error(where, "is impossible: " + all + "none can be negative");
  } else if (moments[0] + moments[1] < moments[2] - allowed) {
    reader.error(where, "is impossible: " + all + text(moments[0]) + " + " + text(moments[1]) + " < " +
                            text(moments[2]) + ": no moment can exceed the sum of the other two");
  }
}

/// In body axes only some sets of fixed velocities integrate to a restriction of the position (Frobenius).
bool is_holonomic(const std::set<Dof>& fixed) {
  const auto has = [&](int i) { return fixed.contains(static_cast<Dof>(i)); };
  const int n_translations = has(0) + has(1) + has(2);
  const int n_rotations = has(3) + has(4) + has(5);
  if (n_rotations == 3) return true;
  if (n_rotations == 0) return n_translations == 0 || n_translations == 3;
  if (n_rotations == 1) return false;
  const int free_axis = has(3) ? (has(4) ? 2 : 1) : 0;
  if (n_translations == 1) return has(free_axis);
  if (n_translations == 2) return !has(free_axis);
  return true;
}

void check_fix(const std::vector<Dof>& fix, const std::string& what, const Location& where, Reader& reader) {
  const std::set<Dof> fixed(fix.begin(), fix.end());
  if (fixed.size() != fix.size()) {
    reader.error(where, "names a direction twice");
  } else if (!is_holonomic(fixed)) {
    const auto n_rotations = std::count_if(fixed.begin(), fixed.end(), [](Dof dof) { return dof >= Dof::rx; });
    const auto n_translations = static_cast<long>(fixed.size()) - n_rotations;
    const std::string joint =
        n_rotations == 1 ? "universal" : (n_translations == 1 ? "point-on-plane" : "point-on-line");
    reader.error(where,
                 "is not possible: directions in " + what + " axes turn with the " + what +
                     ", and fixing these does not restrict its position (not holonomic); use a joint with ground "
                     "instead, e.g. " +
                     joint);
  }
}

Format<ShapeSpec> drawn_shape() {
  Table<ShapeSpec> sphere("Sphere", "A sphere around the centre of mass.");
  sphere.required("radius", &ShapeSpec::radius, number("m", above(0)), "Radius.");
  Table<ShapeSpec> box("Box", "A box around the centre of mass, along the axes of the body.");
  box.required("size", &ShapeSpec::size, vector3("m", above(0)), "Lengths of its edges.");
  Table<ShapeSpec> cylinder("Cylinder", "A circular cylinder.");
  cylinder.required("from", &ShapeSpec::from, vector3("m"), "One end of its axis, in the axes of the body.");
  cylinder.required("to", &ShapeSpec::to, vector3("m"), "The other end.");
  cylinder.required("radius", &ShapeSpec::radius, number("m", above(0)), "Radius.");
  cylinder.check([](const ShapeSpec& shape, const Given& given, Reader& reader) {
    if (shape.from == shape.to && !reader.failed(reader.path()))
      reader.error(given.place("to"), "must not be the same point as 'from'");
  });
  return one_of<ShapeSpec>({alternative("sphere", sphere, &ShapeSpec::kind, ShapeSpec::Kind::sphere),
                            alternative("box", box, &ShapeSpec::kind, ShapeSpec::Kind::box),
                            alternative("cylinder", cylinder, &ShapeSpec::kind, ShapeSpec::Kind::cylinder)});
}

}  // namespace

Format<std::vector<PointSpec>> points() { return named(point()); }

Format<std::vector<Dof>> fixed_directions(const std::string& what) {
  const auto dof =
      choice<Dof>({{"x", Dof::x}, {"y", Dof::y}, {"z", Dof::z}, {"rx", Dof::rx}, {"ry", Dof::ry}, {"rz", Dof::rz}});
  return checked<std::vector<Dof>>(list_of(dof), [what](const std::vector<Dof>& fix, const Location& where,
                                                        Reader& reader) { check_fix(fix, what, where, reader); });
}

Table<RigidBodySpec> point_mass_table() {
  using Body = RigidBodySpec;
  Table<Body> table(
      "Point mass",
      "A mass at a point. It has no axes and does not turn, so that only its place can be held or "
      "pushed: by springs, contacts of balls, forces, and joints that look at places alone. A moment on it, as of "
      "friction at the skin of a ball on ground, has no effect, as if something kept it from turning.");
  table.required("mass", &Body::mass, number("kg", above(0)), "Mass.");
  table.optional("at", &Body::at, vector3("m"), "Initial position; if absent: zero, moved as the joints demand.");
  table.optional("velocity", &Body::velocity, vector3("m/s"), "Initial velocity.");
  table.optional("fix", &Body::fix, list_of(choice<Dof>({{"x", Dof::x}, {"y", Dof::y}, {"z", Dof::z}})),
                 "Directions of ground in which it does not move.");
  table.optional("shape", &Body::shape, drawn_shape(), "How it is drawn; never changes the mechanics.");
  table.optional("free", &Body::free, boolean(),
                 "It is intended that no joint, spring, load or `fix` acts on this body.");
  table.check([](const Body& body, const Given& given, Reader& reader) {
    if (std::set<Dof>(body.fix.begin(), body.fix.end()).size() != body.fix.size())
      error_at("fix", "names a direction twice", given, reader);
    for (const Dof dof : body.fix)
      if (body.velocity && (*body.velocity)[static_cast<int>(dof)] != 0.0)
        error_at("velocity", "is along a direction that 'fix' holds", given, reader);
  });
  return table;
}

Table<RigidBodySpec> rigid_body_table() {
  using Body = RigidBodySpec;
  Table<Body> table("Rigid body", "A body that does not deform.");
  table.required("mass", &Body::mass, number("kg", above(0)), "Mass.");
  table.optional(
      "inertia", &Body::inertia, checked<std::array<double, 6>>(inertia(), check_inertia),
      "Tensor of inertia about the centre of mass in the axes of the body: one number (a sphere), the three "
      "moments Ixx, Iyy, Izz, or the six elements Ixx, Iyy, Izz, Ixy, Ixz, Iyz, where Ixy is the integral of "
      "-x*y over the mass.");
  table.optional("centre", &Body::centre, vector3("m"), "Centre of mass in the axes of the body.");
  table.optional("at", &Body::at, vector3("m"),
                 "Initial position of the origin of the body's axes; if absent: zero, moved as the joints demand.");
  table.optional("rotation", &Body::rotation, rotation(),
                 "Initial orientation; if absent: as ground, turned as the joints demand.");
  table.optional("velocity", &Body::velocity, vector3("m/s"),
                 "Initial velocity of the origin of the body's axes, in the axes of ground.");
  table.optional("angular-velocity", &Body::angular_velocity, vector3("rad/s"),
                 "Initial angular velocity, in the axes of ground.");
  table.optional(
      "fix", &Body::fix, fixed_directions("body"),
      "Velocities that are kept zero, in the axes of the body: translations x, y, z, rotations rx, ry, rz. Only "
      "sets that restrict the position are possible; `[z, rx, ry]` makes a body plane.");
  table.optional("points", &Body::points, points(), "Named points, in the axes of the body.");
  table.optional("shape", &Body::shape, drawn_shape(),
                 "How it is drawn; never changes the mechanics. If absent: from the inertia and the points.");
  table.optional("free", &Body::free, boolean(),
                 "It is intended that no joint, spring, load or `fix` acts on this body.");
  return table;
}

}  // namespace freeplay
