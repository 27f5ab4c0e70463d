#include "freeplay/solver/linear_program.h"

#include <ClpSimplex.hpp>
#include <CoinPackedMatrix.hpp>
#include <cmath>
#include <vector>

namespace freeplay {

struct LinearProgram::Content {
  std::vector<double> column_low, column_high, row_low, row_high;
  std::vector<int> row, column;  ///< of each entry
  std::vector<double> entry;
};

namespace {

double for_clp(double limit) { return std::isfinite(limit) ? limit : std::copysign(COIN_DBL_MAX, limit); }

LinearProgram::Status status_of(const ClpSimplex& simplex) {
  switch (simplex.status()) {
    case 0:
      return LinearProgram::Status::optimal;
    case 1:
      return LinearProgram::Status::infeasible;
    case 2:
      return LinearProgram::Status::unbounded;
    default:
      return LinearProgram::Status::failed;
  }
}

}  // namespace

LinearProgram::LinearProgram(int n_columns) : content_(std::make_unique<Content>()) {
  content_->column_low.assign(n_columns, -COIN_DBL_MAX);
  content_->column_high.assign(n_columns, COIN_DBL_MAX);
}

LinearProgram::~LinearProgram() = default;

void LinearProgram::bound(int column, double low, double high) {
  content_->column_low[column] = for_clp(low);
  content_->column_high[column] = for_clp(high);
}

void LinearProgram::add_row(const Eigen::VectorXd& coefficients, double low, double high) {
  const int row = static_cast<int>(content_->row_low.size());
  for (int c = 0; c < coefficients.size(); ++c) {
    if (coefficients[c] == 0.0) continue;
    content_->row.push_back(row);
    content_->column.push_back(c);
    content_->entry.push_back(coefficients[c]);
  }
  content_->row_low.push_back(for_clp(low));
  content_->row_high.push_back(for_clp(high));
}

LinearProgram::Solution LinearProgram::maximise(const Eigen::VectorXd& objective) {
  // Begun anew each time: after more rows, CLP 1.17 sometimes calls a point optimal that is not.
  constexpr double tolerance = 1e-9;  // beyond what forces scaled to 1 need, and above the round-off of their sums
  const Content& content = *content_;
  ClpSimplex simplex;
  simplex.setLogLevel(0);
  simplex.setPrimalTolerance(tolerance);
  simplex.setDualTolerance(tolerance);
  CoinPackedMatrix matrix(false, content.row.data(), content.column.data(), content.entry.data(),
                          static_cast<CoinBigIndex>(content.entry.size()));
  matrix.setDimensions(static_cast<int>(content.row_low.size()), static_cast<int>(content.column_low.size()));
  const Eigen::VectorXd least = -objective;
  simplex.loadProblem(matrix, content.column_low.data(), content.column_high.data(), least.data(),
                      content.row_low.data(), content.row_high.data());
  simplex.dual();
  if (status_of(simplex) == Status::failed) simplex.primal();
  Solution solution;
  solution.status = status_of(simplex);
  solution.x = Eigen::VectorXd::Map(simplex.getColSolution(), simplex.getNumCols());
  solution.value = objective.dot(solution.x);
  return solution;
}

}  // namespace freeplay
