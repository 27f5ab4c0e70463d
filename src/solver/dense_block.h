#pragma once

// Dense 12 x 12 blocks (the unknowns of a beam node), column after column: what the solver of a step does most.
// Products keep four columns of the result in registers, which Eigen's products of this size do not.

namespace freeplay {

constexpr int block_size = 12;
constexpr int block_area = block_size * block_size;

/// C = A B, for 12 x n matrices B and C and a block A; n is a multiple of four. C may be B.
void block_product(const double* A, const double* B, double* C, int n_columns);
/// C -= A B.
void subtract_block_product(const double* A, const double* B, double* C, int n_columns);
/// y = A x, for a block A of double or single precision. y may be x.
template <class Number>
void block_times_vector(const Number* A, const double* x, double* y);
/// y -= A x.
template <class Number>
void subtract_block_times_vector(const Number* A, const double* x, double* y);

/// Adds 12 x 12 numbers that lie row by row, the rows `width` apart, to a block.
void add_transposed_block(const double* rows, int width, double* columns);

/// Row exchanges and elimination: `lower` A = U and `upper` U = 1. Returns false if the block is singular.
///
/// Two factors and not A^-1: where a beam is stiff in one direction and soft in another, products with the inverse lose
/// the second in the round-off of the first; the rows of U are of either kind, and its inverse keeps them apart.
bool factorise_block(const double* A, double* lower, double* upper);

}  // namespace freeplay
