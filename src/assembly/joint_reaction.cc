#include "freeplay/assembly/joint_reaction.h"

namespace freeplay {

namespace {

/// Of the equations of a joint and of the friction in it, on the node of b.
Vec6 ideal_wrench(const Model& model, int number, const State& state, std::span<const double> multipliers) {
  const Joint& joint = model.joints[number];
  const FramePlace A = place_of(joint.a, state);
  const FramePlace B = place_of(joint.b, state);
  const JointMotion at = rest_of(joint, [&](const Frame& frame) { return place_of(frame, state); });
  Vec12 wrench = Vec12::Zero();
  for (std::size_t k = 0; k < joint.equations.size(); ++k)
    wrench -= multipliers[joint.first_equation + k] *
              joint.equations[k].gradient(at, state.time, state.load_factor).head<12>();
  for (const JointFriction& friction : model.frictions) {
    if (friction.joint != number) continue;
    FramePlace rotated = B;
    rotated.a = A.a;
    for (int c = 0; c < friction.n_slips(); ++c)
      wrench -= multipliers[friction.first_multiplier + c] * friction.slips[c].wrench(A, rotated, A.a);
  }
  return wrench.tail<6>();
}

}  // namespace

JointReaction reaction(const Model& model, const ReportedJoint& joint, const State& state, const Motion& now,
                       std::span<const double> multipliers) {
  const FramePlace B = place_of(joint.b, state);
  JointReaction result;
  result.position = B.x;
  result.axes = place_of(joint.a, state).a;
  if (joint.joint >= 0) {
    const Vec6 wrench = ideal_wrench(model, joint.joint, state, multipliers);
    result.force = wrench.head<3>();
    result.moment = wrench.tail<3>() - B.r.cross(result.force);
  }
  for (const std::size_t e : joint.contacts) {
    const ContactPoint point = model.elements[e]->contact_point(now, internal_of(model, state, e));
    const Vec3 force = point.normal_force + point.friction_force;
    result.force += force;
    result.moment += (point.position - B.x).cross(force);
  }
  return result;
}

}  // namespace freeplay
