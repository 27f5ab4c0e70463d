#pragma once

#include <limits>
#include <vector>

#include "freeplay/mechanics/frame.h"

namespace freeplay {

/// A node over one step: i (start), j (after the jump at the start), f (end).
struct NodeMotion {
  Pose start;
  /// q_j - q_i and q_f - q_i, known more closely than as differences of poses: strains that change with them do not
  /// feel the round-off of positions, which fine meshes would magnify.
  Mat34 to_jump = Mat34::Zero(), to_end = Mat34::Zero();

  Pose jump() const { return {start.x + to_jump.col(0), start.R + to_jump.rightCols<3>()}; }
  Pose end() const { return {start.x + to_end.col(0), start.R + to_end.rightCols<3>()}; }
  /// For poses that were not reached by a step twist.
  void set_jump(const Pose& jump) { to_jump << jump.x - start.x, jump.R - start.R; }
  void set_end(const Pose& end) { to_end << end.x - start.x, end.R - start.R; }
};

/// What joints and force elements see of a mechanism:
///
/// - a **step** from its start, over the jump after it, to its end. Forces are constant over it; their derivatives are
///   by its end and by the jump.
/// - an **instant**: start, jump and end are one, and rates are those of `velocity`. It has no derivatives.
/// - **rest**: from one position of rest to another, or to itself. No time passes and nothing has a rate; only what
///   elements remember sees the way. Start and end count alike in the forces, so that where they are one position the
///   stiffness is twice the derivative by the end. (With a short dt instead of an endless one it also has what dampers
///   would add: damping/dt.)
struct Motion {
  enum class Kind { step, instant, rest };
  Kind kind = Kind::step;
  double time = 0.0;                                    ///< at the start [s]
  double dt = std::numeric_limits<double>::infinity();  ///< length of the step [s]; without end if there is none
  double passed = 0.0;  ///< time that passes for loads and drives: dt, or 0 where dt is only a pseudo-time (statics)
  double alpha = 1.0;   ///< of the scheme, see integrator.md
  double load_factor = 1.0;  ///< share of the applied loads that acts (statics)
  std::vector<NodeMotion> nodes;
  std::vector<Vec6> velocity;  ///< of an instant: velocity and angular velocity of each node, inertial axes

  bool is_instant() const { return kind == Kind::instant; }
  double end_time() const { return time + passed; }
  double mid_time() const { return time + 0.5 * passed; }

  FrameMotion operator()(const Frame& frame) const {
    if (frame.node == ground) {
      const FramePlace here = place(frame, Pose{});
      return {here, here, here};
    }
    const NodeMotion& node = nodes[frame.node];
    const FramePlace start = place(frame, node.start);
    if (is_instant()) return {start, start, start};
    const FramePlace end = place(frame, node.end());
    return {start, mean(start, end), end};
  }

  /// How a frame moves from the start to the end of the step: differences of places; at an instant, its velocities.
  FramePlace change(const Frame& frame) const {
    if (frame.node == ground) return {Vec3::Zero(), Vec3::Zero(), Mat3::Zero()};
    Mat34 q = nodes[frame.node].to_end;
    if (is_instant()) {
      const Vec6& v = velocity[frame.node];
      q << v.head<3>(), skew(v.tail<3>()) * nodes[frame.node].start.R;
    }
    const Mat3 rotation = q.rightCols<3>();
    const Vec3 r = rotation * frame.offset;
    return {q.col(0) + r, r, rotation * frame.axes};
  }

  /// The motion from i to j instead of i to f: what a jump sees.
  FrameMotion jump(const Frame& frame) const {
    if (frame.node == ground) return (*this)(frame);
    const NodeMotion& node = nodes[frame.node];
    const FramePlace start = place(frame, node.start);
    const FramePlace end = place(frame, node.jump());
    return {start, mean(start, end), end};
  }

  Vec6 velocity_of(int node) const { return node == ground ? Vec6(Vec6::Zero()) : velocity[node]; }
};

}  // namespace freeplay
