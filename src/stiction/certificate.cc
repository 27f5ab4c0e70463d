#include "freeplay/stiction/certificate.h"

#include <Eigen/QR>
#include <algorithm>
#include <cmath>

#include "freeplay/stiction/friction_search.h"

namespace freeplay {

namespace {

constexpr double unique_width = 1e-7;    // relative to the loads: far above round-off, far below what matters
constexpr double slip_threshold = 1e-3;  // velocity of slip that counts, beside the largest one of the motion
constexpr double gap_width = 1e-3;
constexpr double no_part = 1e-9;  // of a force in a self-stress of unit size

/// Intervals in ascending order, with those that touch made one.
std::vector<Interval> merged(std::vector<Interval> intervals, double touching) {
  std::sort(intervals.begin(), intervals.end(), [](const Interval& a, const Interval& b) { return a.low < b.low; });
  std::vector<Interval> result;
  for (const Interval& each : intervals) {
    if (result.empty() || each.low > result.back().high + touching)
      result.push_back(each);
    else
      result.back().high = std::max(result.back().high, each.high);
  }
  return result;
}

std::vector<Interval> intersection(const std::vector<Interval>& a, const std::vector<Interval>& b) {
  std::vector<Interval> result;
  for (const Interval& x : a)
    for (const Interval& y : b)
      if (std::max(x.low, y.low) <= std::min(x.high, y.high))
        result.push_back({std::max(x.low, y.low), std::min(x.high, y.high)});
  return merged(std::move(result), 0.0);
}

/// Load factors for which rest is possible.
struct RestFactors {
  std::vector<Interval> intervals;
  bool is_complete = true;  ///< whether there are certainly no others
};

/// Without preloads and loads that stay the same, forces at rest under some loads only need to be multiplied to be
/// forces at rest under other loads.
bool is_homogeneous(const FrictionProblem& problem) {
  return problem.fixed_load.isZero(0.0) && std::all_of(problem.joints.begin(), problem.joints.end(),
                                                       [](const auto& joint) { return joint.preload == 0.0; });
}

RestFactors factors_at_rest(const FrictionSearch& search) {
  const auto orthants = search.orthants_at_rest(0.0, INFINITY);
  const std::vector<Branch> branches = orthants ? *orthants : std::vector<Branch>{search.at_rest()};
  RestFactors result;
  for (const Branch& branch : branches) {
    Question question;
    question.least_factor = 0.0;
    question.most_factor = INFINITY;
    question.objective = search.columns().unit(search.columns().factor);
    const Answer high = search.maximise(question, branch);
    question.objective = -question.objective;
    const Answer low = search.maximise(question, branch);
    if (high.found && low.found)
      result.intervals.push_back({-*low.found, *high.found});
    else if (high.bound && low.bound)
      result.is_complete = false;
  }
  result.intervals = merged(std::move(result.intervals), gap_width);
  return result;
}

class Certifier {
 public:
  explicit Certifier(const RestProblem& rest)
      : rest_(rest), problem_(rest.friction), search_(problem_), self_stresses_(problem_.self_stresses()) {
    const Eigen::MatrixXd balance = problem_.balance.leftCols(problem_.n_reactions + problem_.n_frictions);
    const Eigen::VectorXd load = problem_.fixed_load + problem_.scaled_load;
    forces_ = balance.completeOrthogonalDecomposition().solve(load);
    is_balanced_ = (balance * forces_ - load).norm() <= unique_width * search_.force_scale();
    is_decided_ = is_balanced_;
    for (const auto& joint : problem_.joints) {
      for (int d = 0; d < joint.n_directions; ++d) is_decided_ &= is_unique(problem_.friction_column(joint) + d);
      is_decided_ &= has_unique_normal_force(joint);
    }
    if (is_decided_) return;
    const auto orthants = search_.orthants_at_rest(1.0, 1.0);
    branches_ = orthants ? *orthants : std::vector<Branch>{search_.at_rest()};
  }

  StictionCertificate operator()() {
    StictionCertificate result;
    result.is_elastic = rest_.is_elastic;
    result.has_contacts = rest_.has_contacts;
    result.n_self_stresses = static_cast<int>(self_stresses_.cols());
    result.rest_is_possible = rest_is_possible();
    for (std::size_t j = 0; j < problem_.joints.size(); ++j)
      result.joints.push_back(certify_joint(static_cast<int>(j), result.rest_is_possible));
    result.rest_is_guaranteed = rest_is_guaranteed(result);
    find_load_factors(result);
    return result;
  }

