#pragma once

#include <vector>

namespace freeplay {

/// A line by its arc length, cut into elements of degree p with nodes at Gauss-Lobatto points and p Gauss points each.
struct LineMesh {
  struct GaussPoint {
    double s = 0.0;                  ///< arc length from the start of the line [m]
    double weight = 0.0;             ///< quadrature weight times length element [m]
    std::vector<double> shape;       ///< values of the shape functions of the element's nodes
    std::vector<double> derivative;  ///< their derivatives by arc length [1/m]
  };
  struct Element {
    std::vector<int> nodes;           ///< along the line
    std::vector<double> node_length;  ///< Gauss-Lobatto weight: the part of the element that a node stands for [m]
    std::vector<GaussPoint> gauss_points;
  };
  std::vector<double> node_s;  ///< arc length [m], ascending
  std::vector<Element> elements;
};

/// Elements between the given arc lengths.
LineMesh make_line_mesh(const std::vector<double>& ends, int degree);

}  // namespace freeplay
