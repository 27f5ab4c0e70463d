#include "freeplay/math/lagrange.h"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>

namespace freeplay {

namespace {

/// Zeros, moved to [0, 1], of the orthogonal polynomial of degree n with x p_k = b_(k+1) p_(k+1) + b_k p_(k-1): the
/// eigenvalues of its Jacobi matrix (Golub and Welsch, Math. Comp. 23 (1969) 221-230).
template <class Coefficient>
std::vector<double> zeros(int n, const Coefficient& b) {
  if (n == 0) return {};
  Eigen::MatrixXd jacobi = Eigen::MatrixXd::Zero(n, n);
  for (int k = 1; k < n; ++k) jacobi(k - 1, k) = jacobi(k, k - 1) = b(static_cast<double>(k));
  const Eigen::VectorXd x = Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(jacobi).eigenvalues();
  std::vector<double> points;
  for (int k = 0; k < n; ++k) points.push_back(0.5 * (1.0 + 0.5 * (x[k] - x[n - 1 - k])));  // exactly symmetric
  return points;
}

}  // namespace

std::vector<double> gauss_points(int n) {
  return zeros(n, [](double k) { return k / std::sqrt(4 * k * k - 1); });  // Legendre
}

std::vector<double> gauss_lobatto_points(int n) {
  // Inside: zeros of the derivative of a Legendre polynomial, which is a Jacobi polynomial with exponents 1 and 1.
  const auto inner = zeros(n - 2, [](double k) { return std::sqrt(k * (k + 2) / ((2 * k + 1) * (2 * k + 3))); });
  std::vector<double> points{0.0};
  points.insert(points.end(), inner.begin(), inner.end());
  points.push_back(1.0);
  return points;
}

void lagrange_values(std::span<const double> points, double x, std::span<double> values) {
  for (std::size_t k = 0; k < points.size(); ++k) {
    values[k] = 1.0;
    for (std::size_t j = 0; j < points.size(); ++j)
      if (j != k) values[k] *= (x - points[j]) / (points[k] - points[j]);
  }
}

void lagrange_derivatives(std::span<const double> points, double x, std::span<double> derivatives) {
  for (std::size_t k = 0; k < points.size(); ++k) {
    derivatives[k] = 0.0;
    for (std::size_t i = 0; i < points.size(); ++i) {
      if (i == k) continue;
      double product = 1.0 / (points[k] - points[i]);
      for (std::size_t j = 0; j < points.size(); ++j)
        if (j != k && j != i) product *= (x - points[j]) / (points[k] - points[j]);
      derivatives[k] += product;
    }
  }
}

}  // namespace freeplay
