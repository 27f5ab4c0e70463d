#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "analysis/analysis_testing.h"

namespace freeplay {
namespace {

constexpr double g = 9.81;

std::vector<Event> events_of(const AnalysisRun& run, const std::string& kind) {
  std::vector<Event> list;
  std::copy_if(run.observer.events.begin(), run.observer.events.end(), std::back_inserter(list),
               [&](const auto& event) { return event.kind == kind; });
  return list;
}

/// A ball of 1 kg and radius 0.1 that falls from 0.1 m above the plane.
std::string bouncing_ball(const std::string& law, const std::string& analysis) {
  return R"yaml(freeplay: 1
gravity: [0, 0, -9.81]
bodies: {ball: {rigid: {mass: 1, inertia: 0.004, at: [0, 0, 0.2]}}}
contacts: {c: {)yaml" +
         law + R"yaml(}}
joints: {floor: {ball-on-plane: {between: [ground, ball], normal: [0, 0, 1], radius: 0.1, contact: c, penetration: 20 um}}}
analysis: {dynamic: {)yaml" +
         analysis + "}}\noutput: {every: 0.05}\n";
}

// Protects: the energy ledger through many impacts: it closes, and an elastic law loses nothing: the last bounce is as
// high as the first.
TEST(Contact, elastic_ball_bounces_for_ever) {
  AnalysisRun run(bouncing_ball("hertz: {stiffness: 1e7}", "end: 15, tolerance: 1e-2"));
  run.run();
  const auto touches = events_of(run, "touch");
  EXPECT_GE(touches.size(), 50u);
  constexpr double round_off = 1e-11;  // of the largest energy
  EXPECT_LT(run.last().ledger.relative_residual(), round_off);
  EXPECT_NEAR(run.last().ledger.contact_loss, 0.0, round_off);
  const double speed = std::sqrt(2.0 * g * 0.1);
  constexpr double digits = 1e-3;  // the speed is the mean over the step of the touch
  for (const auto& touch : touches) EXPECT_NEAR(*touch.value, speed, digits * speed);
}

// Protects: times of touch and loss, impulse and restitution of each impact, against the flight of a stone: between two
// impacts the ball flies for 2 v/g, and each impact returns e of the speed.
TEST(Contact, events_of_a_bouncing_ball) {
  const double e = 0.8;
  AnalysisRun run(bouncing_ball("flores: {stiffness: 1e8, restitution: 0.8}", "end: 0.95, tolerance: 1e-3"));
  run.run();
  const auto touches = events_of(run, "touch"), impacts = events_of(run, "impact"), losses = events_of(run, "loss");
  ASSERT_GE(touches.size(), 4u);
  constexpr std::size_t n_hard = 3;  // later ones are so soft that the weight matters
  EXPECT_EQ(events_of(run, "stick").size() + events_of(run, "slip").size(), 0u);
  EXPECT_NEAR(touches[0].time, std::sqrt(2.0 * 0.1 / g), 1e-5);
  double speed = std::sqrt(2.0 * g * 0.1);
  for (std::size_t k = 0; k < n_hard; ++k) {
    constexpr double law = 0.02;  // Flores' law returns e up to this
    EXPECT_NEAR(*touches[k].value, speed, law * speed);
    EXPECT_EQ(touches[k].joint, "floor");
    // The impulse up to half of the force after its peak is a part of m v (1 + e).
    EXPECT_GT(*impacts[k].value, 0.8 * speed);
    EXPECT_LT(*impacts[k].value, (1.0 + e) * speed * (1.0 + law));
    EXPECT_LT(touches[k].time, impacts[k].time);
    EXPECT_LT(impacts[k].time, losses[k].time);
    const double flight = touches[k + 1].time - losses[k].time;
    EXPECT_NEAR(0.5 * g * flight, e * speed, law * speed);
    speed = 0.5 * g * flight;
  }
  constexpr double round_off = 1e-12;  // of the largest energy
  EXPECT_LT(run.last().ledger.relative_residual(), round_off);
  EXPECT_GT(run.last().ledger.contact_loss, 0.0);
}

// Protects: fast journals in small clearances: none is missed, from the centre, where the gap has no rate, on.
TEST(Contact, fast_ball_in_a_small_clearance_is_not_missed) {
  AnalysisRun run(R"yaml(freeplay: 1
bodies: {ball: {rigid: {mass: 0.1, inertia: 1e-5, at: [0, 0, 0], velocity: [10, 3, 0]}}}
contacts: {c: {hertz: {stiffness: 1e10}}}
joints: {socket: {spherical-clearance: {between: [ground, ball], at: [0, 0, 0], bearing-radius: 10.1 mm, journal-radius: 10 mm, contact: c, penetration: 2 um}}}
analysis: {dynamic: {end: 0.5 ms, tolerance: 0.1, initial-step: 0.5 ms}}
output: {every: 0.1 ms}
)yaml");
  run.run();
  EXPECT_GE(events_of(run, "touch").size(), 5u);  // 20 us on the way, 80 us in contact
  for (const auto& row : run.observer.rows) EXPECT_LT(row.state.pose[0].x.norm(), 0.4e-3);  // 0.1 mm + penetration
  constexpr double round_off = 1e-11;  // of the largest energy, over five impacts
  EXPECT_LT(run.last().ledger.relative_residual(), round_off);
}

/// A cube of 1 kg with points at its lower corners, on a plane that is inclined by `angle` degrees.
std::string block_on_incline(double angle, const std::string& analysis) {
  const double a = angle * M_PI / 180.0;
  char gravity[64], height[32];
  std::snprintf(gravity, sizeof gravity, "[%.12g, 0, %.12g]", g * std::sin(a), -g * std::cos(a));
  std::snprintf(height, sizeof height, "%.12g", 0.05 - g * std::cos(a) / (4.0 * 1e6));  // it does not fall
  std::string corners, joints;
  int number = 0;
  for (const char* at :
       {"[0.05, 0.05, -0.05]", "[0.05, -0.05, -0.05]", "[-0.05, 0.05, -0.05]", "[-0.05, -0.05, -0.05]"}) {
    const std::string name = "p" + std::to_string(++number);
    corners += (number > 1 ? ", " : "") + name + ": " + at;
    joints += "  " + name + ": {ball-on-plane: {between: [ground, block." + name +
              "], normal: [0, 0, 1], contact: c, friction: f, penetration: 0.1 mm}}\n";
  }
  return "freeplay: 1\ngravity: " + std::string(gravity) +
         "\nbodies: {block: {rigid: {mass: 1, inertia: 1/600, at: [0, 0, " + std::string(height) + "], points: {" +
         corners +
         "}}}}\ncontacts: {c: {linear: {stiffness: 1e6, damping: 10}}}\nfrictions: {f: {lugre: {static: 0.4, kinetic: "
         "0.3, sigma0: 1e4, sigma1: 50, stribeck-velocity: 1 mm/s}}}\njoints:\n" +
         joints + "analysis: {dynamic: {" + analysis + "}}\noutput: {every: 100}\n";
}

// Protects: a block that sticks on a slope stays there, in few steps: bristles at rest do not limit the step.
TEST(Contact, block_rests_on_an_incline) {
  AnalysisRun run(block_on_incline(15.0, "end: 1000, tolerance: 1e-3"));
  run.run();
  EXPECT_LT(run.statistics.steps, 20000);
  const auto& rows = run.observer.rows;
  const double settled = rows[1].state.pose[0].x.x();
  // Bristles give way by tan(15 deg)/sigma0. The block overshoots when it swings into its place: twice that is more
  // than they hold, and it slips a little.
  const double deflection = std::tan(15.0 * M_PI / 180.0) / 1e4;
  EXPECT_GT(settled, deflection);
  EXPECT_LT(settled, 5.0 * deflection);
  const double creep = rows.back().state.pose[0].x.x() - settled;
  RecordProperty("creep", std::to_string(creep));
  constexpr double little =
      1e-6;  // m in 900 s, far less than the deflection; velocities have the error of the tolerance
  EXPECT_LT(std::abs(creep), little);
}

// Protects: above the friction angle it slides with g (sin - mu_k cos).
TEST(Contact, block_slides_on_a_steep_incline) {
  AnalysisRun run(block_on_incline(30.0, "end: 0.2, tolerance: 1e-2"));
  run.run();
  const double expected = g * (std::sin(M_PI / 6.0) - 0.3 * std::cos(M_PI / 6.0)) * 0.2;
  constexpr double start = 0.01;  // it takes a moment until it has broken away
  EXPECT_NEAR((run.last().state.pose[0].R * run.last().state.twist[0].head<3>()).x(), expected, start * expected);
}

// Protects: a disk that rolls without slip keeps its speed: friction does not work where nothing slips.
TEST(Contact, disk_rolls_on_a_plane) {
  AnalysisRun run(R"yaml(freeplay: 1
gravity: [0, 0, -9.81]
bodies: {disk: {rigid: {mass: 1, inertia: [0.0025, 0.005, 0.0025], at: [0, 0, 0.09999], velocity: [1, 0, 0], angular-velocity: [0, 10, 0], fix: [y, rx, rz]}}}
contacts: {c: {linear: {stiffness: 981 kN/m}}}
frictions: {f: {regularised-coulomb: {coefficient: 0.5, velocity: 1 mm/s}}}
joints: {road: {disk-on-plane: {between: [ground, disk], normal: [0, 0, 1], disk-axis: [0, 1, 0], radius: 0.1, contact: c, friction: f}}}
analysis: {dynamic: {end: 1, tolerance: 1e-2, max-step: 1 ms}}
output: {every: 0.1}
)yaml");
  run.run();
  constexpr double second_order = 2e-5;  // (w dt)^2/6: velocities at the ends of a step are not those of its middle
  EXPECT_NEAR(run.last().state.pose[0].x.x(), 1.0, second_order);
  EXPECT_NEAR(run.last().state.pose[0].x.z(), 0.09999, 1e-9);  // penetration m g / k = 10 um
  EXPECT_LT(run.last().ledger.friction_loss, 1e-6);
  EXPECT_TRUE(run.observer.events.empty()) << "nothing happens to a contact that lasts from start to end";
}

/// A slider of 1 kg on a belt that runs at 50 mm/s, held by a spring of 100 N/m.
const std::string belt = R"yaml(freeplay: 1
gravity: [0, 0, -9.81]
bodies:
  belt: {rigid: {mass: 1, at: [0, 0, 0], velocity: [0.05, 0, 0], fix: [y, z, rx, ry, rz]}}
  slider: {rigid: {mass: 1, at: [0, 0, -9.81e-6], velocity: [0.05, 0, 0], fix: [y, rx, ry, rz]}}
contacts: {c: {linear: {stiffness: 1e6, damping: 100}}}
frictions: {f: {lugre: {static: 0.4, kinetic: 0.2, sigma0: 1e4, sigma1: 10, stribeck-velocity: 5 mm/s}}}
joints:
  track: {prismatic: {between: [ground, belt], at: [0, 0, 0], axis: [1, 0, 0], drive: {displacement: "0.05*t"}}}
  pad: {ball-on-plane: {between: [belt, slider], normal: [0, 0, 1], contact: c, friction: f}}
springs: {hold: {translational: {between: [ground.wall, slider], stiffness: 100, free-length: 1}}}
ground: {points: {wall: [-1, 0, 0]}}
analysis: {dynamic: {end: 3.2}}
output: {every: 0.01}
)yaml";

// Protects: stick and slip: they alternate with the period of the Coulomb limit (tests/laws/friction), and the force of
// each break-away is the static one.
TEST(Contact, events_of_stick_slip_on_a_belt) {
  AnalysisRun run(belt);
  run.run();
  const auto slips = events_of(run, "slip"), sticks = events_of(run, "stick");
  ASSERT_GE(slips.size(), 3u);
  const double N = g, k = 100.0, w = 10.0, v = 0.05, A = 0.2 * N / k;
  const double period = 2.0 * A / v + (2.0 * M_PI - 2.0 * std::atan(A * w / v)) / w;
  constexpr double compliance = 0.03;  // of bristles, and of the fall of the force over 5 mm/s
  for (std::size_t n = 1; n < slips.size(); ++n)
    EXPECT_NEAR(slips[n].time - slips[n - 1].time, period, compliance * period);
  for (std::size_t n = 0; n < std::min(slips.size(), sticks.size()); ++n) {
    EXPECT_LT(slips[n].time, sticks[n].time);
    EXPECT_NEAR(*slips[n].value, 0.4 * N, 0.1 * N);
  }
  EXPECT_EQ(events_of(run, "loss").size(), 0u);
  constexpr double round_off = 1e-11;  // of the largest energy
  EXPECT_LT(run.last().ledger.relative_residual(), round_off);
}

// Protects: an interrupted run goes on through contacts as if nothing had happened, to the last bit, events included.
TEST(Contact, continued_run_repeats_the_uninterrupted_one) {
  const std::string text = bouncing_ball("flores: {stiffness: 1e8, restitution: 0.8}", "end: 0.5, tolerance: 1e-3");
  constexpr long often = 7;
  AnalysisRun whole(text);
  whole.steps_between_fresh_starts = often;
  whole.run();
  const auto touch = events_of(whole, "touch").front();
  const auto& ends = whole.observer.step_ends;
  // In the middle of the first impact.
  const auto in_contact = std::find_if(ends.begin(), ends.end(), [&](double t) { return t > touch.time + 1e-4; });
  AnalysisRun first(text);
  first.steps_between_fresh_starts = often;
  first.observer.stop_after_steps = static_cast<int>((in_contact - ends.begin()) / often * often);
  EXPECT_EQ(first.run(), RunEnd::interrupted);
  AnalysisRun second(text);
  second.steps_between_fresh_starts = often;
  second.continuation = first.observer.saved.back();
  EXPECT_EQ(second.continuation->statistics.steps, first.statistics.steps);
  EXPECT_EQ(second.run(), RunEnd::finished);
  EXPECT_EQ(second.statistics.steps, whole.statistics.steps);
  EXPECT_EQ(second.last().state.pose[0].x.z(), whole.last().state.pose[0].x.z());
  EXPECT_EQ(second.last().ledger.contact_loss, whole.last().ledger.contact_loss);
  auto events = first.observer.events;
  events.insert(events.end(), second.observer.events.begin(), second.observer.events.end());
  ASSERT_EQ(events.size(), whole.observer.events.size());
  for (std::size_t k = 0; k < events.size(); ++k) {
    EXPECT_EQ(events[k].kind, whole.observer.events[k].kind);
    EXPECT_EQ(events[k].value.value_or(0.0), whole.observer.events[k].value.value_or(0.0));
    EXPECT_EQ(events[k].time, whole.observer.events[k].time);
  }
}

/// Compares every step with what the contacts asked for before it, and measures how much the gap changes in contact.
class StepLimitObserver : public RecordingObserver {
 public:
  void progress(const TimeStepper& stepper, const StepReport& report, double dt) override {
    RecordingObserver::progress(stepper, report, dt);
    const ContactStatus status = stepper.contact_status(contact_of(stepper.model()));
    if (status.start_gap < 0.0) {
      largest_change = std::max(largest_change, std::abs(status.gap - status.start_gap));
      slowest_slip = std::min(slowest_slip, status.slip_velocity);
      ++steps_in_contact;
    }
    longest_step = std::max(longest_step, dt / allowed);
    allowed = limit_now(stepper);
  }
  /// The stepper tells its limit only to who may change it; the elements tell it to all.
  static double limit_now(const TimeStepper& stepper) {
    Motion now;
    set_instant(stepper.state(), now);
    const std::size_t e = contact_of(stepper.model());
    return stepper.model().elements[e]->step_limit(now, internal_of(stepper.model(), stepper.state(), e));
  }
  static std::size_t contact_of(const Model& model) {
    const auto contact = std::find_if(model.elements.begin(), model.elements.end(),
                                      [](const auto& element) { return element->is_contact(); });
    return static_cast<std::size_t>(contact - model.elements.begin());
  }
  double allowed = INFINITY;
  double largest_change = 0.0, longest_step = 0.0, slowest_slip = INFINITY;
  int steps_in_contact = 0;
};

void run_with(const std::string& text, Observer& observer) {
  const ModelSpec spec = read_model_text(text, "test.yaml");
  Assembled assembled = assemble(spec);
  DynamicAnalysis(assembled, spec.analysis, spec.output, test_solvers(), observer).run();
}

// Protects: Bauchau and Ju 2006, eqs 19-20: in contact, no step is longer than they ask for, and none changes the gap
// by more than a few characteristic penetrations, however large the tolerance.
TEST(Contact, steps_in_contact_resolve_the_penetration) {
  StepLimitObserver observer;
  run_with(bouncing_ball("linear: {stiffness: 1e5}", "end: 0.5, tolerance: 10"), observer);
  constexpr double few = 4.0;
  EXPECT_GT(observer.steps_in_contact, 20);
  EXPECT_LE(observer.largest_change, few * 20e-6);
  constexpr double round_off = 1e-9;  // of the number of equal steps up to a row
  EXPECT_LE(observer.longest_step, 1.0 + round_off);
}

// Protects: Bauchau and Ju 2006, eq 33: while the slider slips or sticks, no step is longer than the bristles ask for.
TEST(Contact, steps_in_contact_resolve_the_bristles) {
  StepLimitObserver observer;
  std::string text = belt;
  const std::string before = "stribeck-velocity: 5 mm/s";
  text.replace(text.find(before), before.size(), before + ", step: {smallest: 0.02}");
  run_with(text, observer);
  EXPECT_GT(observer.steps_in_contact, 1000);
  EXPECT_LT(observer.slowest_slip, 1e-5) << "it sticks";
  constexpr double round_off = 1e-9;
  EXPECT_LE(observer.longest_step, 1.0 + round_off);
}

}  // namespace
}  // namespace freeplay
