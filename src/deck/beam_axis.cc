#include "freeplay/deck/beam_axis.h"

#include "freeplay/math/rotation.h"

namespace freeplay {

namespace {

std::vector<std::unique_ptr<Curve>> curves_of(const BeamSpec& beam) {
  std::vector<std::unique_ptr<Curve>> curves;
  if (beam.from) {
    curves.push_back(make_segment(*beam.from, *beam.to));
  } else if (beam.arc) {
    curves.push_back(make_arc(beam.arc->from, beam.arc->centre, beam.arc->axis, beam.arc->angle));
  } else if (!beam.spline.empty()) {
    curves.push_back(make_spline(beam.spline));
  }
  for (std::size_t k = 0; k + 1 < beam.polyline.size(); ++k)
    curves.push_back(make_segment(beam.polyline[k], beam.polyline[k + 1]));
  return curves;
}

/// Third axis along the beam, the first as given or along a coordinate axis.
Mat3 start_axes(const BeamSpec& beam, const Vec3& along) {
  if (!beam.first_axis) return basis_with_third_axis(along);
  const Vec3 first = (*beam.first_axis - beam.first_axis->dot(along) * along).normalized();
  Mat3 axes;
  axes << first, along.cross(first), along;
  return axes;
}

}  // namespace

BeamAxis::BeamAxis(const BeamSpec& beam) : start_{0.0}, twist_(beam.twist) {
  Vec3 direction;  // at the end of the piece before
  Mat3 axes;       // likewise
  for (std::unique_ptr<Curve>& curve : curves_of(beam)) {
    const Vec3 tangent = curve->tangent(0.0);
    if (pieces_.empty()) {
      axes = start_axes(beam, tangent);
    } else {
      axes = Eigen::Quaterniond::FromTwoVectors(direction, tangent).toRotationMatrix() * axes;
    }
    const double length = curve->length();
    direction = curve->tangent(length);
    const Mat3 to_end = curve->transport(length);
    start_.push_back(start_.back() + length);
    pieces_.push_back({std::move(curve), axes});
    axes = to_end * axes;
  }
}

Pose BeamAxis::at(int piece, double s) const {
  const Piece& p = pieces_[piece];
  const double own = s - start_[piece];
  const Mat3 axes = p.curve->transport(own) * p.axes;
  if (twist_ == 0.0) return {p.curve->point(own), axes};
  return {p.curve->point(own), axes * Eigen::AngleAxisd(twist_ * s / length(), Vec3::UnitZ()).toRotationMatrix()};
}

}  // namespace freeplay