 private:
  // Forces that take no part in any self-stress.
  bool is_unique(int column) const { return self_stresses_.row(column).norm() < no_part; }
  bool has_unique_normal_force(const FrictionProblem::FrictionJoint& joint) const {
    double part = 0.0;
    for (const auto& each : joint.normal) part += (each.map * self_stresses_.topRows(problem_.n_reactions)).norm();
    return part < no_part;
  }

  /// What friction could take more than it has to, if equilibrium decides all forces [N].
  double reserve(const FrictionProblem::FrictionJoint& joint) const {
    return joint.coefficient * joint.normal_force(forces_.head(problem_.n_reactions)) -
           forces_.segment(problem_.friction_column(joint), joint.n_directions).norm();
  }

  Verdict3 rest_is_possible() const {
    if (is_decided_) {
      for (const auto& joint : problem_.joints)
        if (reserve(joint) < -unique_width * search_.force_scale()) return Verdict3::no;
      return Verdict3::yes;
    }
    Question question;
    question.objective = search_.columns().nothing();
    bool is_unknown = false;
    for (const Branch& branch : branches_) {
      const Answer answer = search_.maximise(question, branch);
      if (answer.found) return Verdict3::yes;
      is_unknown |= answer.bound.has_value();
    }
    return is_unknown ? Verdict3::unknown : Verdict3::no;
  }

  /// All values of what the question maximises.
  ForceRange range_of(const Question& question) const {
    ForceRange range{INFINITY, -INFINITY, INFINITY, -INFINITY, false, ""};
    std::vector<Interval> intervals;
    Question opposite = question;
    opposite.objective = -question.objective;
    opposite.sign = -question.sign;
    for (const Branch& branch : branches_) {
      const Answer high = search_.maximise(question, branch);
      const Answer low = search_.maximise(opposite, branch);
      if (!high.bound || !low.bound) continue;
      range.most = std::max(range.most, *high.bound);
      range.least = std::min(range.least, -*low.bound);
      if (high.found && low.found) intervals.push_back({-*low.found, *high.found});
    }
    range.parts = merged(std::move(intervals), gap_width * search_.force_scale());
    if (range.parts.empty()) return range;
    range.low = range.parts.front().low;
    range.high = range.parts.back().high;
    range.is_unique = range.most - range.least <= unique_width * search_.force_scale();
    if (range.is_unique) range.reason = "no other value fits the friction cones";
    return range;
  }

  /// A force that takes no part in any self-stress.
  ForceRange decided(double value, Verdict3 rest_is_possible) const {
    const char* reason = rest_is_possible == Verdict3::no ? "needed, but rest is not possible"
                         : rest_.is_elastic               ? "springs and beams decide"
                                                          : "equilibrium alone decides";
    return {value, value, value, value, true, reason, {{value, value}}};
  }

  ForceRange friction_range(int column, Verdict3 rest_is_possible) const {
    if (is_balanced_ && is_unique(column)) return decided(-forces_[column], rest_is_possible);
    Question question;
    question.objective = -search_.columns().unit(column);  // what resists the second body pushes it the other way
    return range_of(question);
  }

  ForceRange normal_range(int j, Verdict3 rest_is_possible) const {
    const auto& joint = problem_.joints[j];
    if (is_balanced_ && has_unique_normal_force(joint))
      return decided(joint.normal_force(forces_.head(problem_.n_reactions)), rest_is_possible);
    Question question;
    question.normal_of = j;
    question.objective = search_.columns().nothing();
    return range_of(question);
  }

  JointCertificate certify_joint(int j, Verdict3 rest_is_possible) const {
    const auto& joint = problem_.joints[j];
    JointCertificate result;
    result.name = joint.name;
    result.coefficient = joint.coefficient;
    for (int d = 0; d < joint.n_directions; ++d)
      result.friction.push_back(friction_range(problem_.friction_column(joint) + d, rest_is_possible));
    result.normal = normal_range(j, rest_is_possible);
    result.may_slip = may_slip(j);
    return result;
  }

  /// Joint j slips; the others stick or slip.
  Branch slipping(int j, const SimplicialCone& sector) const {
    Branch branch = search_.undecided();
    branch.slip[j] = {true, sector};
    return branch;
  }

