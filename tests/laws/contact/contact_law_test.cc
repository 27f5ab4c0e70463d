#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "freeplay/laws/contact/power_law.h"
#include "laws/law_examples.h"
#include "math/numerics_testing.h"

namespace freeplay {
namespace {

constexpr double round_off = 1e-13;  // forces and energies of size 1 to 10
constexpr int n_samples = 200;

/// What every contact law must do.
class ContactLawTest : public testing::TestWithParam<LawExample> {
 protected:
  /// Penetration within [-1, 1]: half of the samples are open.
  double penetration() { return random_(); }
  double duration() { return std::pow(10.0, random_(-3.0, 1.0)); }
  double impact_speed() { return random_(0.1, 2.0); }

  /// A contact as elements have it: what it remembers is forgotten when it opens.
  struct Memory {
    explicit Memory(const ContactLaw& law) : numbers(law.n_memory(), 0.0) {}
    void pass(const ContactLaw& law, double d_i, double d_f) {
      law.remember(d_i, d_f, numbers);
      if (d_f <= 0.0) std::ranges::fill(numbers, 0.0);
    }
    std::vector<double> numbers;
  };
  /// Memory of a contact that has been at `depth`, deeper than the example's yield point, and is at d now.
  Memory memory_after(double depth, double d) const {
    Memory memory(*law_);
    memory.pass(*law_, 0.0, depth);
    memory.pass(*law_, depth, d);
    return memory;
  }

