#include "freeplay/analysis/stiction/friction_search.h"

#include <Eigen/QR>
#include <cmath>
#include <queue>

#include "relaxation.h"

namespace freeplay {

namespace {

constexpr double search_tolerance = 1e-4;     // between a bound and a point, in units of the loads
constexpr double direction_tolerance = 0.02;  // of slip in two and three directions: about a degree

}  // namespace

struct FrictionSearch::Candidate {
  double bound;
  Branch branch;
  Eigen::VectorXd x;
  int depth;  ///< how many choices have been made
  /// Of equal bounds the one nearer to a point first.
  bool operator<(const Candidate& other) const {
    return bound < other.bound || (bound == other.bound && depth < other.depth);
  }
};

/// The parts of a branch, which differ in a choice for this joint. None: there is nothing left to choose.
struct FrictionSearch::Division {
  int joint = -1;
  std::vector<Branch> branches{};
};

FrictionSearch::FrictionSearch(const FrictionProblem& problem) : problem_(problem), columns_(problem) {
  force_scale_ = 0.0;
  for (const Eigen::VectorXd& load : {problem.fixed_load, Eigen::VectorXd(problem.fixed_load + problem.scaled_load)})
    if (load.size() > 0) force_scale_ = std::max(force_scale_, load.lpNorm<Eigen::Infinity>());
  for (std::size_t j = 0; j < problem.joints.size(); ++j) {
    force_scale_ = std::max(force_scale_, problem.joints[j].preload);
    for (const auto& part : problem.joints[j].normal) parts_.push_back({static_cast<int>(j), &part});
  }
  if (force_scale_ == 0.0) force_scale_ = 1.0;
  compress_balance();
}

/// Rows that follow from others would be contradictions by round-off.
void FrictionSearch::compress_balance() {
  constexpr double rank_tolerance = 1e-10, balance_tolerance = 1e-7;
  Eigen::MatrixXd all(problem_.balance.rows(), problem_.n_unknowns() + 1);
  all << problem_.balance, -problem_.scaled_load / force_scale_;
  Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr;
  qr.setThreshold(rank_tolerance);
  qr.compute(all);
  const Eigen::MatrixXd rotated = qr.householderQ().transpose() * all;
  const Eigen::VectorXd right = qr.householderQ().transpose() * (problem_.fixed_load / force_scale_);
  rows_.setZero(qr.rank(), columns_.size);
  rows_.leftCols(all.cols()) =
      (rotated.topRows(qr.rank()).array().abs() < rank_tolerance).select(0.0, rotated.topRows(qr.rank()));
  right_ = right.head(qr.rank());
  is_balanced_ = right.tail(right.size() - qr.rank()).norm() < balance_tolerance;
}

Branch FrictionSearch::undecided() const {
  Branch branch{std::vector<std::optional<SimplicialCone>>(parts_.size()),
                std::vector<Branch::Slip>(problem_.joints.size())};
  for (std::size_t p = 0; p < parts_.size(); ++p)
    if (problem_.joints[parts_[p].joint].is_contact) branch.pressure[p] = orthants(1).front();
  return branch;
}

Branch FrictionSearch::at_rest() const {
  Branch branch = undecided();
  for (Branch::Slip& slip : branch.slip) slip.is_decided = true;
  return branch;
}

bool FrictionSearch::has_all_pressures(const Branch& branch, int joint) const {
  for (std::size_t p = 0; p < parts_.size(); ++p)
    if (parts_[p].joint == joint && !branch.pressure[p]) return false;
  return true;
}

double FrictionSearch::value_at(const Question& question, const Eigen::VectorXd& x) const {
  if (question.normal_of < 0) return question.objective.dot(x);
  const auto& joint = problem_.joints[question.normal_of];
  return question.sign * joint.normal_force(force_scale_ * x.head(problem_.n_reactions)) / force_scale_;
}

double FrictionSearch::limit_at(int joint, const Eigen::VectorXd& x) const {
  const auto& friction = problem_.joints[joint];
  return friction.coefficient * friction.normal_force(force_scale_ * x.head(problem_.n_reactions)) / force_scale_;
}

double FrictionSearch::round_off_at(const Eigen::VectorXd& x) const {
  return cone_tolerance * (1.0 + x.head(problem_.n_reactions).lpNorm<Eigen::Infinity>());
}

/// How far the friction of a joint that sticks is beyond its limit.
double FrictionSearch::excess_at(int joint, const Eigen::VectorXd& x) const {
  const auto& friction = problem_.joints[joint];
  return x.segment(problem_.friction_column(friction), friction.n_directions).norm() - limit_at(joint, x);
}

/// Whether the friction of a joint that slips reaches its limit, along the slip.
bool FrictionSearch::slips_at(int joint, const Eigen::VectorXd& x) const {
  if (excess_at(joint, x) < -round_off_at(x)) return false;
  const auto& friction = problem_.joints[joint];
  if (friction.n_directions == 1) return true;
  const Eigen::VectorXd force = x.segment(problem_.friction_column(friction), friction.n_directions);
  const Eigen::VectorXd slip = friction.slip * x.segment(columns_.velocity, problem_.n_accelerations);
  return (force.normalized() - slip.normalized()).norm() <= direction_tolerance;
}

bool FrictionSearch::is_admissible(const Branch& branch, const Eigen::VectorXd& x) const {
  for (int j = 0; j < static_cast<int>(problem_.joints.size()); ++j) {
    if (branch.slip[j].sticks() && excess_at(j, x) > round_off_at(x)) return false;
    if (branch.slip[j].sector && !slips_at(j, x)) return false;
  }
  return true;
}

/// The first joint of which it is not yet known whether it sticks, slips or opens.
FrictionSearch::Division FrictionSearch::decide_slip(const Branch& branch) const {
  for (std::size_t j = 0; j < branch.slip.size(); ++j) {
    if (branch.slip[j].is_decided) continue;
    Division division{static_cast<int>(j)};
    for (const Branch::Slip& choice : slips_of(static_cast<int>(j), true)) {
      division.branches.push_back(branch);
      division.branches.back().slip[j] = choice;
    }
    return division;
  }
  return {};
}

std::vector<Branch::Slip> FrictionSearch::slips_of(int joint, bool may_stick) const {
  const auto& friction = problem_.joints[joint];
  std::vector<Branch::Slip> choices;
  if (may_stick) choices.push_back({true});
  if (friction.n_directions > 0)
    for (const SimplicialCone& sector : orthants(friction.n_directions)) choices.push_back({true, sector});
  if (friction.is_contact) choices.push_back({true, std::nullopt, true});
  return choices;
}

FrictionSearch::Division FrictionSearch::decide_pressure(const Branch& branch, int joint) const {
  Division division{joint};
  for (std::size_t p = 0; p < parts_.size(); ++p) {
    if (parts_[p].joint != joint || branch.pressure[p]) continue;
    for (const SimplicialCone& cone : orthants(static_cast<int>(parts_[p].part->map.rows()))) {
      division.branches.push_back(branch);
      division.branches.back().pressure[p] = cone;
    }
    break;
  }
  return division;
}

/// Parts the cone in which a length and its estimate differ most.
FrictionSearch::Division FrictionSearch::refine_pressure(const Branch& branch, int joint,
                                                         const Eigen::VectorXd& x) const {
  double worst = 0.0;
  Division division{joint};
  for (std::size_t p = 0; p < parts_.size(); ++p) {
    if (parts_[p].joint != joint || branch.pressure[p]->dimension() < 2) continue;
    const SimplicialCone& cone = *branch.pressure[p];
    const Eigen::VectorXd z = parts_[p].part->map * x.head(problem_.n_reactions);
    const double error = parts_[p].part->weight * (cone.sum().dot(z) - z.norm());
    if (error <= worst) continue;
    worst = error;
    const auto [one, other] = parted(cone, z);
    division.branches = {branch, branch};
    division.branches[0].pressure[p] = one;
    division.branches[1].pressure[p] = other;
  }
  return division;
}

FrictionSearch::Division FrictionSearch::refine_slip(const Branch& branch, int joint, const Eigen::VectorXd& x) const {
  const auto& friction = problem_.joints[joint];
  const auto [one, other] =
      parted(*branch.slip[joint].sector, x.segment(problem_.friction_column(friction), friction.n_directions));
  Division division{joint, {branch, branch}};
  division.branches[0].slip[joint].sector = one;
  division.branches[1].slip[joint].sector = other;
  return division;
}

/// By the choice that most of what is wrong with the point of the candidate depends on.
FrictionSearch::Division FrictionSearch::divide(const Question& question, const Candidate& candidate) const {
  const Branch& branch = candidate.branch;
  const Eigen::VectorXd& x = candidate.x;
  if (Division division = decide_slip(branch); !division.branches.empty()) return division;
  int joint = -1;
  double worst = round_off_at(x);
  if (question.normal_of >= 0 && question.sign > 0.0) {
    if (!has_all_pressures(branch, question.normal_of)) return decide_pressure(branch, question.normal_of);
    const double error = candidate.bound - value_at(question, x);
    if (error > worst) worst = error, joint = question.normal_of;
  }
  for (int j = 0; j < static_cast<int>(problem_.joints.size()); ++j) {
    const auto& friction = problem_.joints[j];
    double error = 0.0;
    if (branch.slip[j].sticks())
      error = excess_at(j, x);
    else if (branch.slip[j].sector && friction.n_directions > 1 && !slips_at(j, x))
      error = (1.0 - branch.slip[j].sector->flatness) *
              x.segment(problem_.friction_column(friction), friction.n_directions).norm();
    if (error > worst) worst = error, joint = j;
  }
  if (joint < 0) return {};
  if (branch.slip[joint].sector) return refine_slip(branch, joint, x);
  return has_all_pressures(branch, joint) ? refine_pressure(branch, joint, x) : decide_pressure(branch, joint);
}

double FrictionSearch::to_si(const Question& question, double value) const {
  if (std::abs(value) > 0.1 * unlimited) return std::copysign(INFINITY, value);
  const bool is_force = question.normal_of >= 0 || !question.objective.head(columns_.factor).isZero(0.0);
  return is_force ? value * force_scale_ : value;
}

/// The search for the answer to one question, in the order of the bounds.
class FrictionSearch::BestFirst {
 public:
  BestFirst(const FrictionSearch& search, const Question& question, const Branch& start)
      : search_(search), question_(question), start_(start) {}

