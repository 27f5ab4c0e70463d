#pragma once

#include <petscksp.h>

#include "direct_preconditioner.h"
#include "freeplay/scheme/solver_interface.h"

namespace freeplay {

/// Newton's method. The Jacobian is an old one as long as it contracts well, and as long as the additional iterations
/// that its age has cost are fewer than a new one would cost. Of several processes each has its own rows of residual
/// and Jacobian, and all of the solution; what they decide follows from numbers that all of them know.
class NewtonSolver : public NonlinearSolver {
 public:
  NewtonSolver(NonlinearProblem& problem, double tolerance, int max_iterations, const Team& team);
  ~NewtonSolver() override;
  NewtonSolver(const NewtonSolver&) = delete;
  NewtonSolver& operator=(const NewtonSolver&) = delete;

  NonlinearReport solve(NonlinearProblem& problem, std::span<double> u) override;
  bool correction(std::span<const double> r, std::span<double> du) override;
  void forget_factorisation() override;
  double bytes() const override {
    return 12.0 * static_cast<double>(matrix_.value().size()) + preconditioner_->bytes();
  }

 private:
  /// How far an iteration is.
  struct Progress {
    int iteration = 0;
    double size = 0.0;         ///< of the residual, relative to its terms
    double contraction = 0.0;  ///< of that, by the last correction
    bool stagnates = false;    ///< where round-off may be the reason
    bool is_certain = false;   ///< that the Jacobian is not to blame: it is of this solve and was good
  };
  enum class Verdict { go_on, converged, stopped_by_round_off, too_many_iterations, not_finite, diverged, singular };

  Progress progress(int iteration) const;
  Verdict judge(const Progress& progress, std::span<const double> u) const;
  bool correction_is_round_off(std::span<const double> u) const;
  void remember_round_off(const Progress& progress);
  bool is_worn_out(const Progress& progress) const;
  void differentiate(std::span<const double> u);
  void plan_next_start(bool renewed, const NonlinearReport& report);
  void solve_linear(std::span<const double> r, std::span<double> du);

  NonlinearProblem& problem_;
  double tolerance_;
  int max_iterations_;
  BlockMatrix matrix_;
  const Team& team_;
  OwnPart own_;
  KSP ksp_ = nullptr;
  Mat mat_ = nullptr;
  Vec right_side_ = nullptr, solution_ = nullptr;
  std::unique_ptr<DirectPreconditioner> preconditioner_;
  std::vector<double> residual_, correction_;

  bool have_jacobian_ = false;
  bool is_fresh_ = false;          ///< Jacobian made in this solve
  bool jacobian_is_good_ = false;  ///< for the correction at hand: just made, or has just reduced the residual well
  double previous_size_ = 0.0;

  int fresh_iterations_ = 0;   ///< of the last solve that began with a new Jacobian
  int excess_iterations_ = 0;  ///< more than that, in all solves since
  int fresh_starts_ = 0, next_fresh_starts_ = 0;
  /// The residual that a new Jacobian could not reduce: no iterations are spent to find that again, but now and then it
  /// is measured anew.
  double round_off_ = 0.0;
};

}  // namespace freeplay
