
#include "freeplay/deck/table.h"
#include "freeplay/math/rotation.h"

namespace freeplay {

namespace {

struct RotationInput {
  std::optional<Vec3> axis;
  std::optional<double> angle;
  std::optional<std::array<Vec3, 3>> matrix;
  std::optional<Vec3> rxyz;
};

constexpr double typing_error = 1e-3;  // a matrix typed with four digits
constexpr double round_off = 1e-14;    // below this a matrix is left as it is, so that reading it again changes nothing

Mat3 about_axis(const Vec3& axis, double angle) { return Eigen::AngleAxisd(angle, axis).toRotationMatrix(); }

std::optional<Mat3> from_rows(const std::array<Vec3, 3>& rows, const Location& where, Reader& reader) {
  Mat3 matrix;
  for (int i = 0; i < 3; ++i) matrix.row(i) = rows[static_cast<std::size_t>(i)].transpose();
  const auto deviation = [&] { return (matrix * matrix.transpose() - Mat3::Identity()).cwiseAbs().maxCoeff(); };
  if (!(deviation() < typing_error)) {
    reader.error(where, "is not a rotation matrix: its rows must be unit vectors at right angles to each other");
    return std::nullopt;
  }
  if (matrix.determinant() < 0.0) {
    reader.error(where, "is a reflection, not a rotation: its determinant must be 1, not -1");
    return std::nullopt;
  }
  for (int i = 0; i < 5 && deviation() > round_off; ++i) matrix = nearest_rotation(matrix);
  return matrix;
}

Table<RotationInput> rotation_table() {
  Table<RotationInput> table("Rotation", "Exactly one of `{axis, angle}`, `{matrix}` and `{rxyz}`.");
  table.optional("axis", &RotationInput::axis, direction(), "Axis of a rotation by `angle`.");
  table.optional("angle", &RotationInput::angle, number("rad"), "Angle about `axis`.");
  table.optional(
      "matrix", &RotationInput::matrix, array_of<3>(vector3("")),
      "Rotation matrix, a list of its three rows; made exactly orthogonal. Its columns are the rotated axes.");
  table.optional("rxyz", &RotationInput::rxyz, vector3("rad"),
                 "Angles about x, then about the new y, then about the new z.");
  table.check([](const RotationInput&, const Given& given, Reader& reader) {
    const int n_ways = given.has("axis") + given.has("matrix") + given.has("rxyz");
    if (n_ways != 1 || given.has("axis") != given.has("angle")) {
      reader.error(given.place(), "needs exactly one of {axis, angle}, {matrix} and {rxyz}");
    }
  });
  return table;
}

}  // namespace

Format<Mat3> rotation() {
  const Table<RotationInput> table = rotation_table();
  const auto read = [=](const YamlNode& node, const Location& where, Reader& reader) -> std::optional<Mat3> {
    RotationInput input;
    table.read(node, where, reader, input);
    if (reader.failed(reader.path())) return std::nullopt;
    if (input.matrix) return from_rows(*input.matrix, node.where, reader);
    if (input.axis) return about_axis(*input.axis, *input.angle);
    const Vec3& angles = *input.rxyz;
    return about_axis(Vec3::UnitX(), angles[0]) * about_axis(Vec3::UnitY(), angles[1]) *
           about_axis(Vec3::UnitZ(), angles[2]);
  };
  const auto write = [=](const Mat3& value) {
    RotationInput input;
    input.matrix = {value.row(0).transpose(), value.row(1).transpose(), value.row(2).transpose()};
    return table.write(input);
  };
  return {table.shape(), read, write};
}

}  // namespace freeplay
