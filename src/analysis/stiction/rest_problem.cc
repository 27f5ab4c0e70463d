#include "freeplay/analysis/stiction/rest_problem.h"

#include <Eigen/QR>
#include <Eigen/SVD>
#include <algorithm>

#include "freeplay/base/diagnostics.h"
#include "freeplay/base/names.h"
#include "freeplay/mechanics/contact_element.h"
#include "rest_bodies.h"

namespace freeplay {

namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double rank_tolerance = 1e-9;

[[noreturn]] void refuse(const Location& where, const std::string& path, const std::string& message) {
  Diagnostics diagnostics;
  diagnostics.error(where, path, message);
  diagnostics.throw_if_errors();
  throw std::logic_error("an error throws");
}

void check_frictions(const Model& model, const RestContacts& contacts) {
  const bool rubs = std::any_of(contacts.touching.begin(), contacts.touching.end(),
                                [](const auto& contact) { return contact.element->joint().static_coefficient > 0.0; });
  if (rubs || !model.frictions.empty()) return;
  if (contacts.open.empty())
    throw InputError(
        "error: no joint of this model has friction: there is nothing to certify. Give a joint friction, such as "
        "{prismatic: {..., friction: {law: dry}}}\n");
  throw InputError("error: no joint with friction touches: there is nothing to certify. There is a gap in " +
                   joined(contacts.open) +
                   ", which has no force in the position of the model file. Place the bodies so that they touch\n");
}

void check_rest(const Assembled& assembled, const RestContacts& contacts, double time) {
  const Model& model = assembled.model;
  check_frictions(model, contacts);
  constexpr double at_rest = 1e-12;
  for (std::size_t n = 0; n < model.nodes.size(); ++n) {
    const Node& node = model.nodes[n];
    const Vec6& twist = assembled.state.twist[n];
    if (twist.head<3>().norm() / model.length_scale + twist.tail<3>().norm() > at_rest)
      refuse(node.where, "bodies." + model.bodies[node.body],
             "moves at the start; only a model at rest has a certificate");
  }
  for (const Joint& joint : model.joints)
    for (const Equation& equation : joint.equations)
      if (equation.is_driven() && equation.drive_function().jet(time).rate != 0.0)
        refuse(joint.where, "joints." + joint.name,
               "its drive moves at the time of the certificate; only a model at rest has a certificate");
}

/// The columns of `basis` span all x that the matrix does not annihilate.
MatrixXd effective(const MatrixXd& matrix) {
  Eigen::JacobiSVD<MatrixXd> svd(matrix, Eigen::ComputeThinV);
  svd.setThreshold(rank_tolerance);
  return svd.matrixV().leftCols(svd.rank());
}

/// What no force on these columns does work on.
MatrixXd untouched(const MatrixXd& columns) {
  if (columns.cols() == 0) return MatrixXd::Identity(columns.rows(), columns.rows());
  Eigen::ColPivHouseholderQR<MatrixXd> qr;
  qr.setThreshold(rank_tolerance);
  qr.compute(columns);
  const MatrixXd Q = qr.householderQ();
  return Q.rightCols(columns.rows() - qr.rank());
}

/// Reactions of a joint that act on nothing (across the plane of a planar model) are left out: `basis` makes the
/// multipliers of its equations from those that are kept.
struct JointReactions {
  MatrixXd basis;
  int first = 0;
};

std::vector<JointReactions> add_reactions(const Model& model, const RestBodies& bodies, FrictionProblem& problem,
                                          std::vector<MatrixXd>& columns) {
  std::vector<JointReactions> result;
  for (const Joint& joint : model.joints) {
    const MatrixXd all = bodies.reactions(joint);
    JointReactions reactions{effective(all), problem.n_reactions};
    columns.push_back(all * reactions.basis);
    for (std::size_t e = 0; e < joint.equations.size(); ++e)
      reactions.basis.row(e) *= bodies.unit_of(joint.equations[e]);
    problem.n_reactions += static_cast<int>(reactions.basis.cols());
    result.push_back(std::move(reactions));
  }
  return result;
}

/// |map . reactions| is the length of these multipliers; as few rows as possible.
MatrixXd normal_map(const std::vector<int>& equations, const JointReactions& reactions, int n_reactions) {
  MatrixXd chosen(equations.size(), reactions.basis.cols());
  for (std::size_t k = 0; k < equations.size(); ++k) chosen.row(k) = reactions.basis.row(equations[k]);
  Eigen::JacobiSVD<MatrixXd> svd(chosen, Eigen::ComputeThinU | Eigen::ComputeThinV);
  svd.setThreshold(rank_tolerance);
  MatrixXd map = MatrixXd::Zero(svd.rank(), n_reactions);
  map.middleCols(reactions.first, reactions.basis.cols()) = svd.matrixU().leftCols(svd.rank()).transpose() * chosen;
  return map;
}

void add_frictions(const Model& model, const RestBodies& bodies, const std::vector<JointReactions>& reactions,
                   FrictionProblem& problem, std::vector<MatrixXd>& columns) {
  for (const JointFriction& friction : model.frictions) {
    FrictionProblem::FrictionJoint joint;
    joint.name = model.joints[friction.joint].name;
    joint.coefficient = friction.static_coefficient;
    joint.preload = friction.preload;
    joint.first = problem.n_frictions;
    joint.n_directions = friction.n_slips();
    for (const JointFriction::NormalPart& part : friction.normal) {
      MatrixXd map = normal_map(part.equations, reactions[friction.joint], problem.n_reactions);
      if (map.rows() > 0) joint.normal.push_back({std::move(map), part.weight});
    }
    problem.joints.push_back(std::move(joint));
    columns.push_back(bodies.frictions(friction));
    problem.n_frictions += friction.n_slips();
  }
}

/// A normal force that pushes, for each contact.
void add_pressures(const RestContacts& contacts, const RestBodies& bodies, FrictionProblem& problem,
                   std::vector<MatrixXd>& columns) {
  for (const auto& [element, at_rest] : contacts.touching) {
    columns.push_back(bodies.on_motions(at_rest.pressure, element->nodes()));
    ++problem.n_reactions;
  }
}

/// Directions in the plane of contact in which friction acts on something; in a planar model there is one, along which
/// b is pushed towards positive coordinates.
MatrixXd slip_directions(const RestingContact& contact, const MatrixXd& both) {
  MatrixXd basis = effective(both);
  if (basis.cols() == both.cols()) return MatrixXd::Identity(both.cols(), both.cols());
  for (int d = 0; d < basis.cols(); ++d) {
    const Vec3 direction = contact.friction.middleRows<3>(6) * basis.col(d);
    int largest = 0;
    direction.cwiseAbs().maxCoeff(&largest);
    if (direction[largest] < 0.0) basis.col(d) *= -1.0;
  }
  return basis;
}

void add_contact_frictions(const RestContacts& contacts, const RestBodies& bodies, FrictionProblem& problem,
                           std::vector<MatrixXd>& columns) {
  int reaction = problem.n_reactions - static_cast<int>(contacts.touching.size());
  for (const auto& [element, at_rest] : contacts.touching) {
    FrictionProblem::FrictionJoint joint;
    joint.name = element->name();
    joint.is_contact = true;
    joint.coefficient = element->joint().static_coefficient;
    joint.normal = {{MatrixXd(Eigen::RowVectorXd::Unit(problem.n_reactions, reaction++)), 1.0}};
    joint.first = problem.n_frictions;
    MatrixXd both(bodies.size(), joint.coefficient > 0.0 ? 2 : 0);
    for (int d = 0; d < both.cols(); ++d) both.col(d) = bodies.on_motions(at_rest.friction.col(d), element->nodes());
    if (both.cols() > 0) both *= slip_directions(at_rest, both);
    joint.n_directions = static_cast<int>(both.cols());
    problem.n_frictions += joint.n_directions;
    problem.joints.push_back(std::move(joint));
    columns.push_back(std::move(both));
  }
}

/// Replaces the loads by what joints and friction have to balance once springs and beams have given way, as far as
/// joints that stick let them. Small displacements: stiffness in the assembled position.
bool deform(const Model& model, const RestBodies& bodies, const MatrixXd& forces, FrictionProblem& problem) {
  const bool has_springs = std::any_of(model.elements.begin(), model.elements.end(),
                                       [](const auto& element) { return RestBodies::is_elastic(*element); });
  if (!has_springs) return false;
  const MatrixXd free = untouched(forces);
  if (free.cols() == 0) return false;
  const MatrixXd stiffness = bodies.stiffness();
  const MatrixXd free_stiffness = free.transpose() * stiffness * free;
  if (free_stiffness.isZero(0.0)) return false;
  // What nothing holds stays where it is.
  const Eigen::CompleteOrthogonalDecomposition<MatrixXd> solver(free_stiffness);
  for (VectorXd* load : {&problem.fixed_load, &problem.scaled_load}) {
    const VectorXd displacement = free * solver.solve(free.transpose() * *load);
    *load -= stiffness * displacement;
  }
  return true;
}

/// Rates that a motion gives to what a unit of these forces works on, made numbers of order one. Round-off is no rate:
/// the joints hold it.
MatrixXd rates(const MatrixXd& forces, const MatrixXd& motions) {
  const MatrixXd rates = forces.transpose() * motions;
  const bool moves = rates.norm() > rank_tolerance * forces.norm() * motions.norm();
  return moves ? MatrixXd(rates / rates.norm()) : MatrixXd::Zero(rates.rows(), rates.cols());
}

/// Accelerations that the joints allow, each made a force: the sliding that may begin. Contacts may open.
void add_accelerations(const RestBodies& bodies, const std::vector<MatrixXd>& frictions, int n_contacts,
                       FrictionProblem& problem) {
  const MatrixXd motions = untouched(problem.balance.leftCols(problem.n_reactions - n_contacts));
  MatrixXd inertia = bodies.mass() * motions;
  MatrixXd scaled = motions;
  for (int c = 0; c < inertia.cols(); ++c) {
    const double norm = inertia.col(c).norm();
    if (norm == 0.0) continue;  // without inertia: any acceleration
    inertia.col(c) /= norm;
    scaled.col(c) /= norm;
  }
  problem.n_accelerations = static_cast<int>(motions.cols());
  MatrixXd balance(problem.balance.rows(), problem.n_unknowns());
  balance << problem.balance, inertia;
  problem.balance = std::move(balance);
  for (std::size_t j = 0; j < problem.joints.size(); ++j) {
    auto& joint = problem.joints[j];
    joint.slip = rates(frictions[j], scaled);
    if (joint.is_contact)
      joint.opening = -rates(problem.balance.leftCols(problem.n_reactions) * joint.normal[0].map.transpose(), scaled);
  }
}

void check_scaled(const Model& model, const std::vector<std::string>& scaled) {
  std::vector<std::string> names{"gravity"};
  for (const auto& element : model.elements)
    if (element->is_load()) names.push_back(element->name());
  for (const std::string& name : scaled)
    if (std::find(names.begin(), names.end(), name) == names.end())
      throw InputError("error: --scale: there is no load '" + name + "'" + did_you_mean(name, names) +
                       " (possible: " + joined(names) + ")\n");
}

}  // namespace

