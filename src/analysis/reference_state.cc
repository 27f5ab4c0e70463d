#include "freeplay/analysis/reference_state.h"

#include <cmath>
#include <cstdio>
#include <map>

#include "freeplay/analysis/static_equilibrium.h"
#include "freeplay/base/diagnostics.h"
#include "freeplay/base/units.h"
#include "freeplay/scheme/instant_system.h"

namespace freeplay {

namespace {

/// Rates of strain belong to the velocities of the file.
void initialise_elements(const Model& model, State& state) {
  Motion now;
  set_instant(state, now);
  for (std::size_t e = 0; e < model.elements.size(); ++e)
    model.elements[e]->initialise(now, internal_of(model, state, e));
}

State at_rest(const Assembled& assembled) {
  State state = assembled.state;
  for (Vec6& twist : state.twist) twist.setZero();
  initialise_elements(assembled.model, state);
  return state;
}

/// Keeps the last row that an analysis records.
class LastRow : public Observer {
 public:
  void record(const Snapshot& snapshot) override {
    state = snapshot.state;
    state.multiplier = snapshot.multipliers;
  }
  void picture(const Snapshot&) override {}
  void progress(const TimeStepper&, const StepReport&, double) override {}
  void message(const std::string&) override {}
  void event(const Event&) override {}
  bool interrupted() const override { return false; }
  void keep(const Continuation&) override {}
  void save() override {}

  State state;
};

/// Newton's method for a steady state, from a state near it. `softness` [1/s^2] times the mass is added to the
/// stiffness, so that directions in which nothing holds the model do not matter; it must be small beside all other
/// stiffness. Nothing if it does not converge.
std::optional<State> settled(Linearisation& equations, State state, double softness, SolverFactory& solvers) {
  constexpr int max_iterations = 50;
  // Relative to the size of the model. The round-off of stiff beams moves soft ones: below the second number a change
  // that does not fall any more is nothing else.
  constexpr double still = 1e-13, round_off = 1e-7;
  const Model& model = equations.model();
  const Unknowns& unknowns = equations.unknowns();
  BlockMatrix matrix = equations.stiffness;
  const std::unique_ptr<LinearSolver> solver = solvers.linear(matrix);
  std::vector<double> right_side(matrix.size()), change(matrix.size());
  Motion motion;
  double previous = INFINITY;
  for (int iteration = 0; iteration < max_iterations; ++iteration) {
    equations.assemble(state);
    for (std::size_t k = 0; k < matrix.value().size(); ++k)
      matrix.value()[k] = equations.stiffness.value()[k] + softness * equations.mass.value()[k];
    for (std::size_t k = 0; k < right_side.size(); ++k) right_side[k] = -equations.residual[k];
    if (std::all_of(right_side.begin(), right_side.end(), [](double r) { return r == 0.0; })) return state;
    if (!solver->solve(matrix, right_side, 1e-9, change)) return std::nullopt;

    set_rest(state, motion);
    double largest = 0.0;
    for (int n = 0; n < unknowns.n_nodes(); ++n) {
      const Vec6 eta = unknowns.gather(n, &change[matrix.first(n)]);
      largest = std::max({largest, eta.head<3>().norm() / model.length_scale, eta.tail<3>().norm()});
      state.pose[n] = moved(state.pose[n], eta);
      state.pose[n].R = nearest_rotation(state.pose[n].R);
      motion.nodes[n].set_end(state.pose[n]);
    }
    for (std::size_t e = 0; e < model.elements.size(); ++e)
      model.elements[e]->advance(motion, internal_of(model, state, e));
    for (int j = 0; j < unknowns.n_joints(); ++j) {
      const auto& active = unknowns.active(j);
      for (std::size_t k = 0; k < active.size(); ++k)
        state.multiplier[model.joints[j].first_equation + active[k]] +=
            change[matrix.first(unknowns.joint_block(j)) + k];
    }
    if (!std::isfinite(largest) || largest > 1.0) return std::nullopt;
    if (largest <= still || (largest <= round_off && largest > 0.5 * previous)) return state;
    previous = largest;
  }
  return std::nullopt;
}

/// Stiffness per mass that is just above the round-off of what is there.
double least_softness(Linearisation& equations) {
  constexpr double above_round_off = 1e-13;
  return above_round_off * std::max(equations.largest_stiffness_by_mass(), 1e-6);
}

/// Forces of a size that cancel at a node to round-off, such as those of pretensioned springs [N].
std::vector<double> acting_forces(const Model& model, const State& state) {
  std::vector<double> sum(model.nodes.size(), 0.0);
  std::vector<Vec6> forces(model.nodes.size());
  Motion now;
  set_instant(state, now);
  for (std::size_t e = 0; e < model.elements.size(); ++e) {
    const ForceElement& element = *model.elements[e];
    for (const int n : element.nodes())
      if (n != ground) forces[n].setZero();
    element.add_forces(now, internal_of(model, state, e), forces);
    const ForceElement::Cancelling cancelling = element.cancelling(model.length_scale);
    for (const int n : element.nodes())
      if (n != ground)
        sum[n] += forces[n].head<3>().norm() + forces[n].tail<3>().norm() / model.length_scale + cancelling.force +
                  cancelling.moment / model.length_scale;
  }
  return sum;
}

[[noreturn]] void refuse(const Location& where, const std::string& path, const std::string& message) {
  Diagnostics diagnostics;
  diagnostics.error(where, path, message);
  diagnostics.throw_if_errors();
  throw std::logic_error("an error throws");
}

std::string text_of(const Vec3& v) {
  return "(" + rounded_text(v.x()) + ", " + rounded_text(v.y()) + ", " + rounded_text(v.z()) + ")";
}

std::string describe(const SteadyRotation& rotation) {
  return "about the axis " + text_of(rotation.velocity.normalized()) + " through " + text_of(rotation.point);
}

/// Tangents of one element in body axes, for one position and another.
class BodyAxesSink : public TangentSink {
 public:
  explicit BodyAxesSink(const Motion& motion) : motion_(motion) {}
  void add(Row row, int row_node, Column column, int column_node, const Mat6& derivative) override {
    if (row != Row::balance || column != Column::end) return;
    Mat6& block = blocks.try_emplace({row_node, column_node}, Mat6::Zero()).first->second;
    const Mat3 R_t = motion_.nodes[row_node].start.R.transpose();
    const Mat3& R = motion_.nodes[column_node].start.R;
    for (int r = 0; r < 2; ++r)
      for (int c = 0; c < 2; ++c) block.block<3, 3>(3 * r, 3 * c) += R_t * derivative.block<3, 3>(3 * r, 3 * c) * R;
  }
  std::map<std::pair<int, int>, Mat6> blocks;