  std::shared_ptr<const ContactLaw> law_ = make_contact_example(GetParam());
  Random random_{71};
};

/// Those with a potential, times a factor.
class ElasticContactTest : public ContactLawTest {
 protected:
  const PowerLaw& formula() const { return dynamic_cast<const ElasticContact<PowerLaw>&>(*law_).formula(); }
  /// The factor of the dissipative part over a step.
  double factor(double d_i, double d_f, double dt, double speed) const {
    const double rate = (d_f - d_i) / dt;
    return 1.0 + formula().damping(d_i > 0.0 ? ContactLaw::speed_of_impact(speed, rate) : rate) * rate;
  }
};

// Protects: bodies that do not touch feel nothing, over a step and at an instant.
TEST_P(ContactLawTest, no_force_when_open) {
  for (int sample = 0; sample < n_samples; ++sample) {
    const double d_i = -std::abs(penetration()), d_f = -std::abs(penetration());
    const Memory none(*law_);
    EXPECT_EQ(law_->step_force(d_i, d_f, duration(), impact_speed(), none.numbers), 0.0);
    EXPECT_EQ(law_->force(d_i, penetration(), impact_speed(), none.numbers), 0.0);
  }
  EXPECT_EQ(law_->step_force(0.0, 0.0, 0.1, 1.0, Memory(*law_).numbers), 0.0);
  EXPECT_EQ(law_->stored_energy(0.0, Memory(*law_).numbers), 0.0);
}

// Protects: contacts push, however fast the bodies separate.
TEST_P(ContactLawTest, never_pulls) {
  for (int sample = 0; sample < n_samples; ++sample) {
    const double d = penetration();
    const Memory memory = d > 0.0 ? memory_after(std::max(d, std::abs(penetration())), d) : Memory(*law_);
    EXPECT_GE(law_->step_force(d, penetration(), duration(), impact_speed(), memory.numbers), 0.0);
    EXPECT_GE(law_->force(d, random_(-100.0, 100.0), impact_speed(), memory.numbers), 0.0);
  }
}

// Protects: the force is the derivative of the potential.
TEST_P(ElasticContactTest, elastic_force_is_derivative_of_potential) {
  for (const double d : {0.01, 0.1, 0.5, 2.0}) {
    const double slope = derivative([&](double x) { return formula().potential(x); }, d, 1e-3 * d);
    EXPECT_NEAR(formula().elastic_force(d), slope, finite_difference_tolerance);
  }
}

// Protects: the energy ledger: over a step of any size, also one that opens or closes, work is at least what the stored
// energy changes by.
TEST_P(ContactLawTest, work_is_change_of_stored_energy_plus_loss) {
  for (int sample = 0; sample < n_samples; ++sample) {
    const double d_i = penetration();
    const double d_f = sample % 2 == 0 ? penetration() : d_i * (1.0 + std::pow(10.0, random_(-9.0, -1.0)));
    Memory memory = d_i > 0.0 ? memory_after(std::max(d_i, std::abs(penetration())), d_i) : Memory(*law_);
    const double f = law_->step_force(d_i, d_f, duration(), impact_speed(), memory.numbers);
    const double before = law_->stored_energy(d_i, memory.numbers);
    memory.pass(*law_, d_i, d_f);
    EXPECT_GE(f * (d_f - d_i) - (law_->stored_energy(d_f, memory.numbers) - before), -round_off);
  }
}

// Protects: the elastic part does exactly the work that the potential changes by, and the factor the rest.
TEST_P(ElasticContactTest, elastic_work_is_change_of_potential) {
  for (int sample = 0; sample < n_samples; ++sample) {
    const double d_i = penetration();
    const double d_f = sample % 2 == 0 ? penetration() : d_i * (1.0 + std::pow(10.0, random_(-9.0, -1.0)));
    const double dt = duration(), speed = impact_speed();
    const double change = law_->stored_energy(d_f) - law_->stored_energy(d_i);
    if (const double part = factor(d_i, d_f, dt, speed); d_f != d_i && part > 0.0) {
      EXPECT_NEAR(law_->step_force(d_i, d_f, dt, speed) * (d_f - d_i), change * part, round_off * std::max(1.0, part));
    }
  }
}

// Protects: a contact that was touched slowly and is compressed fast: its dissipative part is at most 2 h times the
// elastic one (chi = h/v), however slow the touch was. Of a constant chi no such bound is known.
TEST_P(ElasticContactTest, slow_touch_does_not_stiffen) {
  const double h = formula().damping(1.0);
  if (h == formula().damping(0.5)) return;
  for (int sample = 0; sample < n_samples; ++sample) {
    const double d_i = std::abs(penetration()), d_f = std::abs(penetration()), dt = duration();
    const double slow = std::pow(10.0, random_(-6.0, 0.0));
    const double elastic = law_->step_force(d_i, d_f, dt, INFINITY);
    EXPECT_LE(law_->step_force(d_i, d_f, dt, slow), (1.0 + 2.0 * h) * elastic + round_off);
    EXPECT_LE(law_->force(d_i, (d_f - d_i) / dt, slow), (1.0 + 2.0 * h) * formula().elastic_force(d_i) + round_off);
  }
}

// Protects: steps in which the penetration hardly changes: no digits are lost, up to no change at all.
TEST_P(ContactLawTest, force_of_short_steps_is_the_force) {
  constexpr double relative = 1e-12;
  for (const double d : {1e-6, 1e-3, 0.5}) {
    const std::vector<double> memory = memory_after(d, d).numbers;
    const double f = law_->force(d, 0.0, INFINITY, memory);
    EXPECT_NEAR(law_->step_force(d, d, 0.1, 1.0, memory), f, relative * f);
    // Over a symmetric change, the mean force is the force in the middle up to the second order.
    for (const double part : {1e-15, 1e-10, 1e-7}) {
      const double d_i = d * (1.0 - part);
      EXPECT_NEAR(law_->step_force(d_i, d * (1.0 + part), INFINITY, 1.0, memory_after(d_i, d_i).numbers), f,
                  relative * f);
    }
  }
}

// Protects: the change of formula between small and large changes of the penetration cannot be seen.
TEST_P(ElasticContactTest, difference_quotient_and_quadrature_agree) {
  for (const double sign : {-1.0, 1.0})
    for (const double d_i : {0.01, 0.7}) {
      const double d_f = sign > 0.0 ? d_i / (1.0 - 0.02) : d_i * (1.0 - 0.02);
      const double below = law_->step_force(d_i, d_f - sign * 1e-15, 1.0, 1.0);
      const double above = law_->step_force(d_i, d_f + sign * 1e-15, 1.0, 1.0);
      EXPECT_NEAR(below, above, round_off);
    }
}

// Protects: no energy from nothing: over random closed cycles the contact takes energy, or, if elastic, none.
TEST_P(ContactLawTest, closed_cycles_are_dissipative) {
  for (int cycle = 0; cycle < 50; ++cycle) {
    // Memory ends where it began only if the cycle begins and ends apart.
    const double first = law_->n_memory() > 0 ? -std::abs(penetration()) : penetration();
    double d = first, speed = INFINITY, work = 0.0;
    Memory memory(*law_);
    for (int k = 0; k < 20; ++k) {
      const double next = k == 19 ? first : penetration();
      const double dt = duration();
      work += law_->step_force(d, next, dt, speed, memory.numbers) * (next - d);
      memory.pass(*law_, d, next);
      if (d <= 0.0 && next > 0.0) speed = (next - d) / dt;
      d = next;
    }
    EXPECT_GE(work, -round_off);
    const auto* power = dynamic_cast<const ElasticContact<PowerLaw>*>(law_.get());
    const bool elastic = power && power->formula().damping(1.0) == 0.0;
    EXPECT_TRUE(!elastic || work < round_off);
  }
}

// Protects: Newton's method: derivatives on both sides of each switch (opening, closing, the force held at zero, the
// compression faster than the impact, the change of formula).
TEST_P(ContactLawTest, derivatives_are_right_on_both_sides_of_switches) {
  constexpr double h = 2e-5, beside = 1e-3;
  constexpr double tolerance = 2e-7;  // truncation h^4/30 times the fifth derivative of d^(5/2) at `beside`
  const double dt = 0.4, speed = 0.8;
  for (const double d_i : {-0.3, 0.02, 0.5}) {
    std::vector<double> switches = {0.0, d_i, 0.98 * d_i, d_i / 0.98};
    if (const auto* power = dynamic_cast<const ElasticContact<PowerLaw>*>(law_.get()))
      if (const double chi = power->formula().damping(speed); chi > 0.0) switches.push_back(d_i - dt / chi);
    switches.push_back(d_i + 2.0 * dt * speed);
    const std::vector<double> memory = d_i > 0.0 ? memory_after(1.4 * d_i, d_i).numbers : Memory(*law_).numbers;
    if (law_->n_memory() > 0) switches.push_back(1.4 * d_i);
    for (const double place : switches)
      for (const double d_f : {place - beside, place + beside}) {
        const auto force = [&](double d) { return law_->step_force(d_i, d, dt, speed, memory); };
        const Dual dual = law_->step_force(d_i, Dual(12, 3, d_f), dt, speed, memory);
        EXPECT_DOUBLE_EQ(dual.val(), force(d_f));
        EXPECT_NEAR(dual.dx(3), derivative(force, d_f, h), tolerance) << "from " << d_i << " to " << d_f;
      }
  }
}

// Protects: instants, which are written to the history, are limits of short steps.
TEST_P(ContactLawTest, force_at_an_instant_is_the_limit_of_short_steps) {
  constexpr double short_time = 1e-8, first_order = 1e-6;
  for (const double rate : {-2.0, -0.1, 0.0, 0.7, 3.0}) {
    const std::vector<double> memory = memory_after(0.8, 0.5).numbers;
    const double f = law_->step_force(0.5, 0.5 + rate * short_time, short_time, 1.1, memory);
    EXPECT_NEAR(f, law_->force(0.5, rate, 1.1, memory), first_order);
  }
}

/// Speed after the impact of a unit mass over that before, by the step of the integrator with `n` steps for the way of
/// the deepest elastic penetration.
double restitution(const ContactLaw& law, double speed, int n) {
  const double deepest = law.depth_of(0.5 * speed * speed);
  const double dt = deepest / speed / n;
  double d = -0.5 * dt * speed, v = speed, impact_speed = 0.0;
  for (int step = 0; step < 1000 * n; ++step) {
    double next = d + dt * v;
    for (int k = 0; k < 20; ++k) {  // 2 (d_f - d_i - dt v_i)/dt^2 + f = 0
      const Dual f = law.step_force(d, Dual(12, 0, next), dt, impact_speed);
      const double residual = 2.0 * (next - d - dt * v) / (dt * dt) + f.val();
      const double change = residual / (2.0 / (dt * dt) + f.dx(0));
      next -= change;
      if (std::abs(change) < 1e-15 * deepest) break;
    }
    impact_speed = d <= 0.0 ? (next - d) / dt : ContactLaw::speed_of_impact(impact_speed, (next - d) / dt);
    v = 2.0 * (next - d) / dt - v;
    d = next;
    if (d < 0.0 && v < 0.0) return -v / speed;
  }
  return 0.0;
}

/// Restitution of f = K d^n (1 + chi d_dot), exact for every n: with h = chi v, (1 + e) h = log((1 + h)/(1 - h e)).
double exact_restitution(double h) {
  if (h == 0.0) return 1.0;
  double low = 0.0, high = std::min(1.0, 1.0 / h);
  for (int k = 0; k < 100; ++k) {
    const double e = 0.5 * (low + high);
    ((1.0 + e) * h > std::log((1.0 + h) / (1.0 - h * e)) ? low : high) = e;
  }
  return low;
}

// Protects: the loss in an impact, against the exact value for the law's formula, whatever the speed.
TEST_P(ElasticContactTest, restitution_is_that_of_the_formula) {
  constexpr double resolved = 2e-3;  // 200 steps
  for (const double speed : {0.01, 0.3, 5.0}) {
    const double expected = exact_restitution(formula().damping(speed) * speed);
    EXPECT_NEAR(restitution(*law_, speed, 200), expected, resolved) << "speed " << speed;
  }
}

std::vector<LawExample> elastic_examples() {
  std::vector<LawExample> examples;
  for (const LawExample& example : contact_examples())
    if (make_contact_example(example)->n_memory() == 0) examples.push_back(example);
  return examples;
}

const auto label = [](const auto& test) { return test.param.label(); };
INSTANTIATE_TEST_SUITE_P(Registry, ContactLawTest, testing::ValuesIn(contact_examples()), label);
INSTANTIATE_TEST_SUITE_P(Registry, ElasticContactTest, testing::ValuesIn(elastic_examples()), label);

// Protects: laws that are added without a test.
TEST(ContactLaws, all_have_examples) { expect_all_have_examples(contact_law_types(), contact_examples()); }

// Protects: resolved.yaml of a model with any of the laws is a model file again.
TEST(ContactLaws, resolved_reads_back) {
  for (const LawExample& example : contact_examples()) {
    const ModelSpec model = model_with_laws(example, friction_examples().front());
    EXPECT_NO_THROW(read_model_text(model.resolved, "resolved")) << example;
  }
}

double returned(const std::string& type, double nominal) {
  const auto law = make_contact_example({type, "stiffness: 1, restitution: " + std::to_string(nominal)});
  return exact_restitution(dynamic_cast<const ElasticContact<PowerLaw>&>(*law).formula().damping(1.0));
}

// Protects: what the documentation of the laws says about the restitution that they really give. Hunt-Crossley and
// Lankarani-Nikravesh are first-order expansions around e = 1.
TEST(ContactLaws, returned_restitution_is_as_documented) {
  for (const std::string type : {"hunt-crossley", "lankarani-nikravesh", "flores"}) {
    EXPECT_NEAR(returned(type, 1.0), 1.0, 1e-6);
    EXPECT_NEAR(returned(type, 0.95), 0.95, 0.005) << type;
  }
  constexpr double digits = 0.005;
  EXPECT_NEAR(returned("hunt-crossley", 0.5), 0.66, digits);
  EXPECT_NEAR(returned("hunt-crossley", 0.1), 0.52, digits);
  EXPECT_NEAR(returned("lankarani-nikravesh", 0.5), 0.725, digits);
  EXPECT_NEAR(returned("lankarani-nikravesh", 0.1), 0.665, digits);
  EXPECT_NEAR(returned("flores", 0.5), 0.47, digits);
  EXPECT_NEAR(returned("flores", 0.1), 0.07, digits);
}

// Protects: a contact that was there from the beginning, without an impact, is elastic for laws that scale with the
// speed of impact.
TEST(ContactLaws, contact_without_impact_is_elastic) {
  const auto law = make_contact_example({"flores", "stiffness: 2, exponent: 1, restitution: 0.5"});
  EXPECT_NEAR(law->step_force(0.5, 0.7, 0.1, INFINITY), 2.0 * 0.6, round_off);
  EXPECT_NEAR(law->force(0.5, 3.0, INFINITY), 2.0 * 0.5, round_off);
}

// Protects: Hertz's stiffness (Johnson, Contact Mechanics, eq 4.23: F = 4/3 E* sqrt(R) d^(3/2)).
TEST(ContactLaws, hertz_stiffness_of_equal_steels) {
  const double E = 207e9, nu = 0.3, R = 0.02;
  const double effective = E / (2.0 * (1.0 - nu * nu));
  EXPECT_NEAR(hertz_stiffness(E, nu, E, nu, R), 4.0 / 3.0 * effective * std::sqrt(R), 1e-4);
}

}  // namespace
}  // namespace freeplay
