#include <gtest/gtest.h>

#include <cmath>

#include "freeplay/laws/friction/bristles.h"
#include "laws/law_examples.h"
#include "math/numerics_testing.h"

namespace freeplay {
namespace {

constexpr double round_off = 1e-13;  // forces and energies of size 1 to 10
constexpr int n_samples = 200;
constexpr double load = 1.7;  // [N]
const double largest_coefficient = 0.6, largest_viscous = 0.05;

/// The deflection of bristles can pass its steady value in a long step in which the slip reverses. With steps of a dt =
/// x the deviation from the steady value is multiplied by R(x) = (1 - x/3)/(1 + 2x/3 + x^2/6), whose least value is r,
/// at x = 3 + sqrt(27); repeated at its worst, deflections reach (1 + |r|)/(1 - |r|) times the steady value.
double largest_overshoot() {
  const double x = 3.0 + std::sqrt(27.0);
  const double r = std::abs((1.0 - x / 3.0) / (1.0 + 2.0 * x / 3.0 + x * x / 6.0));
  return (1.0 + r) / (1.0 - r);
}

/// What every friction law must do.
class FrictionLawTest : public testing::TestWithParam<LawExample> {
 protected:
  /// In the plane of contact, which is normal to e3 here; sizes over several orders.
  Vec3 slip() {
    const double size = std::pow(10.0, random_(-3.0, 1.0));
    return {size * random_(), size * random_(), 0.0};
  }
  double duration() { return std::pow(10.0, random_(-3.0, 1.5)); }
  /// A state that the law has reached by itself.
  Vec3 reached_state(double N = load) {
    Vec3 z = Vec3::Zero();
    for (int k = 0; k < 5; ++k) z = law_->step(slip(), N, z, duration()).state;
    return z;
  }

