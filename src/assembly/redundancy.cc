#include <SuiteSparseQR.hpp>
#include <algorithm>
#include <cmath>
#include <numeric>

#include "constraint_gradient.h"
#include "dependent_columns.h"
#include "freeplay/assembly/assembly.h"

namespace freeplay {

std::vector<int> dependent_columns(int n_rows, int n_columns, const std::vector<Eigen::Triplet<double>>& entries) {
  // Relative distance from the span of the columns before: dependent ones come out at about 1e-13.
  constexpr double rank_tolerance = 1e-7;
  cholmod_common common;
  cholmod_l_start(&common);
  cholmod_triplet* triplet = cholmod_l_allocate_triplet(n_rows, n_columns, entries.size(), 0, CHOLMOD_REAL, &common);
  for (const auto& entry : entries) {
    static_cast<SuiteSparse_long*>(triplet->i)[triplet->nnz] = entry.row();
    static_cast<SuiteSparse_long*>(triplet->j)[triplet->nnz] = entry.col();
    static_cast<double*>(triplet->x)[triplet->nnz++] = entry.value();
  }
  cholmod_sparse* matrix = cholmod_l_triplet_to_sparse(triplet, entries.size(), &common);
  cholmod_sparse* R = nullptr;
  SuiteSparse_long* permutation = nullptr;
  SuiteSparseQR<double>(SPQR_ORDERING_FIXED, rank_tolerance, n_columns, matrix, &R, &permutation, &common);

  // R is a staircase: a column that adds nothing to the span has no entry on the next step.
  std::vector<int> dependent;
  const auto* start = static_cast<SuiteSparse_long*>(R->p);
  const auto* row = static_cast<SuiteSparse_long*>(R->i);
  const auto* value = static_cast<double*>(R->x);
  SuiteSparse_long rank = 0;
  for (int column = 0; column < n_columns; ++column) {
    bool steps = false;
    for (auto k = start[column]; k < start[column + 1]; ++k)
      if (row[k] == rank && std::abs(value[k]) > rank_tolerance) steps = true;
    if (steps)
      ++rank;
    else
      dependent.push_back(column);
  }
  if (permutation) cholmod_l_free(n_columns, sizeof(SuiteSparse_long), permutation, &common);
  cholmod_l_free_sparse(&R, &common);
  cholmod_l_free_sparse(&matrix, &common);
  cholmod_l_free_triplet(&triplet, &common);
  cholmod_l_finish(&common);
  return dependent;
}

std::vector<int> find_redundant_equations(const Model& model, const State& state) {
  if (model.n_equations == 0) return {};
  ConstraintGradient gradient = constraint_gradient(model, state);
  std::vector<int> order(model.n_equations);
  std::iota(order.begin(), order.end(), 0);
  std::vector<bool> driven;
  for (const Joint& joint : model.joints)
    for (const Equation& equation : joint.equations) driven.push_back(equation.is_driven());
  std::stable_partition(order.begin(), order.end(), [&](int e) { return !driven[e]; });
  std::vector<int> column_of(model.n_equations);
  for (int k = 0; k < model.n_equations; ++k) column_of[order[k]] = k;

  // Rotations are made lengths, and columns of unit length, so that one tolerance fits all.
  std::vector<double> norm(model.n_equations, 0.0);
  std::vector<Eigen::Triplet<double>> columns;
  for (const auto& entry : gradient.entries) {
    const double scale = entry.col() % 6 < 3 ? 1.0 : 1.0 / model.length_scale;
    norm[entry.row()] += std::pow(scale * entry.value(), 2);
    columns.emplace_back(entry.col(), column_of[entry.row()], scale * entry.value());
  }
  for (auto& entry : columns) {
    const double n = std::sqrt(norm[order[entry.col()]]);
    entry = {entry.row(), entry.col(), n > 0.0 ? entry.value() / n : 0.0};
  }
  std::vector<int> redundant;
  for (const int column : dependent_columns(6 * static_cast<int>(model.nodes.size()), model.n_equations, columns))
    redundant.push_back(order[column]);
  std::sort(redundant.begin(), redundant.end());
  return redundant;
}

}  // namespace freeplay
