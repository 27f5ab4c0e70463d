#include <Eigen/Eigenvalues>
#include <Eigen/Geometry>
#include <Eigen/SparseCholesky>
#include <algorithm>
#include <cmath>
#include <cstdio>

#include "constraint_gradient.h"
#include "dependent_columns.h"
#include "freeplay/assembly/assembly.h"
#include "freeplay/assembly/columns.h"
#include "freeplay/base/diagnostics.h"

namespace freeplay {

namespace {

/// Parts of the state that the user did not give move this much more easily than those that were given. What was given
/// is put back and the rest moved again until this factor has been applied `passes` times: if what was given fits, it
/// stays as it was to round-off.
constexpr double ease_of_what_was_not_given = 1e-6;
constexpr int passes = 3;

std::string number(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.4g", value);
  return text;
}

using Weights = std::vector<Vec6>;

/// Diagonal metric of assembly: mass for translations, inertia for rotations, small for what was not given.
Weights weights(const Model& model, const std::vector<GivenParts>& given, bool velocities) {
  Weights result;
  for (std::size_t n = 0; n < model.nodes.size(); ++n) {
    const double m = model.nodes[n].mass(0, 0);
    const double inertia = std::max(model.nodes[n].mass.diagonal().tail<3>().maxCoeff(),
                                    1e-3 * m * model.length_scale * model.length_scale);
    const bool linear = velocities ? given[n].velocity : given[n].position;
    const bool angular = velocities ? given[n].angular_velocity : given[n].rotation;
    Vec6 w;
    w << Vec3::Constant(m * (linear ? 1.0 : ease_of_what_was_not_given)),
        Vec3::Constant(inertia * (angular ? 1.0 : ease_of_what_was_not_given));
    result.push_back(w);
  }
  return result;
}

/// The smallest twists (in the metric of `w`) with G twist = -right_side: twist = -W^-1 G^T mu with
/// (G W^-1 G^T) mu = right_side. A small addition to the diagonal, relative to each equation's own entry, keeps this
/// definite when equations are redundant, so that these need not be known.
class LeastMotion {
 public:
  LeastMotion(const Model& model, const Weights& w, const ConstraintGradient& gradient) {
    constexpr double addition = 1e-10;
    const int n_dofs = 6 * static_cast<int>(model.nodes.size());
    Eigen::SparseMatrix<double> G(model.n_equations, n_dofs);
    G.setFromTriplets(gradient.entries.begin(), gradient.entries.end());
    Eigen::VectorXd ease(n_dofs);
    for (std::size_t node = 0; node < w.size(); ++node) ease.segment<6>(6 * node) = w[node].cwiseInverse();
    transposed_ = ease.asDiagonal() * Eigen::SparseMatrix<double>(G.transpose());
    Eigen::SparseMatrix<double> matrix = G * transposed_;
    for (int k = 0; k < model.n_equations; ++k) {
      double& diagonal = matrix.coeffRef(k, k);
      diagonal = diagonal > 0.0 ? (1.0 + addition) * diagonal : 1.0;  // an equation between fixed bodies moves nothing
    }
    solver_.compute(matrix);
  }

  Eigen::VectorXd operator()(const Eigen::VectorXd& right_side) const {
    return -(transposed_ * solver_.solve(right_side));
  }

