#pragma once

#include <memory>
#include <vector>

#include "freeplay/deck/spec.h"
#include "freeplay/math/curve.h"
#include "freeplay/math/pose.h"

namespace freeplay {

/// The axis of a beam in its reference state, with the axes of its sections: smooth pieces that join in corners.
/// The section axes begin with `first_axis` of the spec. Along the curve they turn with its direction and not about it
/// (Curve::transport), in a corner about the normal of the plane of the corner, and in addition `twist` times the
/// fraction of the length about the curve.
class BeamAxis {
 public:
  /// The spec has passed the checks of the reader.
  explicit BeamAxis(const BeamSpec& beam);

  double length() const { return start_.back(); }
  int n_pieces() const { return static_cast<int>(pieces_.size()); }
  double start_of(int piece) const { return start_[piece]; }  ///< arc length; that of the end for n_pieces()

  /// Position and section axes at an arc length of the beam; at a corner the pieces have different axes.
  Pose at(int piece, double s) const;
  Vec3 start_direction() const { return pieces_.front().curve->tangent(0.0); }

 private:
  struct Piece {
    std::unique_ptr<Curve> curve;
    Mat3 axes;  ///< at its start, without the twist
  };
  std::vector<Piece> pieces_;
  std::vector<double> start_;
  double twist_;
};

}  // namespace freeplay
