#pragma once

#include <memory>

#include "freeplay/math/dual.h"
#include "freeplay/mechanics/motion.h"

namespace freeplay {

/// A frame over a step as contacts see it: where it is at both ends of the step, and how its node moves.
/// At an instant, start and end are the same, and the motion is the velocity.
template <class T>
struct FrameStep {
  Vec3 x_i, r_i;  ///< position; arm from the node [m]
  Mat3 a_i;       ///< axes
  Vector3<T> x_f, r_f;
  Matrix3<T> a_f;
  Vector3<T> displacement, rotation;  ///< of the node: x_f - x_i and the Cayley vector from R_i to R_f, inertial axes

  Vector3<T> r_m() const { return 0.5 * (r_f + r_i); }
  Vector3<T> axis(int k) const { return 0.5 * (a_f.col(k) + a_i.col(k)); }  ///< mean of the axis k
  /// Way of the point of the body at `arm` from the mean position of the node.
  Vector3<T> displacement_of(const Vector3<T>& arm) const { return displacement + rotation.cross(arm); }
};

/// Gap and its gradient over a step, and the place of contact. Body a carries the bearing or the plane, b the journal,
/// ball or point.
template <class T>
struct ContactKinematics {
  double gap_i = 0.0;
  T gap_f = 0.0;
  /// Force and moments (about the mean positions of the nodes) on b and a per unit of normal force: their work on the
  /// motion of the step is gap_f - gap_i exactly.
  Vector3<T> force_b, moment_a, moment_b;
  Vector3<T> normal;        ///< unit vector in which the contact pushes b
  Vector3<T> arm_a, arm_b;  ///< from the mean positions of the nodes to the place where the bodies slip past each other
};

/// Where two bodies touch: geometry only, knows no force.
class ContactGeometry {
 public:
  virtual ~ContactGeometry() = default;
  virtual ContactKinematics<double> kinematics(const FrameStep<double>& a, const FrameStep<double>& b) const = 0;
  virtual ContactKinematics<Dual> kinematics(const FrameStep<Dual>& a, const FrameStep<Dual>& b) const = 0;
};

/// Journal and bearing that stay in one plane (Bauchau and Ju 2006, section 2.1): gap = R_a - R_b - |u|, u in the plane
/// of the bearing's first two axes.
std::unique_ptr<ContactGeometry> planar_clearance(double bearing_radius, double journal_radius);

/// Ball in a socket: the same without the plane.
std::unique_ptr<ContactGeometry> spherical_clearance(double bearing_radius, double journal_radius);

/// Thin disk (normal: third axis of b) in a cylinder (along the third axis of a), Bauchau and Ju 2006, section 2.2. The
/// gap is the least distance over the angle around the cylinder; it is found also for large tilt.
std::unique_ptr<ContactGeometry> spatial_clearance(double bearing_radius, double journal_radius);

/// Two balls beside each other: gap = |u| - R_a - R_b.
std::unique_ptr<ContactGeometry> ball_on_ball(double first_radius, double second_radius);

/// Two disks beside each other, u in the plane of the first two axes of the first.
std::unique_ptr<ContactGeometry> disk_on_disk(double first_radius, double second_radius);

/// A ball, or a point if the radius is zero, on the plane through a normal to its third axis; b is on the side of that
/// axis.
std::unique_ptr<ContactGeometry> ball_on_plane(double radius);

/// The rim of a thin disk (normal: third axis of b) on the plane.
std::unique_ptr<ContactGeometry> disk_on_plane(double radius);

}  // namespace freeplay
