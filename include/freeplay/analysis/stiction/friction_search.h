#pragma once

#include <optional>
#include <vector>

#include "freeplay/analysis/stiction/friction_problem.h"
#include "freeplay/analysis/stiction/simplicial_cone.h"

namespace freeplay {

/// Where the directions of forces and slips are looked for. Each choice that is made turns conditions that are not
/// linear into linear ones.
struct Branch {
  struct Slip {
    bool is_decided = false;
    std::optional<SimplicialCone> sector{};  ///< of the slip; absent in a joint that sticks
    bool opens = false;                      ///< a contact that lifts off
    bool sticks() const { return is_decided && !sector && !opens; }
  };
  std::vector<std::optional<SimplicialCone>> pressure;  ///< of each part of each normal force, joint after joint
  std::vector<Slip> slip;                               ///< of each joint
};

/// Unknowns of the search: those of the problem, the load factor, the velocities of a motion that begins, as many as
/// there are accelerations, and a number that is at least the normal force which is to be smallest.
struct SearchColumns {
  explicit SearchColumns(const FrictionProblem& problem)
      : acceleration(problem.acceleration_column()),
        factor(problem.n_unknowns()),
        velocity(factor + 1),
        normal(velocity + problem.n_accelerations),
        size(normal + 1) {}
  int acceleration, factor, velocity, normal, size;

  Eigen::VectorXd unit(int column) const { return Eigen::VectorXd::Unit(size, column); }
  Eigen::VectorXd nothing() const { return Eigen::VectorXd::Zero(size); }
};

/// What is maximised, and over what.
struct Question {
  Eigen::VectorXd objective;  ///< over SearchColumns; or
  int normal_of = -1;         ///< the normal force of this joint,
  double sign = 1.0;          ///< times this
  double least_factor = 1.0, most_factor = 1.0;
  int slipping = -1;         ///< sliding begins, in this joint (and others): its velocity of slip, or the growth of
  double least_slip = 0.0;   ///< its gap, is at least this; the largest velocity is 1
  int most_programs = 4000;  ///< then it is given up
};

/// What was found: the best value of a point that satisfies everything (to round-off), and a bound that no point
/// exceeds. The two agree to the tolerance of the search unless it was given up.
struct Answer {
  std::optional<double> found{};
  std::optional<double> bound{};  ///< absent: there is no point at all
  bool given_up = false;
  int open_joint = -1;            ///< if it was given up: in which joint the next direction would have been chosen
  double more_search = INFINITY;  ///< and how many times as many programs might do, as the bounds came closer so far
  int n_programs = 0;
};

/// Finds extreme forces of a friction problem by branching over directions and bounding by linear programs: normal
/// forces are lengths of vectors and make the set of admissible forces not convex where a joint sticks. In a branch the
/// length is replaced by a linear function that is never smaller, which gives bounds; branches are divided until a
/// point reaches them. Points are found by replacing lengths by their components along the directions that they have
/// at the last point, which are never larger, as often as that improves it. What is convex, circles and balls of
/// friction and normal forces of joints that slip, is cut by tangent planes and needs no branches.
class FrictionSearch {
 public:
  explicit FrictionSearch(const FrictionProblem& problem);

  const SearchColumns& columns() const { return columns_; }
  /// Size of loads and preloads [N].
  double force_scale() const { return force_scale_; }

  /// No choice made yet, or all joints sticking.
  Branch undecided() const;
  Branch at_rest() const;

  /// How a joint can move: along each sector of its slip, or by opening; or, if it may, not at all.
  std::vector<Branch::Slip> slips_of(int joint, bool may_stick = false) const;

  /// Values far beyond the size of the loads come out as infinite.
  Answer maximise(const Question& question, const Branch& start) const;

  /// The branches at rest, with one orthant for each part of a normal force, in which there may be forces. Their union
  /// is all there is. Empty list: none. Nothing: too many to be worth it.
  std::optional<std::vector<Branch>> orthants_at_rest(double least_factor, double most_factor) const;

 private:
  friend class Relaxation;
  struct Part {
    int joint;
    const FrictionProblem::NormalPart* part;
  };
  struct Candidate;

  struct Division;
  class BestFirst;

  void compress_balance();
  bool has_all_pressures(const Branch& branch, int joint) const;
  double value_at(const Question& question, const Eigen::VectorXd& x) const;
  double limit_at(int joint, const Eigen::VectorXd& x) const;
  double round_off_at(const Eigen::VectorXd& x) const;
  double excess_at(int joint, const Eigen::VectorXd& x) const;
  bool slips_at(int joint, const Eigen::VectorXd& x) const;
  bool is_admissible(const Branch& branch, const Eigen::VectorXd& x) const;
  Division decide_slip(const Branch& branch) const;
  Division decide_pressure(const Branch& branch, int joint) const;
  Division refine_pressure(const Branch& branch, int joint, const Eigen::VectorXd& x) const;
  Division refine_slip(const Branch& branch, int joint, const Eigen::VectorXd& x) const;
  Division divide(const Question& question, const Candidate& candidate) const;
  double to_si(const Question& question, double value) const;

  const FrictionProblem& problem_;
  SearchColumns columns_;
  std::vector<Part> parts_;
  double force_scale_ = 1.0;
  Eigen::MatrixXd rows_;     ///< of the balance, without those that follow from others
  Eigen::VectorXd right_;    ///< their right sides, in units of force_scale_
  bool is_balanced_ = true;  ///< false: loads that no force can balance
};

}  // namespace freeplay
