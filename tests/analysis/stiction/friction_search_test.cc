#include "freeplay/analysis/stiction/friction_search.h"

#include <gtest/gtest.h>

#include <Eigen/QR>
#include <random>

namespace freeplay {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double round_off = 1e-12;

// Protects: what the bounds rest on: inside a cone the length lies between two linear functions, and the two halves of
// a cone are closer together.
TEST(SimplicialCone, LengthLiesBetweenLinearFunctions) {
  std::mt19937 random(1);
  std::normal_distribution<double> normal;
  for (int dimension = 1; dimension <= 3; ++dimension) {
    const std::vector<SimplicialCone> cones = orthants(dimension);
    ASSERT_EQ(cones.size(), std::size_t(1) << dimension);
    for (int sample = 0; sample < 200; ++sample) {
      VectorXd x(dimension);
      for (int d = 0; d < dimension; ++d) x[d] = normal(random);
      int n_inside = 0;
      for (const SimplicialCone& cone : cones) {
        if ((cone.inverse * x).minCoeff() < 0.0) continue;
        ++n_inside;
        const double s = cone.sum().dot(x);
        EXPECT_LE(x.norm(), s + round_off);
        EXPECT_GE(x.norm(), cone.flatness * s - round_off);
      }
      EXPECT_EQ(n_inside, 1);
    }
  }
  const auto [first, second] = parted(orthants(2)[0], Eigen::Vector2d(1.0, 1.0));
  EXPECT_NEAR(first.flatness, std::cos(M_PI / 8), round_off);
  EXPECT_NEAR(second.flatness, std::cos(M_PI / 8), round_off);
}

/// A block on a plane: its weight, a push along the plane, friction in two directions.
FrictionProblem block(double weight, double push_x, double push_y, double coefficient) {
  FrictionProblem problem;
  problem.n_reactions = 1;
  problem.n_frictions = 2;
  problem.n_accelerations = 2;
  problem.balance = MatrixXd::Zero(3, 5);
  problem.balance.topLeftCorner(3, 3).setIdentity();
  problem.balance.bottomRightCorner(2, 2).setIdentity();
  problem.fixed_load = VectorXd::Unit(3, 0) * weight;
  problem.scaled_load = Eigen::Vector3d(0.0, push_x, push_y);
  FrictionProblem::FrictionJoint joint;
  joint.name = "floor";
  joint.coefficient = coefficient;
  joint.normal = {{MatrixXd::Identity(1, 1), 1.0}};
  joint.n_directions = 2;
  joint.slip = MatrixXd::Identity(2, 2);
  problem.joints = {joint};
  return problem;
}

// Protects: a circle of friction in two directions, not a square: a push of (3, 4) N needs 5 N, and the load factor at
// which it moves is exact.
TEST(FrictionSearch, FrictionInTwoDirectionsIsACircle) {
  const FrictionProblem problem = block(20.0, 3.0, 4.0, 0.5);
  const FrictionSearch search(problem);
  Question question;
  question.least_factor = 0.0;
  question.most_factor = INFINITY;
  question.objective = search.columns().unit(search.columns().factor);
  const Answer answer = search.maximise(question, search.at_rest());
  ASSERT_TRUE(answer.found && answer.bound);
  constexpr double tolerance = 1e-4;  // of the search
  EXPECT_NEAR(*answer.found, 2.0, 2.0 * tolerance);
  EXPECT_NEAR(*answer.bound, 2.0, 2.0 * tolerance);

  Question slides;
  slides.objective = -search.columns().unit(search.columns().factor);
  slides.least_factor = 0.0;
  slides.most_factor = INFINITY;
  slides.slipping = 0;
  slides.least_slip = 1e-3;
  Branch branch = search.undecided();
  branch.slip[0] = {true, orthants(2)[0]};
  const Answer first = search.maximise(slides, branch);
  ASSERT_TRUE(first.found);
  EXPECT_NEAR(-*first.found, 2.0, 2.0 * tolerance);
}

// Protects: loads that nothing can balance are impossible, not unbounded.
TEST(FrictionSearch, SaysWhenThereIsNothing) {
  FrictionProblem problem = block(20.0, 3.0, 4.0, 0.5);
  problem.joints[0].coefficient = 0.2;
  const FrictionSearch search(problem);
  Question question;
  question.objective = search.columns().nothing();
  const Answer answer = search.maximise(question, search.at_rest());
  EXPECT_FALSE(answer.found);
  EXPECT_FALSE(answer.bound);
}

/// Two joints with normal forces in the plane, friction in one and in two directions, and forces that are not unique in
/// two ways.
FrictionProblem random_problem(std::mt19937& random) {
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  FrictionProblem problem;
  problem.n_reactions = 4;
  problem.n_frictions = 3;
  problem.balance = MatrixXd::NullaryExpr(5, 7, [&] { return uniform(random); });
  problem.scaled_load = VectorXd::Zero(5);
  FrictionProblem::FrictionJoint joint;
  for (int j = 0; j < 2; ++j) {
    joint.coefficient = 0.6;
    joint.preload = 0.2;
    joint.normal = {{MatrixXd::Identity(4, 4).middleRows(2 * j, 2), 1.0}};
    joint.first = j;
    joint.n_directions = 1 + j;
    joint.slip = MatrixXd::Zero(1 + j, 0);
    problem.joints.push_back(joint);
  }
  // Loads for which rest is possible.
  VectorXd forces(7);
  forces << 1.0, 0.5, -0.7, 0.8, 0.3, -0.2, 0.3;
  problem.fixed_load = problem.balance * forces;
  return problem;
}

bool is_admissible(const FrictionProblem& problem, const VectorXd& x) {
  for (const auto& joint : problem.joints)
    if (x.segment(problem.friction_column(joint), joint.n_directions).norm() >
        joint.coefficient * joint.normal_force(x.head(problem.n_reactions)))
      return false;
  return true;
}

/// The largest `sign` times force number `f` that samples and a climb from the best of them find.
double sampled_most(const FrictionProblem& problem, int f, double sign, std::mt19937& random) {
  std::normal_distribution<double> normal;
  const MatrixXd directions = problem.self_stresses();
  const VectorXd start = problem.balance.completeOrthogonalDecomposition().solve(problem.fixed_load);
  const auto step = [&](double size) -> VectorXd {
    return size * directions * VectorXd::NullaryExpr(directions.cols(), [&] { return normal(random); });
  };
  const auto value = [&](const VectorXd& x) {
    return is_admissible(problem, x) ? sign * x[problem.n_reactions + f] : -INFINITY;
  };
  VectorXd best = start;
  for (int sample = 0; sample < 20000; ++sample) {
    const VectorXd x = start + step(sample % 2 ? 1.0 : 10.0);
    if (value(x) > value(best)) best = x;
  }
  double size = 1.0;
  for (int climb = 0; climb < 5000; ++climb) {
    const VectorXd x = best + step(size);
    const bool is_better = value(x) > value(best);
    size *= is_better ? 2.0 : 0.9;
    size = std::max(size, 1e-4);
    if (is_better) best = x;
  }
  return value(best);
}

// Protects: intervals, by brute force. No sample of the admissible forces lies beyond the bounds, and a climb from the
// best samples reaches them.
TEST(FrictionSearch, AgreesWithSamples) {
  std::mt19937 random(7);
  int n_limited = 0;
  for (int trial = 0; trial < 4; ++trial) {
    const FrictionProblem problem = random_problem(random);
    const FrictionSearch search(problem);
    ASSERT_EQ(problem.self_stresses().cols(), 2);
    for (int f = 0; f < 3; ++f)
      for (const double sign : {1.0, -1.0}) {
        Question question;
        question.objective = sign * search.columns().unit(4 + f);
        const Answer answer = search.maximise(question, search.at_rest());
        ASSERT_TRUE(answer.found && answer.bound);
        EXPECT_FALSE(answer.given_up);
        const double sampled = sampled_most(problem, f, sign, random);
        EXPECT_LE(sampled, *answer.bound + 1e-9) << "trial " << trial << " force " << f;
        if (std::isinf(*answer.bound)) continue;
        ++n_limited;
        EXPECT_NEAR(*answer.found, *answer.bound, 1e-4 * search.force_scale());
        constexpr double reached = 0.02;  // of the load, by a climb that is blind
        EXPECT_GT(sampled, *answer.found - reached * search.force_scale()) << "trial " << trial << " force " << f;
      }
  }
  EXPECT_GT(n_limited, 12);
}

}  // namespace
}  // namespace freeplay