RestProblem rest_problem(const Assembled& assembled, const RestQuestion& question) {
  const Model& model = assembled.model;
  const RestBodies bodies(assembled, question);
  const RestContacts contacts(model, bodies.instant());
  check_rest(assembled, contacts, question.time);
  check_scaled(model, question.scaled);
  RestProblem result;
  FrictionProblem& problem = result.friction;
  std::vector<MatrixXd> reaction_columns, friction_columns;
  const auto reactions = add_reactions(model, bodies, problem, reaction_columns);
  add_pressures(contacts, bodies, problem, reaction_columns);
  add_frictions(model, bodies, reactions, problem, friction_columns);
  add_contact_frictions(contacts, bodies, problem, friction_columns);

  problem.balance.resize(bodies.size(), problem.n_unknowns());
  int column = 0;
  for (const auto* list : {&reaction_columns, &friction_columns})
    for (const MatrixXd& each : *list) {
      problem.balance.middleCols(column, each.cols()) = each;
      column += static_cast<int>(each.cols());
    }
  bodies.loads(question.scaled, problem.scaled_load, problem.fixed_load);
  result.is_elastic = deform(model, bodies, problem.balance, problem);
  if (!result.is_elastic)
    add_accelerations(bodies, friction_columns, static_cast<int>(contacts.touching.size()), problem);
  result.open_contacts = contacts.open;
  return result;
}

}  // namespace freeplay