  Answer operator()() {
    constexpr int eager = 32, seldom = 8;  // points are looked for in the first branches and in some of the others
    consider(start_, 0);
    for (int n_divided = 0; !open_.empty(); ++n_divided) {
      const Candidate best = open_.top();
      if (is_closed(best.bound) || (found_ && *found_ >= 0.1 * unlimited)) break;
      const Division division = search_.divide(question_, best);
      if (is_given_up(best.bound, division.joint)) break;
      open_.pop();
      if (n_divided < eager || n_divided % seldom == 0 || division.branches.empty()) climb(best);
      if (division.branches.empty() || is_closed(best.bound))
        closed_ = std::max(closed_, best.bound);
      else
        for (const Branch& part : division.branches) consider(part, best.depth + 1);
    }
    if (!open_.empty()) closed_ = std::max(closed_, open_.top().bound);
    if (found_) closed_ = std::max(closed_, *found_);
    if (found_) answer_.found = search_.to_si(question_, *found_);
    if (std::isfinite(closed_)) answer_.bound = search_.to_si(question_, closed_);
    return answer_;
  }

 private:
  static bool is_slip_decided(const Branch& branch) {
    return std::all_of(branch.slip.begin(), branch.slip.end(),
                       [](const Branch::Slip& slip) { return slip.is_decided; });
  }

