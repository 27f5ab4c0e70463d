#include "constraint_gradient.h"

namespace freeplay {

ConstraintGradient constraint_gradient(const Model& model, const State& state) {
  ConstraintGradient result;
  result.value.setZero(model.n_equations);
  result.explicit_rate.setZero(model.n_equations);
  for (const Joint& joint : model.joints) {
    const JointMotion at = rest_of(joint, [&](const Frame& frame) { return place_of(frame, state); });
    for (std::size_t k = 0; k < joint.equations.size(); ++k) {
      const Equation& equation = joint.equations[k];
      const int row = joint.first_equation + static_cast<int>(k);
      result.value[row] = equation.value(at, state.time, state.load_factor, state.internal);
      // A drive that is on its way in statics has no speed.
      if (state.load_factor == 1.0) result.explicit_rate[row] = equation.explicit_rate(at, state.time);
      const JointVector wrench = equation.gradient(at, state.time, state.load_factor);
      for (int side = 0; side < at.n_places; ++side) {
        const int node = joint.node(side);
        if (node == ground) continue;
        const Mat3 R_t = state.pose[node].R.transpose();
        Vec6 gradient;
        gradient << R_t * wrench.segment<3>(6 * side), R_t * wrench.segment<3>(6 * side + 3);
        for (int d = 0; d < 6; ++d)
          if (!model.nodes[node].fixed[d]) result.entries.emplace_back(row, 6 * node + d, gradient[d]);
      }
    }
  }
  return result;
}

}  // namespace freeplay
