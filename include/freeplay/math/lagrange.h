#pragma once

#include <span>
#include <vector>

namespace freeplay {

/// The n Gauss points of [0, 1], ascending.
std::vector<double> gauss_points(int n);

/// The n >= 2 Gauss-Lobatto points of [0, 1], ascending: both ends are among them.
std::vector<double> gauss_lobatto_points(int n);

/// Values at x of the Lagrange polynomials of the points: each is 1 at its point and 0 at the others.
void lagrange_values(std::span<const double> points, double x, std::span<double> values);
/// And their derivatives.
void lagrange_derivatives(std::span<const double> points, double x, std::span<double> derivatives);

}  // namespace freeplay
