#pragma once

#include <Eigen/SparseCore>
#include <vector>

#include "freeplay/mechanics/model.h"

namespace freeplay {

/// Gradients of all equations by the body twists of all nodes (6 columns per node; fixed ones stay zero), and what is
/// left of the equations themselves.
struct ConstraintGradient {
  std::vector<Eigen::Triplet<double>> entries;  ///< (equation, 6 node + dof, value)
  Eigen::VectorXd value;                        ///< C
  Eigen::VectorXd explicit_rate;                ///< partial derivative of C by time
};

ConstraintGradient constraint_gradient(const Model& model, const State& state);

}  // namespace freeplay