 private:
  Eigen::SparseMatrix<double> transposed_;  ///< W^-1 G^T
  Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>> solver_;
};

/// Values of the equations with angles made lengths.
Eigen::VectorXd as_lengths(const Model& model, Eigen::VectorXd value) {
  for (const Joint& joint : model.joints)
    for (std::size_t k = 0; k < joint.equations.size(); ++k)
      if (!joint.equations[k].is_length()) value[joint.first_equation + k] *= model.length_scale;
  return value;
}

void throw_input_error(const std::optional<MisfitJoint>& misfit) {
  if (!misfit) return;
  Diagnostics diagnostics;
  diagnostics.error(misfit->joint->where, "joints." + misfit->joint->name, misfit->message);
  diagnostics.throw_if_errors();
}

std::optional<MisfitJoint> close_joints(const Model& model, const std::vector<GivenParts>& given, State& state) {
  if (model.n_equations == 0) return std::nullopt;
  const Weights w = weights(model, given, false);
  const double tolerance = 1e-13 * model.length_scale;
  constexpr int max_iterations = 100;
  double smallest = INFINITY;
  for (int iteration = 0; iteration < max_iterations; ++iteration) {
    const ConstraintGradient gradient = constraint_gradient(model, state);
    const double error = as_lengths(model, gradient.value).cwiseAbs().maxCoeff();
    if (error <= tolerance || (error < 1e-11 * model.length_scale && error > 0.5 * smallest)) return std::nullopt;
    smallest = std::min(smallest, error);
    Eigen::VectorXd move = LeastMotion(model, w, gradient)(gradient.value);
    double largest = 0.0;
    for (Eigen::Index k = 0; k < move.size(); ++k)
      largest = std::max(largest, std::abs(move[k]) * (k % 6 < 3 ? 1.0 / model.length_scale : 1.0));
    if (!std::isfinite(largest)) break;
    if (largest > 0.5) move *= 0.5 / largest;  // far steps lead Newton's method astray
    for (std::size_t n = 0; n < model.nodes.size(); ++n) {
      state.pose[n] = moved(state.pose[n], move.segment<6>(6 * n));
      state.pose[n].R = nearest_rotation(state.pose[n].R);
    }
  }
  const Eigen::VectorXd left = as_lengths(model, constraint_gradient(model, state).value);
  Eigen::Index worst = 0;
  const double gap = left.cwiseAbs().maxCoeff(&worst);
  const Joint& joint = model.joint_of_equation(static_cast<int>(worst));
  return MisfitJoint{&joint, "the mechanism cannot be assembled: this joint stays open by " + number(gap) + " m (" +
                                 joint.equations[worst - joint.first_equation].label() +
                                 "); check the positions of its two sides, the lengths of the bodies around it and "
                                 "any drive"};
}

std::optional<MisfitJoint> match_velocities(const Model& model, const std::vector<GivenParts>& given, State& state) {
  if (model.n_equations == 0) return std::nullopt;
  const ConstraintGradient gradient = constraint_gradient(model, state);
  const Weights w = weights(model, given, true);
  const LeastMotion least_motion(model, w, gradient);
  Eigen::SparseMatrix<double> G(model.n_equations, 6 * static_cast<int>(model.nodes.size()));
  G.setFromTriplets(gradient.entries.begin(), gradient.entries.end());
  Eigen::VectorXd twist(G.cols());
  for (std::size_t n = 0; n < model.nodes.size(); ++n) twist.segment<6>(6 * n) = state.twist[n];
  for (int pass = 0; pass < passes; ++pass) {
    for (std::size_t n = 0; n < model.nodes.size(); ++n) {
      if (given[n].velocity) twist.segment<3>(6 * n) = state.twist[n].head<3>();
      if (given[n].angular_velocity) twist.segment<3>(6 * n + 3) = state.twist[n].tail<3>();
    }
    constexpr int refinements = 6;  // each removes what the addition in LeastMotion leaves
    for (int k = 0; k < refinements; ++k) twist += least_motion(G * twist + gradient.explicit_rate);
  }
  for (std::size_t n = 0; n < model.nodes.size(); ++n) state.twist[n] = twist.segment<6>(6 * n);

  const Eigen::VectorXd left = as_lengths(model, G * twist + gradient.explicit_rate);
  Eigen::Index worst = 0;
  const double error = left.cwiseAbs().maxCoeff(&worst);
  const double scale = as_lengths(model, gradient.explicit_rate).cwiseAbs().maxCoeff();
  double speed = 0.0;
  for (const Vec6& each : state.twist)
    speed = std::max({speed, each.head<3>().norm(), model.length_scale * each.tail<3>().norm()});
  if (error <= 1e-7 * scale || error <= 1e-11 * speed || error <= 1e-12) return std::nullopt;
  return MisfitJoint{&model.joint_of_equation(static_cast<int>(worst)),
                     "no velocities satisfy the joints in this position (off by " + number(error) +
                         " m/s here): a drive asks for a motion that the mechanism cannot make, couplings contradict "
                         "each other a little, or it stands in a dead point; change the drive, the ratio or the "
                         "position"};
}

void drop_redundant(Model& model, const State& state, AssemblyReport& report) {
  report.redundant = find_redundant_equations(model, state);
  for (const int e : report.redundant) {
    const Joint& joint = model.joint_of_equation(e);
    const Equation& equation = joint.equations[e - joint.first_equation];
    if (equation.is_driven())
      throw_input_error(
          MisfitJoint{&joint,
                      "the drive has nothing to drive: the other joints and drives already fix this motion; "
                      "remove the drive or free the mechanism"});
    model.dropped[e] = true;
  }
}

/// Statics begins with the drives where the given positions have them.
void set_drive_starts(Model& model, const State& state) {
  for (Joint& joint : model.joints) {
    const JointMotion at = rest_of(joint, [&](const Frame& frame) { return place_of(frame, state); });
    for (Equation& equation : joint.equations) equation.set_drive_start(at);
  }
}

/// Couplings keep what they have in the positions of the file: a drive that begins elsewhere moves what is coupled too.
void set_constants(Model& model, const State& state) {
  for (Joint& joint : model.joints) {
    const JointMotion at = rest_of(joint, [&](const Frame& frame) { return place_of(frame, state); });
    for (Equation& equation : joint.equations) equation.set_constant(at, state.internal);
  }
}

/// sin(angle - f) = 0 has two roots; the other one is half a turn away from what the drive asks for.
void check_driven_angles(const Model& model, const State& state) {
  if (state.load_factor != 1.0) return;  // statics turns the drive from where it is
  for (const Joint& joint : model.joints)
    for (const Equation& equation : joint.equations) {
      if (!equation.is_driven() || equation.is_length()) continue;
      const FramePlace A = place_of(joint.a, state);
      const FramePlace B = place_of(joint.b, state);
      const double f = equation.drive_function()(state.time);
      if (A.a.col(0).dot(B.a.col(0)) * std::cos(f) + A.a.col(1).dot(B.a.col(0)) * std::sin(f) > 0.0) continue;
      throw_input_error(MisfitJoint{&joint,
                                    "the drive starts more than 90 degrees from the position that the bodies are "
                                    "given in: turn the bodies to within 90 degrees of the drive at t = 0"});
    }
}

/// A body without inertia about some axis must be held by its joints: no equation would govern its rotation.
void check_massless_rotations(const Model& model, const State& state) {
  std::vector<Eigen::Triplet<double>> entries;
  std::vector<int> node_of_column;
  const ConstraintGradient gradient = constraint_gradient(model, state);
  Eigen::SparseMatrix<double> G(std::max(model.n_equations, 1), 6 * static_cast<int>(model.nodes.size()));
  G.setFromTriplets(gradient.entries.begin(), gradient.entries.end());
  for (std::size_t n = 0; n < model.nodes.size(); ++n) {
    Mat6 mass = model.nodes[n].mass;
    for (int d = 0; d < 6; ++d)
      if (model.nodes[n].fixed[d]) {
        mass.row(d).setZero();
        mass.col(d).setZero();
        mass(d, d) = 1.0;
      }
    const double m = model.nodes[n].mass(0, 0);
    Mat6 scaled = mass / m;
    const Eigen::SelfAdjointEigenSolver<Mat6> eigen(scaled);
    for (int k = 0; k < 6; ++k) {
      if (eigen.eigenvalues()[k] > 1e-14 * model.length_scale * model.length_scale) continue;
      Eigen::SparseVector<double> direction(G.cols());
      for (int d = 0; d < 6; ++d) direction.coeffRef(6 * n + d) = eigen.eigenvectors()(d, k);
      const Eigen::VectorXd column = G * direction;
      const double norm = column.norm();
      for (Eigen::Index r = 0; r < column.size(); ++r)
        if (norm > 1e-9 && column[r] != 0.0) entries.emplace_back(r, node_of_column.size(), column[r] / norm);
      node_of_column.push_back(static_cast<int>(n));
    }
  }
  if (node_of_column.empty()) return;
  Diagnostics diagnostics;
  for (const int column :
       dependent_columns(static_cast<int>(G.rows()), static_cast<int>(node_of_column.size()), entries)) {
    const Node& node = model.nodes[node_of_column[column]];
    diagnostics.error(node.where, "bodies." + node.name,
                      "can turn about an axis about which it has no inertia: give it an inertia, or hold the rotation "
                      "with a joint or `fix: [rx, ry, rz]`");
  }
  diagnostics.throw_if_errors();
}

void check_mobility(const AnalysisSpec& analysis, const AssemblyReport& report) {
  if (analysis.kind != AnalysisSpec::Kind::kinematic || report.mobility() == 0) return;
  Diagnostics diagnostics;
  diagnostics.error(analysis.where, "analysis.kinematic",
                    "the drives must fix the motion completely, but " + std::to_string(report.mobility()) +
                        " degrees of freedom are left: add drives, or use a dynamic analysis");
  diagnostics.throw_if_errors();
}

void check_columns(const ModelSpec& spec, const Assembled& assembled) {
  if (!spec.output.columns) return;
  Diagnostics diagnostics;
  select_columns(history_columns(assembled, spec.analysis.kind), *spec.output.columns, diagnostics);
  diagnostics.throw_if_errors();
}

void report_changes(const Model& model, const std::vector<GivenParts>& given, const State& before, const State& after,
                    AssemblyReport& report) {
  for (std::size_t n = 0; n < model.nodes.size(); ++n) {
    const double move = given[n].position ? (after.pose[n].x - before.pose[n].x).norm() : 0.0;
    if (move > report.position_change) {
      report.position_change = move;
      report.moved_body = model.nodes[n].name;
    }
    const double rotation =
        given[n].rotation ? Eigen::AngleAxisd(before.pose[n].R.transpose() * after.pose[n].R).angle() : 0.0;
    if (rotation > report.rotation_change) {
      report.rotation_change = rotation;
      report.rotated_body = model.nodes[n].name;
    }
    const Vec6 change = after.twist[n] - before.twist[n];
    const double velocity = std::max(given[n].velocity ? change.head<3>().norm() : 0.0,
                                     given[n].angular_velocity ? change.tail<3>().norm() : 0.0);
    if (velocity > report.velocity_change) {
      report.velocity_change = velocity;
      report.changed_body = model.nodes[n].name;
    }
  }
}

}  // namespace

std::optional<MisfitJoint> follow_constraints(const Model& model, State& state) {
  const std::vector<GivenParts> given(model.nodes.size(), GivenParts{true, true, true, true});
  if (auto misfit = close_joints(model, given, state)) return misfit;
  return match_velocities(model, given, state);
}

Assembled assemble(const ModelSpec& spec) {
  Assembled result;
  std::vector<GivenParts> given;
  build_model(spec, result, given);
  set_drive_starts(result.model, result.state);
  set_constants(result.model, result.state);
  if (spec.analysis.kind == AnalysisSpec::Kind::static_equilibrium) result.state.load_factor = 0.0;
  const State as_written = result.state;
  for (int pass = 0; pass < passes; ++pass) {
    for (std::size_t n = 0; n < given.size(); ++n)
      if (given[n].position) result.state.pose[n] = as_written.pose[n];
    throw_input_error(close_joints(result.model, given, result.state));
  }
  drop_redundant(result.model, result.state, result.report);
  throw_input_error(match_velocities(result.model, given, result.state));
  check_driven_angles(result.model, result.state);
  check_massless_rotations(result.model, result.state);
  Motion now;
  set_instant(result.state, now);
  for (auto& element : result.model.elements) element->settle(now);
  for (std::size_t e = 0; e < result.model.elements.size(); ++e)
    result.model.elements[e]->initialise(now, internal_of(result.model, result.state, e));
  result.report.degrees_of_freedom = result.model.n_free_dofs();
  result.report.n_equations = result.model.n_equations;
  report_changes(result.model, given, as_written, result.state, result.report);
  check_mobility(spec.analysis, result.report);
  check_columns(spec, result);
  return result;
}

}  // namespace freeplay
