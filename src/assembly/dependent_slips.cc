#include "freeplay/assembly/dependent_slips.h"

#include <Eigen/SparseQR>
#include <cmath>

#include "constraint_gradient.h"
#include "dependent_columns.h"

namespace freeplay {

namespace {

using Entries = std::vector<Eigen::Triplet<double>>;

/// Columns of unit length, one per multiplier, of forces on the nodes; moments are divided by the length of the model.
class ForceColumns {
 public:
  ForceColumns(const Model& model, const State& state) : model_(model), state_(state) {
    const ConstraintGradient gradient = constraint_gradient(model, state);
    std::vector<int> column_of(model.n_equations, -1);
    for (int e = 0; e < model.n_equations; ++e)
      if (!model.dropped[e]) column_of[e] = add_column(e);
    for (const auto& entry : gradient.entries)
      if (column_of[entry.row()] >= 0) add_entry(column_of[entry.row()], entry.col(), entry.value());
  }

  void add(const SlipDirection& direction) {
    const JointFriction& friction = model_.frictions[direction.friction];
    const Joint& joint = model_.joints[friction.joint];
    const FramePlace A = place_of(joint.a, state_);
    FramePlace B = place_of(joint.b, state_);
    B.a = A.a;
    const Vec12 wrench = friction.slips[direction.slip].wrench(A, B, A.a);
    const int column = add_column(friction.first_multiplier + direction.slip);
    for (int side = 0; side < 2; ++side) {
      const int node = side == 0 ? joint.a.node : joint.b.node;
      if (node == ground) continue;
      const Mat3 R_t = state_.pose[node].R.transpose();
      Vec6 force;
      force << R_t * wrench.segment<3>(6 * side), R_t * wrench.segment<3>(6 * side + 3);
      for (int d = 0; d < 6; ++d)
        if (!model_.nodes[node].fixed[d]) add_entry(column, 6 * node + d, force[d]);
    }
  }

  int n_rows() const { return 6 * static_cast<int>(model_.nodes.size()); }
  int n_columns() const { return static_cast<int>(multiplier_.size()); }
  int multiplier(int column) const { return multiplier_[column]; }
  double length(int column) const { return std::sqrt(square_[column]); }

  Entries unit_entries() const {
    Entries result;
    for (const auto& e : entries_) {
      const double n = length(e.col());
      result.emplace_back(e.row(), e.col(), n > 0.0 ? e.value() / n : 0.0);
    }
    return result;
  }

 private:
  int add_column(int multiplier) {
    multiplier_.push_back(multiplier);
    square_.push_back(0.0);
    return n_columns() - 1;
  }
  void add_entry(int column, int row, double value) {
    const double scaled = row % 6 < 3 ? value : value / model_.length_scale;
    entries_.emplace_back(row, column, scaled);
    square_[column] += scaled * scaled;
  }

  const Model& model_;
  const State& state_;
  std::vector<int> multiplier_;
  std::vector<double> square_;
  Entries entries_;
};

}  // namespace

std::vector<DependentSlip> find_dependent_slips(const Model& model, const State& state,
                                                const std::vector<SlipDirection>& directions) {
  if (directions.empty()) return {};
  ForceColumns columns(model, state);
  const int n_equations = columns.n_columns();
  for (const SlipDirection& direction : directions) columns.add(direction);
  const Entries entries = columns.unit_entries();
  const std::vector<int> dependent = dependent_columns(columns.n_rows(), columns.n_columns(), entries);
  std::vector<bool> is_dependent(columns.n_columns(), false);
  for (const int column : dependent) is_dependent[column] = true;
  // A direction in which nothing moves at all is dependent on nothing.
  for (int column = n_equations; column < columns.n_columns(); ++column)
    if (columns.length(column) == 0.0) is_dependent[column] = true;

  std::vector<int> independent, place(columns.n_columns(), -1);
  for (int column = 0; column < columns.n_columns(); ++column) {
    if (is_dependent[column]) continue;
    place[column] = static_cast<int>(independent.size());
    independent.push_back(column);
  }
  Eigen::SparseMatrix<double> basis(columns.n_rows(), static_cast<int>(independent.size()));
  Eigen::MatrixXd wanted = Eigen::MatrixXd::Zero(columns.n_rows(), columns.n_columns() - n_equations);
  Entries of_basis;
  for (const auto& e : entries) {
    if (place[e.col()] >= 0) of_basis.emplace_back(e.row(), place[e.col()], e.value());
    if (e.col() >= n_equations) wanted(e.row(), e.col() - n_equations) += e.value();
  }
  basis.setFromTriplets(of_basis.begin(), of_basis.end());
  basis.makeCompressed();
  Eigen::SparseQR<Eigen::SparseMatrix<double>, Eigen::COLAMDOrdering<int>> factors;
  std::vector<DependentSlip> result;
  for (int column = n_equations; column < columns.n_columns(); ++column) {
    if (!is_dependent[column]) continue;
    DependentSlip slip{directions[column - n_equations], {{columns.multiplier(column), 1.0}}};
    if (columns.length(column) > 0.0) {
      if (result.empty() || factors.cols() == 0) factors.compute(basis);
      const Eigen::VectorXd shares = factors.solve(wanted.col(column - n_equations));
      constexpr double negligible = 1e-10;
      for (std::size_t k = 0; k < independent.size(); ++k)
        if (std::abs(shares[k]) > negligible)
          slip.balance.emplace_back(columns.multiplier(independent[k]),
                                    -shares[k] * columns.length(column) / columns.length(independent[k]));
    }
    result.push_back(std::move(slip));
  }
  return result;
}

}  // namespace freeplay
