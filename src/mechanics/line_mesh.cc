#include "freeplay/mechanics/line_mesh.h"

#include <boost/math/special_functions/legendre.hpp>
#include <cmath>

#include "freeplay/math/lagrange.h"

namespace freeplay {

namespace {

/// An element from 0 to 1 (Abramowitz and Stegun, 25.4.29 and 25.4.32, moved from [-1, 1]).
class UnitElement {
 public:
  explicit UnitElement(int degree) : nodes_(gauss_lobatto_points(degree + 1)) {
    for (const double x : nodes_) {
      const double p = boost::math::legendre_p(degree, 2.0 * x - 1.0);
      node_weights_.push_back(1.0 / (degree * (degree + 1.0) * p * p));
    }
    for (const double x : gauss_points(degree)) {
      const double y = 2.0 * x - 1.0;
      const double slope = boost::math::legendre_p_prime(degree, y);
      LineMesh::GaussPoint point{x, 1.0 / ((1.0 - y * y) * slope * slope), {}, {}};
      point.shape.resize(nodes_.size());
      point.derivative.resize(nodes_.size());
      lagrange_values(nodes_, x, point.shape);
      lagrange_derivatives(nodes_, x, point.derivative);
      points_.push_back(std::move(point));
    }
  }

  int degree() const { return static_cast<int>(nodes_.size()) - 1; }
  double node(int k) const { return nodes_[k]; }

  /// Stretched to a part of the line.
  LineMesh::Element on(double start, double length) const {
    LineMesh::Element element;
    for (const double weight : node_weights_) element.node_length.push_back(weight * length);
    element.gauss_points = points_;
    for (LineMesh::GaussPoint& point : element.gauss_points) {
      point.s = start + point.s * length;
      point.weight *= length;
      for (double& derivative : point.derivative) derivative /= length;
    }
    return element;
  }

 private:
  std::vector<double> nodes_, node_weights_;
  std::vector<LineMesh::GaussPoint> points_;
};

}  // namespace

LineMesh make_line_mesh(const std::vector<double>& ends, int degree) {
  const UnitElement unit(degree);
  LineMesh mesh;
  mesh.node_s.push_back(ends.front());
  for (std::size_t e = 0; e + 1 < ends.size(); ++e) {
    const double length = ends[e + 1] - ends[e];
    LineMesh::Element element = unit.on(ends[e], length);
    const int first_node = static_cast<int>(e) * degree;
    for (int k = 0; k <= degree; ++k) element.nodes.push_back(first_node + k);
    for (int k = 1; k < degree; ++k) mesh.node_s.push_back(ends[e] + unit.node(k) * length);
    mesh.node_s.push_back(ends[e + 1]);  // to the last digit, as it is also the start of the next
    mesh.elements.push_back(std::move(element));
  }
  return mesh;
}

}  // namespace freeplay
