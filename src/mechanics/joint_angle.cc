#include "freeplay/mechanics/joint_angle.h"

#include <cmath>

namespace freeplay {

namespace {

double angle(const FramePlace& a, const FramePlace& b) {
  return std::atan2(a.a.col(1).dot(b.a.col(0)), a.a.col(0).dot(b.a.col(0)));
}

}  // namespace

JointAngle::JointAngle(std::string name, const Frame& a, const Frame& b)
    : ForceElement(std::move(name)), a_(a), b_(b), nodes_{a.node, b.node} {}

void JointAngle::initialise(const Motion& motion, std::span<double> internal) const {
  internal[0] = angle(motion(a_).start, motion(b_).start);
}

/// No step turns a body by more than a part of a turn, so that the nearest of all angles that fit is the right one.
void JointAngle::advance(const Motion& motion, std::span<double> internal) const {
  internal[0] += std::remainder(angle(motion(a_).end, motion(b_).end) - internal[0], 2.0 * M_PI);
}

}  // namespace freeplay
