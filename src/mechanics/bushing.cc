
#include "freeplay/mechanics/spring.h"
#include "pair_assembly.h"

namespace freeplay {

using Kind = QuadraticTerm::Kind;

namespace {

/// K_1 = 1/2 (a_2 . b_3 ... ) in the sign of a rotation of B relative to A: for a small rotation by theta about a_1,
/// b_2 = a_2 + theta a_3 and b_3 = a_3 - theta a_2, hence K_1 = 1/2 (a_3 . b_2 - a_2 . b_3); cyclic.
QuadraticForm rotation_strain(int k) {
  const int next = (k + 1) % 3;
  const int after = (k + 2) % 3;
  return {QuadraticTerm{Kind::dot, after, next, 0.5}, QuadraticTerm{Kind::dot, next, after, -0.5}};
}

/// The part of P(R_i, R_j)^T that belongs to one frame: from the gradient of a form by the frame's point and axes to
/// the body axes of its node; P^T F = (D^T F_x, sum_k e_k x D^T F_dk) with D = (R_i + R_j)/2.
Vec6 pulled_back(const Frame& frame, const Mat3& mean_rotation, const Vec3& by_point, const Mat3& by_axes) {
  const Vec3 f = mean_rotation.transpose() * by_point;
  Vec3 m = frame.offset.cross(f);
  for (int k = 0; k < 3; ++k) m += frame.axes.col(k).cross(mean_rotation.transpose() * by_axes.col(k));
  Vec6 result;
  result << f, m;
  return result;
}

Mat3 mean_rotation(const NodeMotion& node) { return 0.5 * (node.start.R + node.jump().R); }

}  // namespace

Bushing::Bushing(std::string name, const Frame& a, const Frame& b, const Vec6& stiffness, const Vec6& damping)
    : ForceElement(std::move(name)), a_(a), b_(b), nodes_{a.node, b.node}, stiffness_(stiffness), damping_(damping) {
  for (int k = 0; k < 3; ++k) {
    forms_[k] = QuadraticTerm{Kind::offset, k, 0, 1.0};
    forms_[3 + k] = rotation_strain(k);
  }
}

Bushing::Strain Bushing::strain(const FramePlace& A, const FramePlace& B) const {
  Strain e;
  for (int k = 0; k < 6; ++k) e[k] = forms_[k].value(A, B, A.a);
  return e;
}

Bushing::Strain Bushing::stress(const Motion& motion) const {
  const FrameMotion A = motion(a_);
  const FrameMotion B = motion(b_);
  const Strain end = strain(A.end, B.end);
  const Strain after_jump = motion.is_instant() ? end : strain(motion.jump(a_).end, motion.jump(b_).end);
  Strain rate;
  for (int k = 0; k < 6; ++k) rate[k] = rate_of(forms_[k], motion, nodes_, A, B);
  return 0.5 * stiffness_.cwiseProduct(end + after_jump) + damping_.cwiseProduct(rate);
}

void Bushing::add_forces(const Motion& motion, std::span<const double>, std::vector<Vec6>& forces) const {
  const FrameMotion A = motion(a_);
  const FrameMotion B = motion(b_);
  const Strain s = stress(motion);
  for (int k = 0; k < 6; ++k) add_wrench(nodes_, s[k] * forms_[k].wrench(A.mid, B.mid, A.start.a), forces);
}

void Bushing::add_jump_forces(const Motion& motion, std::vector<Vec6>& forces) const {
  const FrameMotion A = motion.jump(a_);
  const FrameMotion B = motion.jump(b_);
  const Strain start = strain(A.start, B.start);
  const Strain end = strain(motion(a_).end, motion(b_).end);
  const Strain s = stiffness_.cwiseProduct((end - start) - motion.alpha * (strain(A.end, B.end) - start));
  QuadraticForm::Gradient sum;
  for (int k = 0; k < 6; ++k) {
    const QuadraticForm::Gradient g = forms_[k].gradient(A.mid, B.mid, A.start.a);
    sum.x += s[k] * g.x;
    sum.a += s[k] * g.a;
    sum.b += s[k] * g.b;
  }
  if (a_.node != ground) forces[a_.node] += pulled_back(a_, mean_rotation(motion.nodes[a_.node]), -sum.x, sum.a);
  if (b_.node != ground) forces[b_.node] += pulled_back(b_, mean_rotation(motion.nodes[b_.node]), sum.x, sum.b);
}

namespace {

/// Derivative of pulled_back() by the variations (dx_A, dphi_A, dx_B, dphi_B) of the state after the jump, at fixed
/// stress: through the mean rotation of the frame's own node and through the gradient, which is linear in q.
Eigen::Matrix<double, 6, 12> pulled_back_tangent(
    const Frame& frame, int side, const NodeMotion& node, const QuadraticForm::Gradient& gradient,
    const std::array<Eigen::Matrix<double, 3, 12>, 4>& gradient_variation) {
  const Mat3 D_t = mean_rotation(node).transpose();
  const Vec3 by_point = side == 0 ? Vec3(-gradient.x) : gradient.x;
  const Mat3& by_axes = side == 0 ? gradient.a : gradient.b;
  const auto variation = [&](const Vec3& force, const Eigen::Matrix<double, 3, 12>& force_variation) {
    Eigen::Matrix<double, 3, 12> d = D_t * force_variation;
    // d(D^T) F = 1/2 R_j^T F~ dphi
    d.middleCols<3>(6 * side + 3) += 0.5 * node.jump().R.transpose() * skew(force);
    return d;
  };
  const double sign = side == 0 ? -1.0 : 1.0;
  Eigen::Matrix<double, 6, 12> result;
  const Eigen::Matrix<double, 3, 12> df = variation(by_point, sign * gradient_variation[3]);
  result.topRows<3>() = df;
  result.bottomRows<3>() = skew(frame.offset) * df;
  for (int k = 0; k < 3; ++k)
    result.bottomRows<3>() += skew(frame.axes.col(k)) * variation(by_axes.col(k), gradient_variation[k]);
  return result;
}

}  // namespace

void Bushing::add_tangent(const Motion& motion, std::span<const double>, TangentSink& sink) const {
  using Row = TangentSink::Row;
  using Column = TangentSink::Column;
  using Mat3x12 = Eigen::Matrix<double, 3, 12>;
  const FrameMotion A = motion(a_);
  const FrameMotion B = motion(b_);
  const FrameMotion Aj = motion.jump(a_);
  const FrameMotion Bj = motion.jump(b_);
  const Strain s = stress(motion);
  const Strain start = strain(A.start, B.start);
  const Strain jump_stress =
      stiffness_.cwiseProduct((strain(A.end, B.end) - start) - motion.alpha * (strain(Aj.end, Bj.end) - start));

  // At fixed stress the gradient of the strains varies linearly with q_h = (q_i + q_j)/2.
  QuadraticForm::Gradient gradient;
  Mat3x12 du = Mat3x12::Zero();
  du.leftCols<3>() = -0.5 * Mat3::Identity();
  du.middleCols<3>(3) = 0.5 * skew(Aj.end.r);
  du.middleCols<3>(6) = 0.5 * Mat3::Identity();
  du.middleCols<3>(9) = -0.5 * skew(Bj.end.r);
  std::array<Mat3x12, 3> da, db;  // variation of the mean axes
  for (int k = 0; k < 3; ++k) {
    da[k] = db[k] = Mat3x12::Zero();
    da[k].middleCols<3>(3) = -0.5 * skew(Aj.end.a.col(k));
    db[k].middleCols<3>(9) = -0.5 * skew(Bj.end.a.col(k));
  }
  std::array<Mat3x12, 4> by_a, by_b;  // variation of the gradient by a_k (by b_k), and by the point
  for (auto* list : {&by_a, &by_b})
    for (Mat3x12& m : *list) m.setZero();
  for (int k = 0; k < 3; ++k) {
    const int next = (k + 1) % 3;
    const int after = (k + 2) % 3;
    by_a[k] += jump_stress[k] * du;
    by_a[3] += jump_stress[k] * da[k];
    by_b[3] += jump_stress[k] * da[k];
    by_a[after] += 0.5 * jump_stress[3 + k] * db[next];
    by_b[next] += 0.5 * jump_stress[3 + k] * da[after];
    by_a[next] -= 0.5 * jump_stress[3 + k] * db[after];
    by_b[after] -= 0.5 * jump_stress[3 + k] * da[next];
  }
  Mat12 balance_end = Mat12::Zero(), balance_jump = Mat12::Zero(), jump_end = Mat12::Zero(), jump_jump = Mat12::Zero();
  for (int k = 0; k < 6; ++k) {
    const Vec12 mid_wrench = forms_[k].wrench(A.mid, B.mid, A.start.a);
    const Vec12 end_wrench = forms_[k].wrench(A.end, B.end, A.start.a);
    const Vec12 jump_wrench = forms_[k].wrench(Aj.end, Bj.end, A.start.a);
    balance_end += (0.5 * stiffness_[k] + damping_[k] / motion.dt) * mid_wrench * end_wrench.transpose() +
                   s[k] * forms_[k].mid_wrench_tangent(A, B, A.start.a);
    balance_jump += 0.5 * stiffness_[k] * mid_wrench * jump_wrench.transpose();

    const QuadraticForm::Gradient g = forms_[k].gradient(Aj.mid, Bj.mid, A.start.a);
    Vec12 back = Vec12::Zero();
    if (a_.node != ground) back.head<6>() = pulled_back(a_, mean_rotation(motion.nodes[a_.node]), -g.x, g.a);
    if (b_.node != ground) back.tail<6>() = pulled_back(b_, mean_rotation(motion.nodes[b_.node]), g.x, g.b);
    jump_end += stiffness_[k] * back * end_wrench.transpose();
    jump_jump -= motion.alpha * stiffness_[k] * back * jump_wrench.transpose();
    gradient.x += jump_stress[k] * g.x;
    gradient.a += jump_stress[k] * g.a;
    gradient.b += jump_stress[k] * g.b;
  }
  if (a_.node != ground) jump_jump.topRows<6>() += pulled_back_tangent(a_, 0, motion.nodes[a_.node], gradient, by_a);
  if (b_.node != ground) jump_jump.bottomRows<6>() += pulled_back_tangent(b_, 1, motion.nodes[b_.node], gradient, by_b);
  add_block(nodes_, Row::balance, Column::end, balance_end, sink);
  add_block(nodes_, Row::balance, Column::jump, balance_jump, sink);
  add_block(nodes_, Row::jump, Column::end, jump_end, sink);
  add_block(nodes_, Row::jump, Column::jump, jump_jump, sink);
}

StepWork Bushing::work(const Motion& motion, std::span<const double>) const {
  const FrameMotion A = motion(a_);
  const FrameMotion B = motion(b_);
  const Strain start = strain(A.start, B.start);
  const Strain end = strain(A.end, B.end);
  const Strain jump = strain(motion.jump(a_).end, motion.jump(b_).end) - start;
  StepWork work;
  work.damping_loss = damping_.cwiseProduct(end - start).dot(end - start) / motion.dt;
  work.numerical_loss = 0.5 * motion.alpha * stiffness_.cwiseProduct(jump).dot(jump);
  return work;
}

double Bushing::stored_energy(const Motion& motion, std::span<const double>) const {
  const Strain e = strain(motion(a_).start, motion(b_).start);
  return 0.5 * stiffness_.cwiseProduct(e).dot(e);
}

std::vector<ForceElement::Quantity> Bushing::quantities() const {
  return {{"force.x", "N"},    {"force.y", "N"},    {"force.z", "N"},
          {"moment.x", "N*m"}, {"moment.y", "N*m"}, {"moment.z", "N*m"}};
}

void Bushing::evaluate(const Motion& motion, std::span<const double>, std::span<double> values) const {
  const Strain s = stress(motion);
  for (int k = 0; k < 6; ++k) values[k] = s[k];
}

}  // namespace freeplay
