#include "freeplay/math/curve.h"

namespace freeplay {

namespace {

class Segment : public Curve {
 public:
  Segment(const Vec3& from, const Vec3& to) : from_(from), way_(to - from), length_(way_.norm()) {}
  double length() const override { return length_; }
  Vec3 point(double s) const override { return from_ + s / length_ * way_; }
  Vec3 tangent(double) const override { return way_.normalized(); }
  Mat3 transport(double) const override { return Mat3::Identity(); }

 private:
  Vec3 from_, way_;
  double length_;
};

class Arc : public Curve {
 public:
  Arc(const Vec3& from, const Vec3& centre, const Vec3& axis, double angle)
      : centre_(centre), arm_(from - centre), axis_(axis), angle_(angle) {}
  double length() const override { return arm_.norm() * angle_; }
  Vec3 point(double s) const override { return centre_ + transport(s) * arm_; }
  Vec3 tangent(double s) const override { return transport(s) * axis_.cross(arm_).normalized(); }
  /// About the normal of its plane, which is normal to the tangent.
  Mat3 transport(double s) const override { return Eigen::AngleAxisd(angle_ * s / length(), axis_).toRotationMatrix(); }

 private:
  Vec3 centre_, arm_, axis_;
  double angle_;
};

}  // namespace

std::unique_ptr<Curve> make_segment(const Vec3& from, const Vec3& to) { return std::make_unique<Segment>(from, to); }

std::unique_ptr<Curve> make_arc(const Vec3& from, const Vec3& centre, const Vec3& axis, double angle) {
  return std::make_unique<Arc>(from, centre, axis, angle);
}

}  // namespace freeplay