  std::shared_ptr<const FrictionLaw> law_ = make_friction_example(GetParam());
  Random random_{72};
};

// Protects: friction opposes slip: at once for laws without memory, after a long way for those with it.
TEST_P(FrictionLawTest, opposes_slip) {
  for (int sample = 0; sample < n_samples; ++sample) {
    const Vec3 v = slip();
    const double long_time = 1e3 / v.norm();
    Vec3 z = reached_state();
    for (int k = 0; k < 20; ++k) z = law_->step(v, load, z, long_time).state;
    const Vec3 f = law_->step(v, load, z, long_time).force;
    EXPECT_GE(f.dot(v), 0.0);
    EXPECT_LT(f.cross(v).norm(), round_off * f.norm() * v.norm() + round_off * round_off);
    if (!law_->has_state()) EXPECT_GE(law_->step(v, load, Vec3::Zero(), duration()).force.dot(v), 0.0);
  }
  EXPECT_EQ(law_->step(Vec3::Zero(), load, Vec3::Zero(), 0.1).force.norm(), 0.0);
}

// Protects: the friction cone. Bristle damping is left out: laws with it promise no bound (known defect).
class UndampedFrictionLaw : public FrictionLawTest {};
TEST_P(UndampedFrictionLaw, force_is_bounded_by_the_cone) {
  for (int sample = 0; sample < n_samples; ++sample) {
    const Vec3 v = slip();
    const double limit = largest_coefficient * (law_->has_state() ? largest_overshoot() : 1.0);
    const Vec3 f = law_->step(v, load, reached_state(), duration()).force;
    EXPECT_LE(f.norm(), load * (limit + largest_viscous * v.norm()));
  }
}

// Protects: no normal force, no friction (the bristles of lugre-force carry theirs on).
class FrictionLawOfTheLoad : public FrictionLawTest {};
TEST_P(FrictionLawOfTheLoad, no_load_no_friction) {
  EXPECT_EQ(law_->step(slip(), 0.0, reached_state(), duration()).force.norm(), 0.0);
  EXPECT_EQ(law_->stored_energy(0.0, reached_state()), 0.0);
}

// Protects: no energy from nothing at constant load: over random closed ways, work >= change of the stored energy.
// Known defect of bristle damping: the work is sigma0 a z^2 + sigma1 v (v - a z) per load; it can be negative for slip
// faster than 4 mu_k/sigma1, about 8 m/s in the examples.
TEST_P(FrictionLawTest, closed_cycles_are_dissipative) {
  constexpr double fastest = 5.0;
  for (int cycle = 0; cycle < 100; ++cycle) {
    Vec3 z = reached_state(), place = Vec3::Zero();
    const double before = law_->stored_energy(load, z);
    double work = 0.0;
    for (int k = 0; k < 20; ++k) {
      const double dt = k == 19 ? std::max(duration(), place.norm() / fastest) : duration();
      const Vec3 v = k == 19 ? Vec3(-place / dt) : Vec3(fastest / 15.0 * slip());
      place += dt * v;
      const auto step = law_->step(v, load, z, dt);
      work += dt * step.force.dot(v);
      z = step.state;
    }
    EXPECT_GE(work - (law_->stored_energy(load, z) - before), -round_off);
    EXPECT_GE(law_->stored_energy(load, z), 0.0);
  }
}

// Protects: no direction is special.
TEST_P(FrictionLawTest, is_isotropic) {
  for (int sample = 0; sample < n_samples; ++sample) {
    const Mat3 rotation = random_.rotation();
    const Vec3 v = slip(), z = reached_state();
    const double dt = duration();
    const auto here = law_->step(v, load, z, dt);
    const auto there = law_->step(rotation * v, load, rotation * z, dt);
    EXPECT_LT((rotation * here.force - there.force).norm(), round_off * (1.0 + here.force.norm()));
    EXPECT_LT((rotation * here.state - there.state).norm(), round_off * (1.0 + here.state.norm()));
  }
}

/// Compares all derivatives with finite differences: by slip (0-2), load (3) and state (4-6).
void expect_derivatives(const FrictionLaw& law, const Vec3& v, double N, const Vec3& z, double dt) {
  Vector3<Dual> dual_v, dual_z;
  for (int k = 0; k < 3; ++k) dual_v[k] = Dual(12, k, v[k]), dual_z[k] = Dual(12, 4 + k, z[k]);
  const FrictionStep<Dual> dual = law.step(dual_v, Dual(12, 3, N), dual_z, dt);
  const FrictionStep<double> plain = law.step(v, N, z, dt);
  for (int row = 0; row < 3; ++row) EXPECT_DOUBLE_EQ(dual.force[row].val(), plain.force[row]);
  constexpr double h = 1e-4;  // the switches are further away
  constexpr double tolerance = 1e-8;
  for (int column = 0; column < 7; ++column) {
    const Vec6 expected = derivative(
        [&](double change) -> Vec6 {
          const Vec3 dv = column < 3 ? Vec3(change * Vec3::Unit(column)) : Vec3(Vec3::Zero());
          const Vec3 dz = column > 3 ? Vec3(change * Vec3::Unit(column - 4)) : Vec3(Vec3::Zero());
          const auto step = law.step(v + dv, N + (column == 3 ? change : 0.0), z + dz, dt);
          Vec6 all;
          all << step.force, step.state;
          return all;
        },
        0.0, h);
    for (int row = 0; row < 3; ++row) {
      EXPECT_NEAR(dual.force[row].dx(column), expected[row], tolerance) << "force " << row << " by " << column;
      EXPECT_NEAR(dual.state[row].dx(column), expected[3 + row], tolerance) << "state " << row << " by " << column;
    }
  }
}

// Protects: Newton's method: derivatives on both sides of each switch: of the threshold and piecewise laws (0.3, 1 and
// 1.5 m/s in the examples) and of the least load (0.1 N).
TEST_P(FrictionLawTest, derivatives_are_right_on_both_sides_of_switches) {
  constexpr double beside = 1e-3;
  for (const double speed :
       {0.05, 0.3 - beside, 0.3 + beside, 1.0 - beside, 1.0 + beside, 1.5 - beside, 1.5 + beside, 4.0})
    for (const double N : {0.1 - beside, 0.1 + beside, load})
      for (const double dt : {0.1, 3.0}) {
        const Vec3 direction = random_.direction();
        expect_derivatives(*law_, speed * direction, N, reached_state(N), dt);
      }
}

// Protects: laws without memory start their slope at zero slip, where the direction is undefined. (The rate of
// bristles, a |v|, has no derivative there.)
class FrictionLawWithoutMemory : public FrictionLawTest {};
TEST_P(FrictionLawWithoutMemory, derivative_at_rest) {
  Vector3<Dual> v;
  for (int k = 0; k < 3; ++k) v[k] = Dual(12, k, 0.0);
  const Vector3<Dual> z = Vector3<Dual>::Zero();
  const FrictionStep<Dual> step = law_->step(v, Dual(load), z, 0.1);
  constexpr double small = 1e-7, first_order = 1e-6;
  const double slope = law_->step(Vec3(small, 0.0, 0.0), load, Vec3::Zero(), 0.1).force[0] / small;
  for (int row = 0; row < 3; ++row)
    for (int column = 0; column < 3; ++column)
      EXPECT_NEAR(step.force[row].dx(column), row == column ? slope : 0.0, first_order);
}

// Protects: instants, which are written to the history, are limits of short steps.
TEST_P(FrictionLawTest, force_at_an_instant_is_the_limit_of_short_steps) {
  constexpr double short_time = 1e-9, first_order = 1e-6;
  for (int sample = 0; sample < n_samples; ++sample) {
    const Vec3 v = slip(), z = reached_state();
    EXPECT_LT((law_->step(v, load, z, short_time).force - law_->force(v, load, z)).norm(), first_order);
  }
}

std::string label(const testing::TestParamInfo<LawExample>& test) { return test.param.label(); }

template <class Predicate>
auto examples_that(const Predicate& fit) {
  std::vector<LawExample> examples = friction_examples();
  std::erase_if(examples, [&](const LawExample& example) { return !fit(example); });
  return testing::ValuesIn(examples);
}

bool has_undamped_bristles(const LawExample& law) { return law.keys.find("sigma1") == std::string::npos; }
bool scales_with_the_load(const LawExample& law) { return law.type != "lugre-force"; }
bool has_no_memory(const LawExample& law) { return !make_friction_example(law)->has_state(); }

INSTANTIATE_TEST_SUITE_P(Registry, FrictionLawTest, testing::ValuesIn(friction_examples()), label);
INSTANTIATE_TEST_SUITE_P(Registry, UndampedFrictionLaw, examples_that(has_undamped_bristles), label);
INSTANTIATE_TEST_SUITE_P(Registry, FrictionLawOfTheLoad, examples_that(scales_with_the_load), label);
INSTANTIATE_TEST_SUITE_P(Registry, FrictionLawWithoutMemory, examples_that(has_no_memory), label);

// Protects: laws that are added without a test.
TEST(FrictionLaws, all_have_examples) { expect_all_have_examples(friction_law_types(), friction_examples()); }

/// Bristles as in Bauchau and Ju 2006, section 6, with a Stribeck effect.
const LuGreBristles formula{{{0.4, 0.3}, 1e-3, 2.0}, 1e5, 0.0, 0.0, {}};

class LuGreTest : public testing::Test {
 protected:
  double pull(double speed, double distance, int n_steps, Vec3& z) const {
    double force = 0.0;
    for (int k = 0; k < n_steps; ++k) {
      const auto step = law_.step(Vec3(speed, 0.0, 0.0), load, z, distance / speed / n_steps);
      z = step.state;
      force = std::max(force, step.force[0]);
    }
    return force;
  }
  BristleFriction<LuGreBristles> law_{formula};
  Random random_{73};
};

// Protects: before it slides, a contact is a spring of stiffness sigma0 N.
TEST_F(LuGreTest, presliding_stiffness_is_sigma0_times_load) {
  const double short_way = 1e-3 * formula.curve.static_ / formula.stiffness;
  Vec3 z = Vec3::Zero();
  const double force = pull(1e-6, short_way, 100, z);
  EXPECT_NEAR(force / short_way, formula.stiffness * load, 1e-2 * formula.stiffness * load);
}

// Protects: what a slow pull needs to break away is mu_s N.
TEST_F(LuGreTest, slow_pull_breaks_away_at_the_static_force) {
  Vec3 z = Vec3::Zero();
  EXPECT_NEAR(pull(1e-6, 1e-4, 10000, z), 0.4 * load, 1e-5);
}

// Protects: a faster pull breaks away earlier: the load rate effect that LuGre is known for.
TEST_F(LuGreTest, fast_pull_breaks_away_earlier) {
  Vec3 slow = Vec3::Zero(), fast = Vec3::Zero();
  EXPECT_LT(pull(1e-3, 1e-4, 10000, fast), 0.95 * pull(1e-6, 1e-4, 10000, slow));
}

// Protects: sliding at constant velocity is on the Stribeck curve, whatever the step.
TEST_F(LuGreTest, steady_slip_is_on_the_stribeck_curve) {
  const BristleFriction<LuGreBristles> viscous(LuGreBristles{formula.curve, formula.stiffness, 1.0, 2.0, {}});
  for (const double v : {1e-4, 5e-4, 1e-3, 2e-3, 1e-2})
    for (const double dt : {1e-3, 1.0}) {
      Vec3 z = Vec3::Zero();
      Vec3 force;
      for (int k = 0; k < 2000; ++k) {
        const auto step = viscous.step(Vec3(v, 0.0, 0.0), load, z, dt);
        z = step.state, force = step.force;
      }
      const double expected = 0.3 + 0.1 * std::exp(-v * v / 1e-6) + 2.0 * v;
      EXPECT_NEAR(force[0] / load, expected, 1e-9) << v;
    }
}

// Protects: Bauchau and Ju 2006, eq 30, the balance of the bristles' energy, exactly, for any step: what flows in from
// slip, less friction, less numerical dissipation.
TEST_F(LuGreTest, bristle_energy_balance_holds_discretely) {
  Vec3 z = Vec3::Zero();
  for (int k = 0; k < 1000; ++k) {
    const Vec3 v = std::pow(10.0, random_(-5.0, -1.0)) * random_.direction();
    const double dt = std::pow(10.0, random_(-6.0, 0.0));
    const auto step = law_.step(v, load, z, dt);
    const double a = formula.rate<double>(v, load, Vec3::Zero()), b = a * dt / 6.0;
    const Vec3 z_f = step.state, z_j = (z + b * z_f) / (1.0 + b), z_g = 0.5 * (z_f + z_j);
    const double change = 0.5 * (z_f.squaredNorm() - z.squaredNorm());
    const double flow = dt * z_g.dot(v - a * z_g);
    const double dissipated = 0.5 * (1.0 + 6.0 / (a * dt)) * (z_j - z).squaredNorm();
    const double size = std::pow(formula.curve.static_ / formula.stiffness, 2);
    EXPECT_NEAR(change, flow - dissipated, 1e-12 * size * (1.0 + a * dt));
    z = z_f;
  }
}

// Protects: bristles stay finite for any motion and any step. They conclude |z| <= mu_s/sigma0 from eq (30); that
// holds for short steps, but a long step in which the slip reverses passes it, by a factor that is known.
TEST_F(LuGreTest, bristles_are_bounded) {
  const double bound = formula.curve.static_ / formula.stiffness;
  double largest = 0.0, largest_short = 0.0;
  Vec3 z = Vec3::Zero(), z_short = Vec3::Zero();
  for (int k = 0; k < 20000; ++k) {
    const Vec3 v(std::pow(10.0, random_(-5.0, 0.0)) * (random_() > 0.0 ? 1.0 : -1.0), 0.0, 0.0);
    z = law_.step(v, load, z, std::pow(10.0, random_(-6.0, 0.0))).state;
    // R(x) >= 0 up to x = 3: no overshoot.
    z_short = law_.step(v, load, z_short, random_(0.0, 3.0) / formula.rate<double>(v, load, Vec3::Zero())).state;
    largest = std::max(largest, z.norm());
    largest_short = std::max(largest_short, z_short.norm());
  }
  EXPECT_LE(largest_short, bound * (1.0 + round_off));
  EXPECT_LE(largest, bound * largest_overshoot());
  EXPECT_GT(largest, bound);  // the defect is real
}

// Protects: Bauchau and Ju 2006, eq 33, and the longer steps of bristles at rest, below v_s/100.
TEST_F(LuGreTest, step_limit_follows_the_slip) {
  const BristleFriction<LuGreBristles> law(LuGreBristles{{{0.5, 0.3}, 1e-3, 2.0}, 1e5, 0.0, 0.0, BristleStep{}});
  const double time_constant = 0.3 / (1e5 * 1e-3);
  const auto limit = [&](double slip) { return law.step_limit({slip, 0.0, 0.0}, load, Vec3::Zero()); };
  EXPECT_NEAR(limit(4e-3), 0.02 * time_constant, 1e-18);
  EXPECT_NEAR(limit(50e-3), 0.02 * time_constant * std::pow(10.0, 1.2), 1e-15);
  EXPECT_NEAR(limit(1e-5), 0.02 * time_constant, 1e-18);
  EXPECT_NEAR(limit(1e-6), 0.02 * time_constant * std::pow(10.0, 1.2), 1e-15);
  EXPECT_EQ(limit(0.0), INFINITY);
}

// Protects: a law limits the step by a rule of its own only where the user asks for it: as a rule `tolerance` does.
TEST_F(LuGreTest, limits_no_step_by_itself) {
  EXPECT_EQ(law_.step_limit({4e-3, 0.0, 0.0}, load, Vec3::Zero()), INFINITY);
}

// Protects: the error of the bristles is that of the trapezoidal rule as long as they are resolved, of third order in
// the step, and none for steady slip however long the step is.
TEST_F(LuGreTest, error_of_the_state) {
  const double speed = 2e-3, rate = 1e5 * speed / StribeckCurve{{0.5, 0.3}, 1e-3, 2.0}(speed);
  const BristleFriction<LuGreBristles> law(LuGreBristles{{{0.5, 0.3}, 1e-3, 2.0}, 1e5, 0.0, 0.0, {}});
  const Vec3 slip(speed, 0.0, 0.0);
  const auto error = [&](const Vec3& z, double dt) {
    return law.state_error({slip, z}, {slip, law.step(slip, load, z, dt).state}, load, dt);
  };
  const double dt = 0.02 / rate;
  // From rest, z_f - trapezoid = v a^2 dt^3/12 in units of mu_s/s0.
  EXPECT_NEAR(error(Vec3::Zero(), dt), speed * rate * rate * dt * dt * dt / 12.0 / (0.5 / 1e5),
              0.05 * error(Vec3::Zero(), dt));
  EXPECT_NEAR(error(Vec3::Zero(), dt) / error(Vec3::Zero(), 0.5 * dt), 8.0, 0.3);
  const Vec3 steady = slip / rate;
  for (const double periods : {0.1, 10.0, 1e4}) EXPECT_LT(error(steady, periods / rate), 1e-12) << periods;
}

// Protects: stick-slip: a mass on a moving belt, held by a spring. Period of the Coulomb limit: the spring is stretched
// by 2A, A = (mu_s - mu_k) N / k, while it sticks, and the mass swings by 2 pi - 2 atan(A w / v) while it slips.
TEST_F(LuGreTest, period_of_stick_slip) {
  const double m = 1.0, k = 100.0, belt = 0.05, N = 10.0;
  const BristleFriction<LuGreBristles> law(LuGreBristles{{{0.4, 0.2}, 1e-3, 2.0}, 1e6, 0.3, 0.0, {}});
  const double dt = 2e-4;
  double x = 0.0, v = belt, time = 0.0;
  Vec3 z = Vec3::Zero();
  bool slipped = false;
  std::vector<double> begins;
  while (time < 3.6) {
    double next = v;  // m (v_f - v_i)/dt + k x_m + f(v_m - belt) = 0
    FrictionStep<double> step;
    for (int iteration = 0; iteration < 50; ++iteration) {
      Vector3<Dual> slip = Vector3<Dual>::Zero();
      const Dual end(12, 0, next);
      slip[0] = 0.5 * (v + end) - belt;
      const FrictionStep<Dual> dual = law.step(slip, Dual(N), Vector3<Dual>(z.cast<Dual>()), dt);
      const Dual residual = m * (end - v) / dt + k * (x + 0.25 * dt * (v + end)) + dual.force[0];
      const double change = residual.val() / residual.dx(0);
      next -= change;
      if (std::abs(change) < 1e-14) break;
    }
    z = law.step(Vec3(0.5 * (v + next) - belt, 0.0, 0.0), N, z, dt).state;
    x += 0.5 * dt * (v + next);
    v = next;
    time += dt;
    const bool slips = std::abs(v - belt) > 0.5 * belt;
    if (slips && !slipped) begins.push_back(time);
    slipped = slips;
  }
  ASSERT_GE(begins.size(), 3u);
  const double A = 0.2 * N / k, w = std::sqrt(k / m);
  const double expected = 2.0 * A / belt + (2.0 * M_PI - 2.0 * std::atan(A * w / belt)) / w;
  constexpr double compliance =
      0.02;  // v_s is 2 % of the belt's velocity; softer bristles (1e5) break away earlier: 2.3 %
  EXPECT_NEAR(begins.back() - begins[begins.size() - 2], expected, compliance * expected);
}

}  // namespace
}  // namespace freeplay