  bool is_closed(double bound) const { return found_ && bound <= *found_ + search_tolerance; }

  void accept(const Branch& branch, const Eigen::VectorXd& x) {
    if (is_slip_decided(branch) && search_.is_admissible(branch, x))
      found_ = std::max(found_.value_or(-INFINITY), search_.value_at(question_, x));
  }

  void consider(const Branch& branch, int depth) {
    Relaxation relaxation(search_, question_, branch);
    const auto wide = relaxation.solve();
    answer_.n_programs += relaxation.n_programs();
    if (!wide.is_possible) return;
    accept(branch, wide.x);
    if (is_closed(wide.value))
      closed_ = std::max(closed_, wide.value);
    else
      open_.push({wide.value, branch, wide.x, depth});
  }

  /// From the point of a candidate, which is not admissible, to one that is and cannot be improved by small steps. It
  /// need not be in the same branch.
  void climb(const Candidate& from) {
    constexpr int most_steps = 5;
    if (!is_slip_decided(from.branch)) return;
    const Branch anywhere{start_.pressure, from.branch.slip};
    Eigen::VectorXd x = from.x;
    double value = -INFINITY;
    for (int step = 0; step < most_steps; ++step) {
      Relaxation relaxation(search_, question_, anywhere, x);
      const auto narrow = relaxation.solve();
      answer_.n_programs += relaxation.n_programs();
      if (!narrow.is_possible) return;
      accept(anywhere, narrow.x);
      if (narrow.value <= value + search_tolerance) return;
      x = narrow.x;
      value = narrow.value;
    }
  }

