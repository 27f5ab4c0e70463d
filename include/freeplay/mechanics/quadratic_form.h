#pragma once

#include <algorithm>
#include <array>
#include <string>

#include "freeplay/mechanics/frame.h"

namespace freeplay {

using Vec12 = Eigen::Matrix<double, 12, 1>;
using Mat12 = Eigen::Matrix<double, 12, 12>;

/// A scalar pi(q) that is quadratic in the q of two frames A and B: the building block of constraints, strains and
/// spring laws. Because it is quadratic, its gradient at the mean of two configurations times their difference is
/// exactly the difference of its values; all energy identities of the scheme rest on that.
///
/// u = x_B - x_A; a_i, b_j are axes of A and B.
struct QuadraticTerm {
  enum class Kind {
    coordinate,  ///< u . a_i(start of step): linear; directions are frozen over the step, so that no work is done
    offset,      ///< u . a_i
    dot,         ///< a_i . b_j
    half_square  ///< u . u / 2
  };
  Kind kind = Kind::coordinate;
  int i = 0;
  int j = 0;
  double factor = 1.0;
};

/// A sum of at most three terms.
class QuadraticForm {
 public:
  QuadraticForm() = default;
  QuadraticForm(const QuadraticTerm& term) : terms_{term, {}, {}}, n_terms_(1) {}  // NOLINT
  QuadraticForm(const QuadraticTerm& first, const QuadraticTerm& second) : terms_{first, second, {}}, n_terms_(2) {}
  QuadraticForm(const QuadraticTerm& first, const QuadraticTerm& second, const QuadraticTerm& third)
      : terms_{first, second, third}, n_terms_(3) {}

  /// Value with the frames at places `A`, `B`; `frozen` are the axes of A that `coordinate` terms are measured along.
  double value(const FramePlace& A, const FramePlace& B, const Mat3& frozen) const;

  /// Derivative along (dx_A, dphi_A, dx_B, dphi_B), where dx moves the frame's node and dphi is a small rotation of it,
  /// all in inertial axes. Evaluated at mean places, this is at the same time the force and moment (about the mean
  /// position of each node) that a unit multiplier puts on the two nodes.
  Vec12 wrench(const FramePlace& A, const FramePlace& B, const Mat3& frozen) const;

  /// Derivative of wrench(mid) by the same twelve variations of the end of the step.
  Mat12 mid_wrench_tangent(const FrameMotion& A, const FrameMotion& B, const Mat3& frozen) const;

  /// Gradient by the four vectors that a jump is made of: x_B (minus that for x_A), and the axes of A and B.
  struct Gradient {
    Vec3 x = Vec3::Zero();
    Mat3 a = Mat3::Zero();  ///< column i: by a_i
    Mat3 b = Mat3::Zero();
  };
  Gradient gradient(const FramePlace& A, const FramePlace& B, const Mat3& frozen) const;

  /// Change of the form over a step from the change of the places, free of the round-off of positions.
  double change(const FramePlace& A_mid, const FramePlace& B_mid, const FramePlace& A_change,
                const FramePlace& B_change, const Mat3& frozen) const;

  /// Second time derivative of the form for rates (x, a) and second rates of both frames.
  double second_rate(const FramePlace& A, const FramePlace& B, const FramePlace& A_rate, const FramePlace& B_rate,
                     const FramePlace& A_second, const FramePlace& B_second, const Mat3& frozen) const;

  /// Whether a rotation of the first or second place changes it, or would: directions that are frozen over a step are
  /// those of nobody.
  bool uses_axes(int side) const {
    return std::any_of(terms_.begin(), terms_.begin() + n_terms_, [side](const QuadraticTerm& term) {
      return term.kind == QuadraticTerm::Kind::dot || (side == 0 && term.kind == QuadraticTerm::Kind::offset);
    });
  }

  QuadraticForm scaled(double factor) const;
  QuadraticTerm& term(int k) { return terms_[k]; }

 private:
  std::array<QuadraticTerm, 3> terms_;
  int n_terms_ = 0;
};

}  // namespace freeplay
