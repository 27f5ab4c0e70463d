#pragma once

// Adding the twelve-component wrenches of an element between two frames to its nodes.

#include "freeplay/mechanics/force_element.h"
#include "freeplay/mechanics/quadratic_form.h"

namespace freeplay {

inline void add_wrench(const std::array<int, 2>& nodes, const Vec12& wrench, std::vector<Vec6>& forces) {
  for (int k = 0; k < 2; ++k)
    if (nodes[k] != ground) forces[nodes[k]] += wrench.segment<6>(6 * k);
}

inline void add_block(const std::array<int, 2>& nodes, TangentSink::Row row, TangentSink::Column column,
                      const Mat12& derivative, TangentSink& sink) {
  for (int r = 0; r < 2; ++r)
    for (int c = 0; c < 2; ++c)
      if (nodes[r] != ground && nodes[c] != ground)
        sink.add(row, nodes[r], column, nodes[c], derivative.block<6, 6>(6 * r, 6 * c));
}

/// Rate of a form: exact difference quotient over a step, or the derivative at an instant.
inline double rate_of(const QuadraticForm& form, const Motion& motion, const std::array<int, 2>& nodes,
                      const FrameMotion& A, const FrameMotion& B) {
  if (!motion.is_instant())
    return (form.value(A.end, B.end, A.start.a) - form.value(A.start, B.start, A.start.a)) / motion.dt;
  Vec12 velocity;
  velocity << motion.velocity_of(nodes[0]), motion.velocity_of(nodes[1]);
  return form.wrench(A.start, B.start, A.start.a).dot(velocity);
}

}  // namespace freeplay