  /// If the distance d of bound and point became smaller by a power of the number of programs since half of them were
  /// used, so it may go on.
  bool is_given_up(double bound, int next_joint) {
    const double distance = found_ ? bound - *found_ : NAN;
    if (std::isnan(half_way_) && 2 * answer_.n_programs > question_.most_programs) half_way_ = distance;
    if (answer_.n_programs <= question_.most_programs) return false;
    answer_.given_up = true;
    answer_.open_joint = next_joint;
    if (distance < half_way_)
      answer_.more_search = std::pow(distance / search_tolerance, 1.0 / std::log2(half_way_ / distance));
    return true;
  }

  const FrictionSearch& search_;
  const Question& question_;
  const Branch& start_;
  Answer answer_;
  std::optional<double> found_;
  double closed_ = -INFINITY;  ///< bound of all branches that need not be looked at again
  double half_way_ = NAN;      ///< distance of bound and point when half of the programs had been used
  std::priority_queue<Candidate> open_;
};

Answer FrictionSearch::maximise(const Question& question, const Branch& start) const {
  return is_balanced_ ? BestFirst(*this, question, start)() : Answer{};
}

std::optional<std::vector<Branch>> FrictionSearch::orthants_at_rest(double least_factor, double most_factor) const {
  constexpr std::size_t most = 128;
  constexpr int most_tries = 1000;
  Question question;
  question.objective = columns_.nothing();
  question.least_factor = least_factor;
  question.most_factor = most_factor;
  std::vector<Branch> found, open{at_rest()};
  if (!is_balanced_) return found;
  for (int tries = 0; !open.empty(); ++tries) {
    if (tries == most_tries) return std::nullopt;
    const Branch branch = open.back();
    open.pop_back();
    if (!Relaxation(*this, question, branch).solve().is_possible) continue;
    int joint = 0;
    while (joint < static_cast<int>(problem_.joints.size()) && has_all_pressures(branch, joint)) ++joint;
    const Division division = decide_pressure(branch, joint);
    if (division.branches.empty()) found.push_back(branch);
    if (found.size() + open.size() > most) return std::nullopt;
    open.insert(open.end(), division.branches.begin(), division.branches.end());
  }
  return found;
}

}  // namespace freeplay