 private:
  const Motion& motion_;
};

std::map<std::pair<int, int>, Mat6> tangents(const Model& model, const State& state, std::size_t element, double dt) {
  Motion motion;
  set_rest(state, motion);
  motion.dt = dt;
  BodyAxesSink sink(motion);
  model.elements[element]->add_tangent(motion, internal_of(model, state, element), sink);
  return sink.blocks;
}

/// The whole model turned about the axis.
State rotated(const State& state, const SteadyRotation& rotation, double angle) {
  const Mat3 Q = Eigen::AngleAxisd(angle, rotation.velocity.normalized()).toRotationMatrix();
  State result = state;
  for (Pose& pose : result.pose) pose = {rotation.point + Q * (pose.x - rotation.point), Q * pose.R};
  return result;
}

/// An element that looks different from the turning model after some angle would shake it.
void check_elements(const Model& model, const State& state, const SteadyRotation& rotation) {
  constexpr double same = 1e-6;
  constexpr double some_angle = 1.0;  // no symmetry of usual machines
  const State later = rotated(state, rotation, some_angle);
  for (std::size_t e = 0; e < model.elements.size(); ++e) {
    const ForceElement& element = *model.elements[e];
    const auto now = tangents(model, state, e, INFINITY);
    const auto then = tangents(model, later, e, INFINITY);
    double difference = 0.0, size = 0.0;
    for (const auto& [nodes, block] : now) {
      difference = std::max(difference, (block - then.at(nodes)).cwiseAbs().maxCoeff());
      size = std::max(size, block.cwiseAbs().maxCoeff());
    }
    if (difference > same * size)
      throw InputError(
          "error: --at-speed: '" + element.name() +
          "' does not turn with the model, and it is not the same in all directions around the axis: there "
          "is no steady rotation\n");
    // What a load measures it measures from ground.
    const bool on_ground = element.is_load() || std::ranges::find(element.nodes(), ground) != element.nodes().end();
    if (on_ground && tangents(model, state, e, 1e-9) != now)
      throw InputError("error: --at-speed: '" + element.name() +
                       "' damps against ground, which is not supported: leave its damping out\n");
  }
}

void check_rotation(const Model& model, const State& state, const SteadyRotation& rotation) {
  constexpr double none = 1e-9;
  const double speed = rotation.velocity.norm();
  Motion motion;
  State rotating = state;
  for (std::size_t n = 0; n < model.nodes.size(); ++n) {
    const Node& node = model.nodes[n];
    rotating.twist[n] = rotation.twist(state.pose[n]);
    for (int k = 0; k < (node.is_point ? 3 : 6); ++k)
      if (node.fixed[k] && std::abs(rotating.twist[n][k]) > none * speed * (k < 3 ? model.length_scale : 1.0))
        refuse(node.where, "bodies." + model.bodies[node.body], "`fix` does not let it turn " + describe(rotation));
  }
  set_instant(rotating, motion);
  for (const Joint& joint : model.joints)
    for (const Equation& equation : joint.equations) {
      if (equation.is_driven()) continue;
      const double rate = equation.gradient(motion_of(joint, motion), state.time).dot(velocity_of(joint, motion));
      if (std::abs(rate) > none * speed * (equation.is_length() ? model.length_scale : 1.0))
        refuse(joint.where, "joints." + joint.name, "does not let the model turn " + describe(rotation));
    }
  if (model.gravity.cross(rotation.velocity).norm() > none * speed * model.gravity.norm())
    throw InputError(
        "error: --at-speed: gravity is not along the axis of rotation, so that there is no steady rotation; "
        "leave it out with --set \"gravity=[0, 0, 0]\"\n");
  check_elements(model, state, rotation);
}

}  // namespace

State assembled_reference(const Assembled& assembled, SolverFactory& solvers) {
  constexpr double balanced = 1e-9;
  const Model& model = assembled.model;
  State state = at_rest(assembled);
  std::vector<Vec6> rates(model.nodes.size());
  InstantSystem instant(model, solvers);
  if (!instant.accelerate(state, rates, state.multiplier, InstantSystem::Drives::stand))
    throw NumericalFailure("the joints are singular in the assembled position");
  const std::vector<double> acting = acting_forces(model, state);
  for (std::size_t n = 0; n < model.nodes.size(); ++n) {
    const Vec6 missing = model.nodes[n].mass * rates[n];
    if (missing.head<3>().norm() + missing.tail<3>().norm() / model.length_scale > balanced * acting[n])
      refuse(model.nodes[n].where, "bodies." + model.bodies[model.nodes[n].body],
             "springs or beams are tight in the assembled position and push this body away from it: use --static to "
             "find the modes about its position of rest");
  }
  return state;
}

State rest_reference(Assembled& assembled, const AnalysisSpec& analysis, SolverFactory& solvers) {
  LastRow row;
  run_static(assembled, analysis, OutputSpec{}, solvers, row);
  Linearisation equations(assembled.model, {});
  equations.assemble(row.state);
  // Statics has found it already; this is for the last digits.
  return settled(equations, row.state, least_softness(equations), solvers).value_or(row.state);
}

SteadyRotation rotation_about(const std::optional<Vec3>& axis, double speed, const Assembled& assembled) {
  SteadyRotation rotation;
  if (axis) {
    rotation.velocity = speed * axis->normalized();
  } else {
    const Joint* chosen = nullptr;
    const auto is_driven = [](const Joint& joint) {
      return std::ranges::any_of(joint.equations, [](const Equation& e) { return e.is_driven(); });
    };
    for (const Joint& joint : assembled.model.joints) {
      const bool on_ground = joint.a.node == ground || joint.b.node == ground;
      if (!on_ground || joint.angle < 0) continue;
      if (!chosen || (is_driven(joint) && !is_driven(*chosen))) chosen = &joint;
    }
    if (!chosen)
      throw InputError(
          "error: --at-speed: no revolute or cylindrical joint to ground shows the axis of rotation: give "
          "one through the origin, such as --axis z\n");
    const Frame& frame = chosen->a.node == ground ? chosen->a : chosen->b;
    rotation.point = frame.offset;
    rotation.velocity = speed * frame.axes.col(2);
  }
  check_rotation(assembled.model, assembled.state, rotation);
  return rotation;
}

namespace {

State steady_state(const State& state, const SteadyRotation& rotation, Linearisation& equations,
                   SolverFactory& solvers) {
  constexpr double soft = 1e-6;
  equations.assemble(state);
  const double softness = std::max(least_softness(equations), soft * rotation.velocity.squaredNorm());
  const std::optional<State> rotating = settled(equations, state, softness, solvers);
  if (!rotating)
    throw NumericalFailure(
        "no steady rotation was found at this speed: the model deforms too much, or something in it is "
        "not held against the centrifugal forces. Try a lower speed.");
  return *rotating;
}

}  // namespace

State rotating_reference(const Assembled& assembled, const SteadyRotation& rotation, SolverFactory& solvers) {
  Linearisation equations(assembled.model, rotation);
  return steady_state(at_rest(assembled), rotation, equations, solvers);
}

State rotor_reference(const Assembled& assembled, const SteadyRotation& rotation, const std::vector<char>& rotating,
                      SolverFactory& solvers) {
  State state = assembled.state;
  for (std::size_t n = 0; n < state.twist.size(); ++n)
    state.twist[n] = rotating[n] ? rotation.twist(state.pose[n]) : Vec6(Vec6::Zero());
  initialise_elements(assembled.model, state);
  Linearisation equations(assembled.model, rotation, Linearisation::Form::plain, rotating);
  return steady_state(state, rotation, equations, solvers);
}

}  // namespace freeplay
