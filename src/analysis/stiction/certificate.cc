#include "freeplay/analysis/stiction/certificate.h"

#include <Eigen/QR>
#include <algorithm>
#include <cmath>

#include "freeplay/analysis/stiction/friction_search.h"
#include "rest_factors.h"

namespace freeplay {

namespace {

constexpr double unique_width = 1e-7;    // relative to the loads: far above round-off, far below what matters
constexpr double slip_threshold = 1e-3;  // velocity of slip that counts, beside the largest one of the motion
constexpr double usual_programs = 4e5;   // linear programs for a certificate: at most some twenty seconds
constexpr double no_part = 1e-9;         // of a force in a self-stress of unit size

/// Without preloads and loads that stay the same, forces at rest under some loads only need to be multiplied to be
/// forces at rest under other loads.
bool is_homogeneous(const FrictionProblem& problem) {
  return problem.fixed_load.isZero(0.0) && std::all_of(problem.joints.begin(), problem.joints.end(),
                                                       [](const auto& joint) { return joint.preload == 0.0; });
}

class Certifier {
 public:
  Certifier(const RestProblem& rest, double search)
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
    at_rest_ = branches_at_rest(search_, 1.0, 1.0);
    at_rest_under_any_load_ = branches_at_rest(search_, 0.0, INFINITY);
    constexpr double most = 1e9;  // years, and twice as much is still an int
    most_programs_ = static_cast<int>(std::min(most, search * usual_programs / std::max(1.0, n_questions())));
  }

  StictionCertificate operator()() {
    StictionCertificate result;
    result.is_elastic = rest_.is_elastic;
    result.open_contacts = rest_.open_contacts;
    result.n_self_stresses = static_cast<int>(self_stresses_.cols());
    result.rest_is_possible = rest_is_possible();
    for (std::size_t j = 0; j < problem_.joints.size(); ++j) {
      result.joints.push_back({problem_.joints[j].name, problem_.joints[j].coefficient, problem_.joints[j].is_contact});
      result.joints.back().may_slip = may_slip(static_cast<int>(j));
    }
    result.rest_is_guaranteed = rest_is_guaranteed(result);
    find_load_factors(result);
    for (std::size_t j = 0; j < problem_.joints.size(); ++j)
      find_forces(static_cast<int>(j), result.rest_is_possible, result.joints[j]);
    result.open_questions = std::move(open_questions_);
    return result;
  }

 private:
  double n_questions() const {
    std::size_t n = at_rest_.size() + 2 * at_rest_under_any_load_.size();
    for (std::size_t j = 0; j < problem_.joints.size(); ++j) {
      n += 2 * search_.slips_of(static_cast<int>(j)).size();
      n += 2 * at_rest_.size() * (problem_.joints[j].n_directions + 1);
    }
    return static_cast<double>(n);
  }

  Answer ask(Question question, const Branch& start) {
    question.most_programs = most_programs_;
    const Answer answer = search_.maximise(question, start);
    if (answer.given_up) given_up_.push_back(answer);
    return answer;
  }

  /// What was given up matters only if it leaves a question open.
  void conclude(const std::string& what, bool is_answered) {
    const std::vector<Answer> given_up = std::move(given_up_);
    given_up_.clear();
    if (is_answered || given_up.empty()) return;
    OpenQuestion open{what, ""};
    for (const Answer& each : given_up) {
      if (open.joint.empty() && each.open_joint >= 0) open.joint = problem_.joints[each.open_joint].name;
      open.more_search = std::max(open.more_search, each.more_search);
    }
    open_questions_.push_back(std::move(open));
  }

  // Forces that take no part in any self-stress.
  bool is_unique(int column) const { return self_stresses_.row(column).norm() < no_part; }
  bool has_unique_normal_force(const FrictionProblem::FrictionJoint& joint) const {
    double part = 0.0;
    for (const auto& each : joint.normal) part += (each.map * self_stresses_.topRows(problem_.n_reactions)).norm();
    return part < no_part;
  }

  /// What friction could take more than it has to, or a contact lose before it opens, if equilibrium decides all
  /// forces [N].
  double reserve(const FrictionProblem::FrictionJoint& joint) const {
    const double normal = joint.normal_force(forces_.head(problem_.n_reactions));
    const double of_friction =
        joint.coefficient * normal - forces_.segment(problem_.friction_column(joint), joint.n_directions).norm();
    return joint.is_contact ? std::min(normal, of_friction) : of_friction;
  }

  /// A contact that would have to pull opens; what elastic bodies then do is not computed.
  bool is_pulled_open(const FrictionProblem::FrictionJoint& joint) const {
    return rest_.is_elastic && joint.is_contact &&
           joint.normal_force(forces_.head(problem_.n_reactions)) < -unique_width * search_.force_scale();
  }

