#include <Eigen/Eigenvalues>
#include <cmath>

#include "freeplay/base/names.h"
#include "tables.h"

namespace freeplay {

namespace {

using Pair = std::array<double, 2>;

}  // namespace

Format<Pair> one_or_two(const std::string& unit) {
  const Format<double> one = number(unit, above(0));
  const Format<Pair> two = array_of<2>(one);
  const auto read = [=](const YamlNode& node, const Location& where, Reader& reader) -> std::optional<Pair> {
    if (node.kind != YamlNode::Kind::scalar) return two.read(node, where, reader);
    const auto value = one.read(node, where, reader);
    if (!value) return std::nullopt;
    return Pair{*value, *value};
  };
  const std::string phrase = "number, or list of 2 numbers" + (unit.empty() ? "" : " [" + unit + "]") + ", > 0";
  return {{.kind = Shape::Kind::any_of, .phrase = phrase, .parts = {one.shape(), two.shape()}},
          read,
          [=](const Pair& value) { return two.write(value); }};
}

namespace {

const char* unit_of_element(int row, int column) {
  return row < 3 && column < 3 ? "N" : row >= 3 && column >= 3 ? "N*m^2" : "N*m";
}

std::string element_text(int row, int column) {
  return "row " + std::to_string(row + 1) + ", column " + std::to_string(column + 1);
}

/// Elements have different units, so that they are compared after the diagonal is scaled to 1.
void check_stiffness_matrix(const Mat6& matrix, const Location& where, Reader& reader) {
  constexpr double typing_error = 1e-9;
  constexpr double round_off = 1e-12;
  for (int i = 0; i < 6; ++i) {
    if (matrix(i, i) > 0) continue;
    reader.error(where, "is not positive definite: " + element_text(i, i) + " is " + rounded_text(matrix(i, i)) + " " +
                            unit_of_element(i, i) + ", but must be > 0");
    return;
  }
  const Vec6 scale = matrix.diagonal().cwiseSqrt().cwiseInverse();
  const Mat6 scaled = scale.asDiagonal() * matrix * scale.asDiagonal();
  for (int i = 0; i < 6; ++i) {
    for (int j = i + 1; j < 6; ++j) {
      if (std::abs(scaled(i, j) - scaled(j, i)) <= typing_error) continue;
      const auto text = [&](int row, int column) {
        return element_text(row, column) + " is " + rounded_text(matrix(row, column)) + " " +
               unit_of_element(row, column);
      };
      reader.error(where, "is not symmetric: " + text(i, j) + ", but " + text(j, i));
      return;
    }
  }
  const double smallest = Eigen::SelfAdjointEigenSolver<Mat6>(scaled, Eigen::EigenvaluesOnly).eigenvalues().minCoeff();
  if (smallest > round_off) return;
  reader.error(where,
               "is not positive definite: some deformation would need no energy or set it free (with its "
               "diagonal scaled to 1, the smallest eigenvalue is " +
                   rounded_text(smallest) + ")");
}

/// Six rows of six numbers.
Format<Mat6> stiffness_matrix() {
  const auto read = [](const YamlNode& node, const Location&, Reader& reader) -> std::optional<Mat6> {
    if (reader.list(node, 6, 6) == nullptr) return std::nullopt;
    Mat6 matrix = Mat6::Zero();
    for (int i = 0; i < 6; ++i) {
      const Reader::Scope row_scope(reader, std::to_string(i));
      const YamlNode* row = reader.list(node.items[static_cast<std::size_t>(i)], 6, 6);
      for (int j = 0; row != nullptr && j < 6; ++j) {
        const Reader::Scope scope(reader, std::to_string(j));
        const auto value = reader.number(row->items[static_cast<std::size_t>(j)], unit_of_element(i, j), {});
        matrix(i, j) = value.value_or(0.0);
      }
    }
    if (reader.failed(reader.path())) return std::nullopt;
    check_stiffness_matrix(matrix, node.where, reader);
    if (reader.failed(reader.path())) return std::nullopt;
    const Mat6 transposed = matrix.transpose();
    return 0.5 * matrix + 0.5 * transposed;
  };
  const auto write = [](const Mat6& matrix) {
    YamlNode rows = YamlNode::list();
    for (int i = 0; i < 6; ++i) {
      YamlNode row = YamlNode::list();
      for (int j = 0; j < 6; ++j) row.items.push_back(number(unit_of_element(i, j)).write(matrix(i, j)));
      rows.items.push_back(std::move(row));
    }
    return rows;
  };
  const Shape row{.kind = Shape::Kind::list, .parts = {number("").shape()}, .min_items = 6, .max_items = 6};
  const std::string phrase = "6 rows of 6 numbers [N] (upper left 3 x 3), [N*m^2] (lower right), [N*m] (elsewhere)";
  return {{.kind = Shape::Kind::list, .phrase = phrase, .parts = {row}, .min_items = 6, .max_items = 6}, read, write};
}

struct StiffnessInput {
  std::optional<double> axial, torsion;
  std::optional<Pair> shear, bending;
  std::optional<Mat6> matrix;
};

Table<StiffnessInput> stiffness_table() {
  using Input = StiffnessInput;
  Table<Input> table("Stiffness of a section",
                     "Either the four keys `axial`, `shear`, `bending`, `torsion`, or `matrix`.");
  table.optional("axial", &Input::axial, number("N", above(0)), "Against stretching: E*A.");
  table.optional("shear", &Input::shear, one_or_two("N"),
                 "Against shear along the first and the second axis: k*G*A, with the shear correction k in it.");
  table.optional("bending", &Input::bending, one_or_two("N*m^2"),
                 "Against bending about the first and the second axis: E*I.");
  table.optional("torsion", &Input::torsion, number("N*m^2", above(0)), "Against torsion: G*J.");
  table.optional("matrix", &Input::matrix, stiffness_matrix(),
                 "The whole symmetric positive definite matrix, for composite sections and for axes that are not those "
                 "of the section: section forces (shear 1, shear 2, axial force, moment 1, moment 2, torque) from "
                 "strains in the same order.");
  table.check([](const Input&, const Given& given, Reader& reader) {
    std::vector<std::string> missing;
    for (const char* key : {"axial", "shear", "bending", "torsion"}) {
      if (!given.has(key)) missing.push_back(key);
    }
    if (given.has("matrix") && missing.size() < 4) {
      reader.error(given.place("matrix"), "'matrix' excludes 'axial', 'shear', 'bending' and 'torsion'");
    } else if (!given.has("matrix") && missing.size() == 4) {
      reader.error(given.place(), "needs 'axial', 'shear', 'bending' and 'torsion', or 'matrix'");
    } else if (!given.has("matrix")) {
      for (const std::string& key : missing) reader.error(given.place(), "the key '" + key + "' is missing");
    }
  });
  return table;
}

}  // namespace

Format<Mat6> section_stiffness() {
  const Table<StiffnessInput> table = stiffness_table();
  const auto read = [=](const YamlNode& node, const Location& where, Reader& reader) -> std::optional<Mat6> {
    StiffnessInput input;
    table.read(node, where, reader, input);
    if (reader.failed(reader.path())) return std::nullopt;
    if (input.matrix) return input.matrix;
    Vec6 diagonal;
    diagonal << (*input.shear)[0], (*input.shear)[1], *input.axial, (*input.bending)[0], (*input.bending)[1],
        *input.torsion;
    return Mat6(diagonal.asDiagonal());
  };
  const auto write = [=](const Mat6& value) {
    StiffnessInput input;
    const Vec6 d = value.diagonal();
    if (value == Mat6(d.asDiagonal())) {
      input.axial = d[2];
      input.shear = {d[0], d[1]};
      input.bending = {d[3], d[4]};
      input.torsion = d[5];
    } else {
      input.matrix = value;
    }
    return table.write(input);
  };
  return {table.shape(), read, write};
}

}  // namespace freeplay