  Verdict3 may_slip(int j) const {
    if (is_decided_)
      return reserve(problem_.joints[j]) < unique_width * search_.force_scale() ? Verdict3::yes : Verdict3::no;
    if (rest_.is_elastic) return Verdict3::unknown;
    bool is_unknown = false;
    for (const SimplicialCone& sector : orthants(problem_.joints[j].n_directions)) {
      Question question;
      question.slipping = j;
      question.objective = search_.columns().nothing();
      question.least_slip = slip_threshold;
      const Answer answer = search_.maximise(question, slipping(j, sector));
      if (answer.found) return Verdict3::yes;
      is_unknown |= answer.given_up;
    }
    return is_unknown ? Verdict3::unknown : Verdict3::no;
  }

  Verdict3 rest_is_guaranteed(const StictionCertificate& certificate) const {
    if (certificate.rest_is_possible != Verdict3::yes) return certificate.rest_is_possible;
    Verdict3 verdict = Verdict3::yes;
    for (const JointCertificate& joint : certificate.joints) {
      if (joint.may_slip == Verdict3::yes) return Verdict3::no;
      if (joint.may_slip == Verdict3::unknown) verdict = Verdict3::unknown;
    }
    return verdict;
  }

  /// If equilibrium decides all forces, each joint can be looked at alone.
  RestFactors factors_of_decided_forces() const {
    RestFactors all{{{0.0, INFINITY}}};
    for (const auto& joint : problem_.joints) {
      FrictionProblem single = problem_;
      single.joints = {joint};
      const RestFactors of_joint = factors_at_rest(FrictionSearch(single));
      all.intervals = intersection(all.intervals, of_joint.intervals);
      all.is_complete &= of_joint.is_complete;
    }
    return all;
  }

  std::optional<double> first_possible_slip(bool is_guaranteed) const {
    std::optional<double> first;
    for (std::size_t j = 0; j < problem_.joints.size(); ++j)
      for (const SimplicialCone& sector : orthants(problem_.joints[j].n_directions)) {
        Question question;
        question.slipping = static_cast<int>(j);
        question.least_slip = slip_threshold;
        question.least_factor = is_guaranteed ? 1.0 : 0.0;
        question.most_factor = INFINITY;
        question.objective = -search_.columns().unit(search_.columns().factor);
        const Answer answer = search_.maximise(question, slipping(static_cast<int>(j), sector));
        if (answer.given_up) return std::nullopt;
        if (answer.found) first = std::min(first.value_or(INFINITY), std::max(0.0, -*answer.found));
      }
    return first.value_or(INFINITY);
  }

  void find_load_factors(StictionCertificate& certificate) const {
    const bool at_any_load = certificate.rest_is_possible == Verdict3::yes && is_homogeneous(problem_);
    const RestFactors factors = at_any_load   ? RestFactors{{{0.0, INFINITY}}}
                                : is_decided_ ? factors_of_decided_forces()
                                              : factors_at_rest(search_);
    const bool cannot_rest = certificate.rest_is_possible == Verdict3::no;
    std::optional<double> end, next;
    if (factors.is_complete) {
      end = 0.0;  // unless it can rest under smaller loads
      next = INFINITY;
    }
    for (const Interval& each : factors.intervals) {
      if (each.low <= 1.0 + (cannot_rest ? -gap_width : gap_width))
        end = each.high;
      else if (next)
        next = std::min(*next, std::max(1.0, each.low));
    }
    if (certificate.rest_is_possible == Verdict3::unknown) end.reset();
    if (cannot_rest) certificate.rest_begins = next;
    if (is_decided_)
      certificate.first_possible_slip = end;
    else if (!rest_.is_elastic)
      certificate.first_possible_slip = first_possible_slip(certificate.rest_is_guaranteed == Verdict3::yes);
    // What deforms can slip in one joint and be held by the others.
    if (!rest_.is_elastic) certificate.certain_slip = end;
  }

  const RestProblem& rest_;
  const FrictionProblem& problem_;
  FrictionSearch search_;
  Eigen::MatrixXd self_stresses_;
  Eigen::VectorXd forces_;    ///< some reactions and friction forces in equilibrium, whatever the cones say
  bool is_balanced_ = false;  ///< whether there are any
  bool is_decided_ = false;   ///< whether they are the only ones, as far as friction joints go
  std::vector<Branch> branches_;
};

}  // namespace

StictionCertificate certify(const RestProblem& problem) { return Certifier(problem)(); }

StictionReport certify(const Assembled& assembled, const RestQuestion& question) {
  StictionReport report;
  report.certificate = certify(rest_problem(assembled, question));
  if (!question.rigid_beams) return report;
  RestQuestion flexible = question;
  flexible.rigid_beams = false;
  report.flexible = certify(rest_problem(assembled, flexible));
  return report;
}

}  // namespace freeplay