  Verdict3 rest_is_possible() {
    if (is_decided_) {
      Verdict3 verdict = Verdict3::yes;
      for (const auto& joint : problem_.joints) {
        if (is_pulled_open(joint)) {
          open_questions_.push_back(
              {"whether rest is possible: " + joint.name + " would have to pull, and opens", "", 0.0});
          return Verdict3::unknown;
        }
        if (reserve(joint) < -unique_width * search_.force_scale()) verdict = Verdict3::no;
      }
      return verdict;
    }
    Question question;
    question.objective = search_.columns().nothing();
    Verdict3 verdict = Verdict3::no;
    for (const Branch& branch : at_rest_) {
      const Answer answer = ask(question, branch);
      if (answer.bound && verdict == Verdict3::no) verdict = Verdict3::unknown;
      if (!answer.found) continue;
      verdict = Verdict3::yes;
      break;
    }
    conclude("whether rest is possible", verdict != Verdict3::unknown);
    return verdict;
  }

  /// All values of what the question maximises.
  ForceRange range_of(const Question& question, const std::string& what) {
    ForceRange range{INFINITY, -INFINITY, INFINITY, -INFINITY, false, ""};
    std::vector<Interval> intervals;
    Question opposite = question;
    opposite.objective = -question.objective;
    opposite.sign = -question.sign;
    for (const Branch& branch : at_rest_) {
      const Answer high = ask(question, branch);
      const Answer low = ask(opposite, branch);
      if (!high.bound || !low.bound) continue;
      range.most = std::max(range.most, *high.bound);
      range.least = std::min(range.least, 0.0 - *low.bound);  // never -0
      if (high.found && low.found) intervals.push_back({0.0 - *low.found, *high.found});
    }
    range.parts = merged(std::move(intervals), gap_width * search_.force_scale());
    if (range.parts.empty()) {
      conclude(what, range.least > range.most);
      return range;
    }
    range.low = range.parts.front().low;
    range.high = range.parts.back().high;
    const double tolerance = gap_width * search_.force_scale();
    conclude(what, range.low <= range.least + tolerance && range.high >= range.most - tolerance);
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

  ForceRange friction_range(int column, Verdict3 rest_is_possible, const std::string& what) {
    if (is_balanced_ && is_unique(column)) return decided(-forces_[column], rest_is_possible);
    Question question;
    question.objective = -search_.columns().unit(column);  // what resists the second body pushes it the other way
    return range_of(question, what);
  }

  ForceRange normal_range(int j, Verdict3 rest_is_possible) {
    const auto& joint = problem_.joints[j];
    if (is_balanced_ && has_unique_normal_force(joint))
      return decided(joint.normal_force(forces_.head(problem_.n_reactions)), rest_is_possible);
    Question question;
    question.normal_of = j;
    question.objective = search_.columns().nothing();
    return range_of(question, "the normal force in " + joint.name);
  }

  void find_forces(int j, Verdict3 rest_is_possible, JointCertificate& result) {
    const auto& joint = problem_.joints[j];
    for (int d = 0; d < joint.n_directions; ++d)
      result.friction.push_back(
          friction_range(problem_.friction_column(joint) + d, rest_is_possible, "friction in " + joint.name));
    result.normal = normal_range(j, rest_is_possible);
  }

  /// Joint j slips or opens; the others do what they like.
  Branch moving(int j, const Branch::Slip& slip) const {
    Branch branch = search_.undecided();
    branch.slip[j] = slip;
    return branch;
  }

  Verdict3 may_slip(int j) {
    if (is_decided_) {
      if (is_pulled_open(problem_.joints[j])) return Verdict3::unknown;
      return reserve(problem_.joints[j]) < unique_width * search_.force_scale() ? Verdict3::yes : Verdict3::no;
    }
    if (rest_.is_elastic) return Verdict3::unknown;
    Verdict3 verdict = Verdict3::no;
    for (const Branch::Slip& slip : search_.slips_of(j)) {
      Question question;
      question.slipping = j;
      question.objective = search_.columns().nothing();
      question.least_slip = slip_threshold;
      const Answer answer = ask(question, moving(j, slip));
      if (answer.given_up) verdict = Verdict3::unknown;
      if (!answer.found) continue;
      verdict = Verdict3::yes;
      break;
    }
    conclude("whether " + problem_.joints[j].name + " may slip", verdict != Verdict3::unknown);
    return verdict;
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
    RestFactors all{{{0.0, INFINITY}}, {{0.0, INFINITY}}};
    for (const auto& joint : problem_.joints) {
      FrictionProblem single = problem_;
      single.joints = {joint};
      const FrictionSearch search(single);
      const RestFactors of_joint = factors_at_rest(
          search, branches_at_rest(search, 0.0, INFINITY),
          [&](const Question& question, const Branch& start) { return search.maximise(question, start); });
      all.found = intersection(all.found, of_joint.found);
      all.bounds = intersection(all.bounds, of_joint.bounds);
      all.is_complete &= of_joint.is_complete;
    }
    return all;
  }

  RestFactors rest_factors(Verdict3 rest_is_possible) {
    if (rest_is_possible == Verdict3::yes && is_homogeneous(problem_)) return {{{0.0, INFINITY}}, {{0.0, INFINITY}}};
    if (is_decided_) return factors_of_decided_forces();
    return factors_at_rest(search_, at_rest_under_any_load_,
                           [&](const Question& question, const Branch& start) { return ask(question, start); });
  }

  Interval first_possible_slip(Verdict3 is_guaranteed) {
    // Forces of a motion that begins under some loads only need to be multiplied to be those under other loads.
    if (is_homogeneous(problem_) && is_guaranteed != Verdict3::unknown) {
      const double first = is_guaranteed == Verdict3::yes ? INFINITY : 0.0;
      return {first, first};
    }
    Interval first{INFINITY, INFINITY};
    for (int j = 0; j < static_cast<int>(problem_.joints.size()); ++j)
      for (const Branch::Slip& slip : search_.slips_of(j)) {
        Question question;
        question.slipping = j;
        question.least_slip = slip_threshold;
        question.least_factor = is_guaranteed == Verdict3::yes ? 1.0 : 0.0;
        question.most_factor = INFINITY;
        question.objective = -search_.columns().unit(search_.columns().factor);
        const Answer answer = ask(question, moving(j, slip));
        if (answer.found) first.high = std::min(first.high, std::max(0.0, -*answer.found));
        if (answer.found || answer.given_up) first.low = std::min(first.low, std::max(0.0, -*answer.bound));
      }
    return first;
  }

  void find_load_factors(StictionCertificate& certificate) {
    const RestFactors factors = rest_factors(certificate.rest_is_possible);
    const bool cannot_rest = certificate.rest_is_possible == Verdict3::no;
    const double here = 1.0 + (cannot_rest ? -gap_width : gap_width);
    Interval certain{end_at(factors.found, here), end_at(factors.bounds, here)};
    if (certificate.rest_is_possible == Verdict3::unknown) certain.low = 0.0;
    if (cannot_rest && factors.is_complete) {
      certificate.rest_begins = INFINITY;
      for (const Interval& each : factors.found)
        if (each.low > here) certificate.rest_begins = std::min(*certificate.rest_begins, std::max(1.0, each.low));
    }
    conclude("certain slip", is_narrow(certain));
    Interval first = certain;
    if (!is_decided_ && rest_.is_elastic) first = {0.0, INFINITY};
    if (!is_decided_ && !rest_.is_elastic) {
      first = first_possible_slip(certificate.rest_is_guaranteed);
      // What cannot rest moves.
      first.high = std::min(first.high, certain.high);
      first.low = std::min(first.low, first.high);
      certain.low = std::max(certain.low, first.low);
      conclude("first possible slip", is_narrow(first));
    }
    certificate.first_possible_slip_bounds = first;
    certificate.certain_slip_bounds = certain;
    if (is_narrow(first))
      certificate.first_possible_slip = is_narrow(certain) ? std::min(first.high, certain.low) : first.high;
    // What deforms can slip in one joint and be held by the others.
    if (!rest_.is_elastic && is_narrow(certain)) certificate.certain_slip = certain.low;
  }

  const RestProblem& rest_;
  const FrictionProblem& problem_;
  FrictionSearch search_;
  Eigen::MatrixXd self_stresses_;
  Eigen::VectorXd forces_;    ///< some reactions and friction forces in equilibrium, whatever the cones say
  bool is_balanced_ = false;  ///< whether there are any
  bool is_decided_ = false;   ///< whether they are the only ones, as far as friction joints go
  std::vector<Branch> at_rest_, at_rest_under_any_load_;
  int most_programs_;             ///< of each question: none depends on what others took
  std::vector<Answer> given_up_;  ///< since the last conclusion
  std::vector<OpenQuestion> open_questions_;
};

}  // namespace

StictionCertificate certify(const RestProblem& problem, double search) { return Certifier(problem, search)(); }

StictionReport certify(const Assembled& assembled, const RestQuestion& question) {
  StictionReport report;
  report.certificate = certify(rest_problem(assembled, question), question.search);
  if (!question.rigid_beams) return report;
  RestQuestion flexible = question;
  flexible.rigid_beams = false;
  report.flexible = certify(rest_problem(assembled, flexible), question.search);
  return report;
}

}  // namespace freeplay
