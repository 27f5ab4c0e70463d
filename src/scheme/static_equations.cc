#include "freeplay/scheme/static_equations.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "freeplay/mechanics/weight.h"

namespace freeplay {

StaticEquations::StaticEquations(const Model& model, const Team& team)
    : model_(model), team_(team), ownership_(model, team), unknowns_(model) {
  for (int j = 0; j < unknowns_.n_joints(); ++j)
    if (ownership_.evaluates(j)) joints_.push_back(j);
  std::vector<int> sizes = unknowns_.block_sizes();
  sizes.push_back(1);
  first_.assign(1, 0);
  for (const int size : sizes) first_.push_back(first_.back() + size);
  const double L = model.length_scale;
  row_scale_ << Vec3::Constant(L), Vec3::Ones();
  metric_.assign(size(), 0.0);
  for (int n = 0; n < unknowns_.n_nodes(); ++n)
    for (std::size_t k = 0; k < unknowns_.free(n).size(); ++k)
      metric_[first_[n] + k] = unknowns_.free(n)[k] < 3 ? 1.0 / (L * L) : 1.0;
  metric_.back() = 1.0;
  double square = 0.0;
  for (const auto& element : model.elements) {
    const ForceElement::Cancelling part = element->cancelling(L);
    square += static_cast<double>(element->nodes().size()) * (std::pow(L * part.force, 2) + std::pow(part.moment, 2));
  }
  noise_ = std::numeric_limits<double>::epsilon() * std::sqrt(square);
  const std::size_t n = model.nodes.size();
  motion_.kind = Motion::Kind::rest;
  motion_.nodes.resize(n);
  xi_.resize(n);
  variation_.resize(n);
  for (auto* list : {&forces_, &loads_, &joint_forces_}) list->resize(n);
}

void StaticEquations::begin(const State& start) {
  start_ = &start;
  motion_.time = start.time;
  internal_ = start.internal;
  position_scale_ = model_.length_scale;
  for (const Pose& pose : start.pose) position_scale_ = std::max(position_scale_, pose.x.norm());
}

void StaticEquations::guess(std::span<double> u) const {
  std::fill(u.begin(), u.end(), 0.0);
  for (int j = 0; j < unknowns_.n_joints(); ++j) {
    const auto& active = unknowns_.active(j);
    for (std::size_t k = 0; k < active.size(); ++k)
      u[first_[unknowns_.joint_block(j)] + k] = start_->multiplier[model_.joints[j].first_equation + active[k]];
  }
  u.back() = start_->load_factor;
}

void StaticEquations::update(std::span<const double> u) {
  load_factor_ = u.back();
  for (int n = 0; n < unknowns_.n_nodes(); ++n) {
    xi_[n] = unknowns_.gather(n, &u[first_[n]]);
    const Pose& start = start_->pose[n];
    NodeMotion& node = motion_.nodes[n];
    node = {start};
    node.to_end =
        change_of(start, displacement_of(xi_[n].head<3>(), xi_[n].tail<3>()), cayley_change(xi_[n].tail<3>()));
    variation_[n] = moved_tangent(start, node.end(), xi_[n]);
  }
  // What elements remember (strains, turns of a torsional spring) sees the way from the start.
  internal_ = start_->internal;
  for (std::size_t e = 0; e < model_.elements.size(); ++e) {
    if (!ownership_.evaluates(*model_.elements[e])) continue;
    const auto n = static_cast<std::size_t>(model_.elements[e]->n_internal());
    model_.elements[e]->advance(motion_, {internal_.data() + model_.first_internal[e], n});
  }
  for (NodeMotion& node : motion_.nodes) node = {node.end()};
}

FramePlace StaticEquations::start_place(const Frame& frame) const {
  return place(frame, frame.node == ground ? Pose{} : start_->pose[frame.node]);
}

JointMotion StaticEquations::resting(const Joint& joint) const {
  JointMotion at = motion_of(joint, motion_);
  at.frozen = start_place(joint.a).a;
  return at;
}

void StaticEquations::add_gravity() {
  for (std::size_t n = 0; n < loads_.size(); ++n)
    loads_[n] += resisting_weight(model_.nodes[n], motion_.nodes[n].end().R, model_.gravity);
}

void StaticEquations::add_joint_forces(std::span<const double> u, std::span<double> r) {
  constraint_max_ = 0.0;
  for (const int j : joints_) {
    const Joint& joint = model_.joints[j];
    const JointMotion at = resting(joint);
    const int first = first_[unknowns_.joint_block(j)];
    const auto& active = unknowns_.active(j);
    for (std::size_t k = 0; k < active.size(); ++k) {
      const Equation& equation = joint.equations[active[k]];
      const JointVector w = u[first + k] * equation.gradient(at, time(), load_factor_);
      for (int side = 0; side < at.n_places; ++side)
        if (joint.node(side) != ground) joint_forces_[joint.node(side)] += w.segment<6>(6 * side);
      const double c = equation.value(at, time(), load_factor_, internal_);
      r[first + k] = equation.length_unit(model_.length_scale) * c;
      constraint_max_ = std::max(constraint_max_, std::abs(r[first + k]));
    }
  }
}

void StaticEquations::residual(std::span<const double> u, std::span<double> r) {
  update(u);
  for (auto* list : {&forces_, &loads_, &joint_forces_})
    for (Vec6& f : *list) f.setZero();
  add_gravity();
  for (std::size_t e = 0; e < model_.elements.size(); ++e) {
    const ForceElement& element = *model_.elements[e];
    if (!ownership_.evaluates(element)) continue;
    const auto n = static_cast<std::size_t>(element.n_internal());
    element.add_forces(motion_, {internal_.data() + model_.first_internal[e], n}, element.is_load() ? loads_ : forces_);
  }
  add_joint_forces(u, r);
  balance_square_ = reference_square_ = 0.0;
  for (int n = 0; n < unknowns_.n_nodes(); ++n) {
    if (!ownership_.has_node(n)) continue;
    const Mat3 R_t = start_->pose[n].R.transpose();
    const auto scaled = [&](const Vec6& f) -> Vec6 {
      Vec6 body;
      body << R_t * f.head<3>(), R_t * f.tail<3>();
      return row_scale_.cwiseProduct(body);
    };
    const Vec6 inner = scaled(forces_[n]);
    const Vec6 load = scaled(load_factor_ * loads_[n]);
    const Vec6 joint = scaled(joint_forces_[n]);
    const Vec6 balance = inner + load + joint;
    unknowns_.scatter(n, balance, &r[first_[n]]);
    for (const int k : unknowns_.free(n)) {
      balance_square_ += balance[k] * balance[k];
      reference_square_ += inner[k] * inner[k] + load[k] * load[k] + joint[k] * joint[k];
    }
  }
  std::array<double, 2> sums{balance_square_, reference_square_};
  team_.sum(sums);
  balance_square_ = sums[0];
  reference_square_ = sums[1];
  team_.largest({&constraint_max_, 1});
}

double StaticEquations::relative_size() const {
  constexpr double round_off = 4e-15;  // of positions
  const double gap = constraint_max_ <= round_off * position_scale_ ? 0.0 : constraint_max_ / model_.length_scale;
  const double balance = std::sqrt(balance_square_);
  const double size = std::hypot(reference_square_ > 0.0 ? balance / std::sqrt(reference_square_) : balance, gap);
  return std::isfinite(size) ? size : std::numeric_limits<double>::infinity();
}

bool StaticEquations::at_round_off() const {
  constexpr double round_off = 4e-15;
  return constraint_max_ <= round_off * position_scale_ && balance_square_ <= noise_ * noise_;
}

RestSink StaticEquations::sink(BlockMatrix& matrix) const {
  return {unknowns_, start_->pose, matrix, row_scale_, variation_};
}

void StaticEquations::add_stiffness(std::span<const double> u, BlockMatrix& matrix) {
  RestSink sink = this->sink(matrix);
  for (std::size_t e = 0; e < model_.elements.size(); ++e) {
    const ForceElement& element = *model_.elements[e];
    if (sink.ignores(element)) continue;
    const auto n = static_cast<std::size_t>(element.n_internal());
    sink.set_factor(element.is_load() ? load_factor_ : 1.0);
    element.add_tangent(motion_, {internal_.data() + model_.first_internal[e], n}, sink);
  }
  // Half of it: see the sink.
  sink.set_factor(0.5 * load_factor_);
  for (int n = 0; n < unknowns_.n_nodes(); ++n)
    sink.add(TangentSink::Row::balance, n, TangentSink::Column::end, n,
             weight_stiffness(model_.nodes[n], motion_.nodes[n].end().R, model_.gravity));
  sink.set_factor(1.0);
  for (int j = 0; j < unknowns_.n_joints(); ++j) {
    const Joint& joint = model_.joints[j];
    if (sink.ignores(joint)) continue;
    sink.add_joint(joint, force_tangent(joint, unknowns_.active(j), &u[first_[unknowns_.joint_block(j)]],
                                        resting(joint), time(), load_factor_));
  }
}

void StaticEquations::add_constraints(std::span<const double> u, BlockMatrix& matrix) const {
  const int last = unknowns_.n_nodes() + unknowns_.n_joints();
  RestSink sink = this->sink(matrix);
  for (const int j : joints_) {
    const Joint& joint = model_.joints[j];
    const JointMotion at = resting(joint);
    const auto& active = unknowns_.active(j);
    const int block = unknowns_.joint_block(j);
    const int n_active = static_cast<int>(active.size());
    const JointGradients gradients =
        columns_of(joint, active, [&](const Equation& each) { return each.gradient(at, time(), load_factor_); });
    // A drive on its way also turns the direction of its force.
    JointVector rotating = JointVector::Zero(6 * at.n_places);
    Eigen::Matrix<double, Eigen::Dynamic, 1, 0, 8, 1> length(n_active), by_load_factor(n_active);
    for (int k = 0; k < n_active; ++k) {
      const Equation& equation = joint.equations[active[k]];
      length[k] = equation.length_unit(model_.length_scale);
      by_load_factor[k] = length[k] * equation.by_load_factor(at, time(), load_factor_);
      rotating += u[first_[block] + k] * equation.gradient_by_load_factor(at, time(), load_factor_);
    }
    matrix.add(block, last, by_load_factor);
    for (int side = 0; side < at.n_places; ++side)
      if (joint.node(side) != ground) sink.add_force(joint.node(side), rotating.segment<6>(6 * side), last);
    sink.add_multipliers(joint, block, gradients, gradients * length.asDiagonal());
  }
}

void StaticEquations::jacobian(std::span<const double> u, std::span<const double> path_row, BlockMatrix& matrix) {
  matrix.set_zero();
  add_stiffness(u, matrix);
  const int load_factor = unknowns_.n_nodes() + unknowns_.n_joints();
  RestSink sink = this->sink(matrix);
  for (int n = 0; n < unknowns_.n_nodes(); ++n) sink.add_force(n, loads_[n], load_factor);
  add_constraints(u, matrix);
  const int last = unknowns_.n_nodes() + unknowns_.n_joints();
  for (int n = 0; n < unknowns_.n_nodes(); ++n) {
    const auto width = static_cast<Eigen::Index>(unknowns_.free(n).size());
    matrix.add(last, n, Eigen::RowVectorXd::Map(path_row.data() + first_[n], width));
  }
  matrix.add(last, last, Eigen::Matrix<double, 1, 1>(path_row.back()));
}

Pattern StaticEquations::stiffness_pattern() const {
  Pattern pattern(model_, unknowns_);
  pattern.add_nodes();
  pattern.add_elements();
  pattern.add_nodes_of_joints();
  return pattern;
}

BlockMatrix StaticEquations::make_matrix() const {
  Pattern pattern = stiffness_pattern();
  pattern.add_multipliers();
  const int load_factor = unknowns_.n_nodes() + unknowns_.n_joints();
  for (int n = 0; n < unknowns_.n_nodes(); ++n) pattern.couple_both(n, load_factor);
  for (int j = 0; j < unknowns_.n_joints(); ++j) pattern.couple(unknowns_.joint_block(j), load_factor);
  pattern.couple(load_factor, load_factor);
  std::vector<int> sizes = unknowns_.block_sizes();
  sizes.push_back(1);
  return {sizes, pattern.take(), ownership_.owners_of(unknowns_, 1)};
}

double StaticEquations::stiffest(const BlockMatrix& matrix) const {
  double largest = 0.0;
  for (int n = 0; n < unknowns_.n_nodes(); ++n)
    for (std::size_t k = 0; k < unknowns_.free(n).size(); ++k) {
      const int index = first_[n] + static_cast<int>(k);
      largest = std::max(largest, std::abs(matrix.at(index, index)) * row_scale_[unknowns_.free(n)[k]]);
    }
  team_.largest({&largest, 1});
  return largest;
}

void StaticEquations::add_soft_ground(double share, BlockMatrix& matrix) const {
  const Vec6 soft = share * stiffest(matrix) * row_scale_.cwiseInverse();
  for (int n = 0; n < unknowns_.n_nodes(); ++n) unknowns_.add(Mat6(soft.asDiagonal()), n, n, n, n, matrix);
}

BlockMatrix StaticEquations::stiffness_with_stiff_joints(std::span<const double> u) {
  constexpr double beside_everything = 100.0;
  std::vector<int> sizes = unknowns_.block_sizes();
  sizes.resize(unknowns_.n_nodes());
  BlockMatrix matrix(sizes, stiffness_pattern().take());
  update(u);
  add_stiffness(u, matrix);
  const double stiff = beside_everything * stiffest(matrix);
  for (int j = 0; j < unknowns_.n_joints(); ++j) {
    const Joint& joint = model_.joints[j];
    const JointMotion at = resting(joint);
    for (const int k : unknowns_.active(j)) {
      const Equation& equation = joint.equations[k];
      const double length = equation.is_length() ? model_.length_scale : 1.0;
      const JointVector gradient = equation.gradient(at, time(), load_factor_) / length;
      const auto row = [&](int side) -> Vec6 {
        return variation_[joint.node(side)].transpose() * gradient.segment<6>(6 * side);
      };
      for (int a = 0; a < at.n_places; ++a)
        for (int b = 0; b < at.n_places; ++b)
          if (joint.node(a) != ground && joint.node(b) != ground)
            unknowns_.add(Mat6(stiff * row_scale_.cwiseProduct(row(a)) * row(b).transpose()), joint.node(a),
                          joint.node(a), joint.node(b), joint.node(b), matrix);
    }
  }
  // Translations in units of the size of the model, as the forces are: symmetric if the loads have a potential.
  std::vector<double> unit(matrix.size());
  for (int n = 0; n < unknowns_.n_nodes(); ++n) unknowns_.scatter(n, row_scale_, &unit[first_[n]]);
  for (std::size_t k = 0; k < matrix.value().size(); ++k) matrix.value()[k] *= unit[matrix.column()[k]];
  return matrix;
}

const std::string& StaticEquations::moving_most(std::span<const double> direction) const {
  int most = 0;
  double largest = -1.0;
  for (int n = 0; n < unknowns_.n_nodes(); ++n) {
    double square = 0.0;
    for (int k = first_[n]; k < first_[n + 1]; ++k) square += metric_[k] * direction[k] * direction[k];
    if (square <= largest) continue;
    largest = square;
    most = n;
  }
  return model_.nodes[most].name;
}

void StaticEquations::finish(std::span<const double> u, State& end) {
  update(u);
  end = *start_;
  end.load_factor = load_factor_;
  end.internal = internal_;
  team_.complete(end.internal, ownership_.internal_parts());
  for (std::size_t n = 0; n < end.pose.size(); ++n) {
    end.pose[n].x = motion_.nodes[n].end().x;
    const bool rotated = !xi_[n].tail<3>().isZero(0.0);  // what did not turn keeps every bit
    end.pose[n].R = rotated ? nearest_rotation(motion_.nodes[n].end().R) : start_->pose[n].R;
    end.twist[n].setZero();
  }
  std::fill(end.multiplier.begin(), end.multiplier.end(), 0.0);
  for (int j = 0; j < unknowns_.n_joints(); ++j) {
    const auto& active = unknowns_.active(j);
    for (std::size_t k = 0; k < active.size(); ++k)
      end.multiplier[model_.joints[j].first_equation + active[k]] = u[first_[unknowns_.joint_block(j)] + k];
  }
}

}  // namespace freeplay
