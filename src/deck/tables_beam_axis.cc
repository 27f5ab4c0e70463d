#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <numbers>

#include "tables.h"

namespace freeplay {

namespace {

constexpr double tiny = 1e-12;
constexpr double typed_digits = 1e-6;  // numbers with the digits that one usually types

/// Neighbours differ, and the line does not go back the way it came.
void check_points(const std::vector<Vec3>& points, const Location& where, Reader& reader) {
  for (std::size_t k = 1; k < points.size(); ++k) {
    const Vec3 edge = points[k] - points[k - 1];
    const double size = std::max(points[k].stableNorm(), points[k - 1].stableNorm());
    const std::string both = "the points " + std::to_string(k) + " and " + std::to_string(k + 1);
    if (!(edge.stableNorm() > tiny * size)) {
      reader.error(where, both + " are the same");
      return;
    }
    if (!is_size_of_a_part(edge.stableNorm())) {
      reader.error(where, both + " are " + rounded_text(edge.stableNorm()) + " m apart; look at the units");
      return;
    }
    const Vec3 direction = edge.stableNormalized();
    const Vec3 before = k == 1 ? direction : Vec3((points[k - 1] - points[k - 2]).stableNormalized());
    if ((before + direction).norm() > typed_digits) continue;
    reader.error(where, "goes straight back at its point " + std::to_string(k) + "; make two beams of it");
    return;
  }
}

Format<std::vector<Vec3>> points_of_line(int min_points) {
  const auto format = checked<std::vector<Vec3>>(list_of(vector3("m"), min_points), check_points);
  const auto read = [=](const YamlNode& node, const Location& where, Reader& reader) {
    return format.read(node, where, reader);
  };
  return {format.shape(), read,
          [=](const std::vector<Vec3>& points) { return points.empty() ? YamlNode{} : format.write(points); }};
}

struct ArcInput {
  std::optional<Vec3> from, through, to, centre, axis;
  std::optional<double> angle;
};

/// Angle from one arm to another about an axis, 0 to 2 pi.
double angle_about(const Vec3& axis, const Vec3& from, const Vec3& to) {
  const double angle = std::atan2(axis.dot(from.cross(to)), from.dot(to));
  return angle < 0 ? angle + 2 * std::numbers::pi : angle;
}

/// The circle through three points that are not on a line: its centre is where the planes that halve both chords meet
/// with the plane of the points.
ArcSpec arc_through(const Vec3& from, const Vec3& through, const Vec3& to) {
  const Vec3 a = through - from;
  const Vec3 b = to - from;
  const Vec3 normal = a.cross(b);
  ArcSpec arc;
  arc.from = from;
  arc.centre =
      from + (a.squaredNorm() * b.cross(normal) + b.squaredNorm() * normal.cross(a)) / (2.0 * normal.squaredNorm());
  arc.axis = normal.normalized();
  arc.angle = angle_about(arc.axis, from - arc.centre, to - arc.centre);
  return arc;
}

/// The shorter way from one point to the other.
ArcSpec arc_about(const Vec3& centre, const Vec3& from, const Vec3& to) {
  const Vec3 axis = (from - centre).cross(to - centre).normalized();
  return {from, centre, axis, angle_about(axis, from - centre, to - centre)};
}

ArcSpec arc_of(const ArcInput& input) {
  if (input.through) return arc_through(*input.from, *input.through, *input.to);
  if (input.to) return arc_about(*input.centre, *input.from, *input.to);
  return {*input.from, *input.centre, *input.axis, *input.angle};
}

bool on_one_line(const Vec3& a, const Vec3& b) {
  return !(a.stableNormalized().cross(b.stableNormalized()).norm() > typed_digits);
}

void check_arc_through(const ArcInput& arc, const Given& given, Reader& reader) {
  if (on_one_line(*arc.through - *arc.from, *arc.to - *arc.from) ||
      on_one_line(*arc.through - *arc.from, *arc.to - *arc.through)) {
    reader.error(given.place(), "'from', 'through' and 'to' are on one line: no circle goes through them");
  }
}

void check_arc_about(const ArcInput& arc, const Given& given, Reader& reader) {
  const Vec3 from = *arc.from - *arc.centre;
  const Vec3 to = *arc.to - *arc.centre;
  if (std::abs(from.norm() - to.norm()) > typed_digits * from.norm()) {
    reader.error(given.place("centre"), "'centre' is " + rounded_text(from.norm()) + " m from 'from', but " +
                                            rounded_text(to.norm()) + " m from 'to'");
  } else if (on_one_line(from, to)) {
    reader.error(given.place(),
                 "'from', 'centre' and 'to' are on one line: it is not known which way the arc goes; give 'through' "
                 "instead of 'centre', or 'axis' and 'angle' instead of 'to'");
  }
}

void check_arc_by_angle(const ArcInput& arc, const Given& given, Reader& reader) {
  const Vec3 arm = *arc.from - *arc.centre;
  if (!(arm.norm() > tiny * arc.from->norm())) {
    reader.error(given.place("centre"), "'centre' must not be the same point as 'from'");
  } else if (std::abs(arm.normalized().dot(*arc.axis)) > typed_digits) {
    reader.error(given.place("axis"), "'axis' must be normal to the line from 'centre' to 'from'");
  }
  if (*arc.angle > 0 && *arc.angle <= 2 * std::numbers::pi * (1 + tiny)) return;
  reader.error(given.place("angle"), "'angle' must be > 0 and at most 360 deg; turn 'axis' round for the other way");
}

void check_arc(const ArcInput& arc, const Given& given, Reader& reader) {
  if (reader.failed(reader.path())) return;
  const auto are_given = [&](const std::vector<const char*>& keys) {
    int n_given = 0;
    for (const char* key : {"through", "to", "centre", "axis", "angle"}) n_given += given.has(key) ? 1 : 0;
    return n_given == static_cast<int>(keys.size()) &&
           std::all_of(keys.begin(), keys.end(), [&](const char* key) { return given.has(key); });
  };
  if (are_given({"through", "to"})) {
    check_arc_through(arc, given, reader);
  } else if (are_given({"centre", "to"})) {
    check_arc_about(arc, given, reader);
  } else if (are_given({"centre", "axis", "angle"})) {
    check_arc_by_angle(arc, given, reader);
  } else {
    reader.error(given.place(),
                 "needs, beside 'from', either 'through' and 'to', or 'centre' and 'to', or 'centre', 'axis' and "
                 "'angle'");
  }
}

Table<ArcInput> arc_table() {
  using Input = ArcInput;
  Table<Input> table(
      "Arc",
      "Part of a circle. `from` and either `through` and `to`, or `centre` and `to` (the shorter way), or "
      "`centre`, `axis` and `angle`.");
  table.required("from", &Input::from, vector3("m"), "Its start.");
  table.optional("through", &Input::through, vector3("m"), "A point on the way.");
  table.optional("to", &Input::to, vector3("m"), "Its end.");
  table.optional("centre", &Input::centre, vector3("m"), "Centre of the circle.");
  table.optional("axis", &Input::axis, direction(), "Normal of the plane of the circle.");
  table.optional("angle", &Input::angle, number("rad"), "Angle about `axis` from start to end, at most 360 deg.");
  table.check(check_arc);
  return table;
}

}  // namespace

bool is_size_of_a_part(double length) {
  // Far below an atom, far beyond the sun.
  constexpr double smallest = 1e-15, largest = 1e15;
  return length > smallest && length < largest;
}

Format<std::vector<Vec3>> polyline() { return points_of_line(2); }

Format<std::vector<Vec3>> spline() { return points_of_line(3); }

Format<ArcSpec> arc() {
  const Table<ArcInput> table = arc_table();
  const auto read = [=](const YamlNode& node, const Location& where, Reader& reader) -> std::optional<ArcSpec> {
    ArcInput input;
    table.read(node, where, reader, input);
    if (reader.failed(reader.path())) return std::nullopt;
    ArcSpec result = arc_of(input);
    const Vec3 arm = (result.from - result.centre).normalized();
    result.axis = (result.axis - result.axis.dot(arm) * arm).normalized();
    return result;
  };
  const auto write = [=](const ArcSpec& spec) {
    ArcInput input;
    input.from = spec.from;
    input.centre = spec.centre;
    input.axis = spec.axis;
    input.angle = spec.angle;
    return table.write(input);
  };
  return {table.shape(), read, write};
}

}  // namespace freeplay
