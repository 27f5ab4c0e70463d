#include "constraint_gradient.h"

namespace freeplay {

ConstraintGradient constraint_gradient(const Model& model, const State& state) {
  ConstraintGradient result;
  result.value.setZero(model.n_equations);
  result.explicit_rate.setZero(model.n_equations);
  const auto place_of = [&](const Frame& frame) {
    return place(frame, frame.node == ground ? Pose{} : state.pose[frame.node]);
  };
  for (const Joint& joint : model.joints) {
    const FramePlace A = place_of(joint.a);
    const FramePlace B = place_of(joint.b);
    for (std::size_t k = 0; k < joint.equations.size(); ++k) {
      const Equation& equation = joint.equations[k];
      const int row = joint.first_equation + static_cast<int>(k);
      const QuadraticForm form = equation.form_at(state.time, state.load_factor);
      result.value[row] = form.value(A, B, A.a) - equation.offset(state.time, state.load_factor);
      // A drive that is on its way in statics has no speed.
      if (state.load_factor == 1.0) result.explicit_rate[row] = equation.explicit_rate(A, B, state.time);
      const Vec12 wrench = form.wrench(A, B, A.a);
      for (int side = 0; side < 2; ++side) {
        const int node = side == 0 ? joint.a.node : joint.b.node;
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
