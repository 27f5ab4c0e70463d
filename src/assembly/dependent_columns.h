#pragma once

#include <Eigen/SparseCore>
#include <vector>

namespace freeplay {

/// Columns of a sparse matrix that are combinations of the columns before them (QR without column exchange; columns
/// should be of about unit length).
std::vector<int> dependent_columns(int n_rows, int n_columns, const std::vector<Eigen::Triplet<double>>& entries);

}  // namespace freeplay
