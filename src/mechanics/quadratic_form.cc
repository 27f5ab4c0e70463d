#include "freeplay/mechanics/quadratic_form.h"

namespace freeplay {

using Kind = QuadraticTerm::Kind;
using Mat3x12 = Eigen::Matrix<double, 3, 12>;

namespace {

double term_value(const QuadraticTerm& term, const FramePlace& A, const FramePlace& B, const Mat3& frozen) {
  const Vec3 u = B.x - A.x;
  switch (term.kind) {
    case Kind::coordinate:
      return u.dot(frozen.col(term.i));
    case Kind::offset:
      return u.dot(A.a.col(term.i));
    case Kind::dot:
      return A.a.col(term.i).dot(B.a.col(term.j));
    case Kind::half_square:
      return 0.5 * u.squaredNorm();
  }
  return 0.0;
}

/// Force on x_B (opposite on x_A) of a term that pulls on the points.
Vec3 pull(const QuadraticTerm& term, const FramePlace& A, const FramePlace& B, const Mat3& frozen) {
  switch (term.kind) {
    case Kind::coordinate:
      return frozen.col(term.i);
    case Kind::offset:
      return A.a.col(term.i);
    case Kind::half_square:
      return B.x - A.x;
    case Kind::dot:
      break;
  }
  return Vec3::Zero();
}

Vec12 term_wrench(const QuadraticTerm& term, const FramePlace& A, const FramePlace& B, const Mat3& frozen) {
  Vec12 w;
  if (term.kind == Kind::dot) {
    const Vec3 moment = A.a.col(term.i).cross(B.a.col(term.j));
    w << Vec3::Zero(), moment, Vec3::Zero(), -moment;
    return w;
  }
  const Vec3 f = pull(term, A, B, frozen);
  Vec3 moment_a = -A.r.cross(f);
  if (term.kind == Kind::offset) moment_a += f.cross(B.x - A.x);
  w << -f, moment_a, f, B.r.cross(f);
  return w;
}

/// Variation of p x q given those of p and q.
Mat3x12 cross_variation(const Vec3& p, const Mat3x12& dp, const Vec3& q, const Mat3x12& dq) {
  return skew(p) * dq - skew(q) * dp;
}

/// Half the variation of a vector that turns with the node of A (node = 0) or B (node = 1).
Mat3x12 rotating(const Vec3& end, int node) {
  Mat3x12 d = Mat3x12::Zero();
  d.middleCols<3>(6 * node + 3) = -0.5 * skew(end);
  return d;
}

Mat12 term_mid_tangent(const QuadraticTerm& term, const FrameMotion& A, const FrameMotion& B, const Mat3& frozen) {
  Mat12 tangent = Mat12::Zero();
  if (term.kind == Kind::dot) {
    const Mat3x12 d = cross_variation(A.mid.a.col(term.i), rotating(A.end.a.col(term.i), 0), B.mid.a.col(term.j),
                                      rotating(B.end.a.col(term.j), 1));
    tangent.middleRows<3>(3) = d;
    tangent.middleRows<3>(9) = -d;
    return tangent;
  }
  const Mat3x12 dr_a = rotating(A.end.r, 0);
  const Mat3x12 dr_b = rotating(B.end.r, 1);
  Mat3x12 du = dr_b - dr_a;
  du.leftCols<3>() -= 0.5 * Mat3::Identity();
  du.middleCols<3>(6) += 0.5 * Mat3::Identity();

  const Vec3 f = pull(term, A.mid, B.mid, frozen);
  Mat3x12 df = Mat3x12::Zero();
  if (term.kind == Kind::offset) df = rotating(A.end.a.col(term.i), 0);
  if (term.kind == Kind::half_square) df = du;

  tangent.middleRows<3>(0) = -df;
  tangent.middleRows<3>(3) = -cross_variation(A.mid.r, dr_a, f, df);
  if (term.kind == Kind::offset) tangent.middleRows<3>(3) += cross_variation(f, df, B.mid.x - A.mid.x, du);
  tangent.middleRows<3>(6) = df;
  tangent.middleRows<3>(9) = cross_variation(B.mid.r, dr_b, f, df);
  return tangent;
}

}  // namespace

double QuadraticForm::value(const FramePlace& A, const FramePlace& B, const Mat3& frozen) const {
  double sum = 0.0;
  for (int k = 0; k < n_terms_; ++k) sum += terms_[k].factor * term_value(terms_[k], A, B, frozen);
  return sum;
}

Vec12 QuadraticForm::wrench(const FramePlace& A, const FramePlace& B, const Mat3& frozen) const {
  Vec12 sum = Vec12::Zero();
  for (int k = 0; k < n_terms_; ++k) sum += terms_[k].factor * term_wrench(terms_[k], A, B, frozen);
  return sum;
}

Mat12 QuadraticForm::mid_wrench_tangent(const FrameMotion& A, const FrameMotion& B, const Mat3& frozen) const {
  Mat12 sum = Mat12::Zero();
  for (int k = 0; k < n_terms_; ++k) sum += terms_[k].factor * term_mid_tangent(terms_[k], A, B, frozen);
  return sum;
}

QuadraticForm::Gradient QuadraticForm::gradient(const FramePlace& A, const FramePlace& B, const Mat3& frozen) const {
  Gradient gradient;
  for (int k = 0; k < n_terms_; ++k) {
    const QuadraticTerm& term = terms_[k];
    if (term.kind == Kind::dot) {
      gradient.a.col(term.i) += term.factor * B.a.col(term.j);
      gradient.b.col(term.j) += term.factor * A.a.col(term.i);
    } else {
      gradient.x += term.factor * pull(term, A, B, frozen);
      if (term.kind == Kind::offset) gradient.a.col(term.i) += term.factor * (B.x - A.x);
    }
  }
  return gradient;
}

double QuadraticForm::change(const FramePlace& A_mid, const FramePlace& B_mid, const FramePlace& A_change,
                             const FramePlace& B_change, const Mat3& frozen) const {
  const Gradient g = gradient(A_mid, B_mid, frozen);
  return g.x.dot(B_change.x - A_change.x) + g.a.cwiseProduct(A_change.a).sum() + g.b.cwiseProduct(B_change.a).sum();
}

double QuadraticForm::second_rate(const FramePlace& A, const FramePlace& B, const FramePlace& A_rate,
                                  const FramePlace& B_rate, const FramePlace& A_second, const FramePlace& B_second,
                                  const Mat3& frozen) const {
  double sum = 0.0;
  const Vec3 u_rate = B_rate.x - A_rate.x;
  const Gradient g = gradient(A, B, frozen);
  sum += g.x.dot(B_second.x - A_second.x) + g.a.cwiseProduct(A_second.a).sum() + g.b.cwiseProduct(B_second.a).sum();
  for (int k = 0; k < n_terms_; ++k) {
    const QuadraticTerm& term = terms_[k];
    if (term.kind == Kind::offset) sum += term.factor * 2.0 * u_rate.dot(A_rate.a.col(term.i));
    if (term.kind == Kind::dot) sum += term.factor * 2.0 * A_rate.a.col(term.i).dot(B_rate.a.col(term.j));
    if (term.kind == Kind::half_square) sum += term.factor * u_rate.squaredNorm();
  }
  return sum;
}

QuadraticForm QuadraticForm::scaled(double factor) const {
  QuadraticForm result = *this;
  for (QuadraticTerm& term : result.terms_) term.factor *= factor;
  return result;
}

}  // namespace freeplay
