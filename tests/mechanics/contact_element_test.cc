#include "freeplay/mechanics/contact_element.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "freeplay/mechanics/model.h"
#include "laws/law_examples.h"
#include "mechanics/element_testing.h"

namespace freeplay {
namespace {

constexpr double round_off = 1e-12;      // forces, moments and energies of size 1 to 10
constexpr double round_off_far = 1e-10;  // the same, 100 m from the origin
constexpr double bearing = 1.5, journal = 1.0, clearance = bearing - journal;

using Geometry = std::shared_ptr<const ContactGeometry>;

struct Shape {
  std::string name;
  Geometry geometry;
  bool on_plane;
};

std::vector<Shape> shapes() {
  return {{"planar", planar_clearance(bearing, journal), false},
          {"spherical", spherical_clearance(bearing, journal), false},
          {"spatial", spatial_clearance(bearing, journal), false},
          {"ball on plane", ball_on_plane(journal), true},
          {"disk on plane", disk_on_plane(journal), true}};
}

/// Penetrations at the start and end of a step.
struct Phase {
  std::string name;
  double start, end;
};
const std::vector<Phase> phases = {
    {"in contact", 0.3, 0.4}, {"releasing", 0.4, 0.3}, {"closing", -0.1, 0.3}, {"opening", 0.3, -0.1}};

class ContactElementTest : public testing::Test {
 protected:
  /// Where b is relative to a, in the axes of a, for a penetration of about the given size.
  Pose relative(const Shape& shape, double penetration, double side) {
    const double tilt = shape.name == "disk on plane" ? 1.2 : shape.name == "planar" ? 0.0 : 0.2;
    const Vec3 leaning(std::cos(side + 0.5), std::sin(side + 0.5), 0.0);
    Pose pose;
    pose.R = Eigen::AngleAxisd(tilt, leaning).toRotationMatrix();
    if (shape.on_plane) {
      const double reach = shape.name == "disk on plane" ? journal * std::sin(tilt) : journal;
      pose.x = Vec3(std::cos(side), std::sin(side), reach - penetration);
    } else {
      const double along = shape.name == "spherical" ? 0.0 : 0.4 * side;
      pose.x = (clearance + penetration) * Vec3(std::cos(side), std::sin(side), 0.0) + along * Vec3::UnitZ();
    }
    return pose;
  }

  /// Moves the node of b (or a, if b is ground) so that the frames are in the wanted place.
  void put(const Frame& a, const Frame& b, const Pose& relative, std::vector<Pose>& nodes) const {
    if (b.node != ground) {
      const FramePlace base = place(a, a.node == ground ? Pose{} : nodes[a.node]);
      Pose& pose = nodes[b.node];
      pose.R = base.a * relative.R * b.axes.transpose();
      pose.x = base.x + base.a * relative.x - pose.R * b.offset;
    } else {
      const Mat3 axes = b.axes * relative.R.transpose();
      Pose& pose = nodes[a.node];
      pose.R = axes * a.axes.transpose();
      pose.x = b.offset - axes * relative.x - pose.R * a.offset;
    }
  }

  /// A step through the phase: the contact moves around and slips; both bodies turn.
  Motion motion_of(const Shape& shape, const Phase& phase, const Frame& a, const Frame& b) {
    Motion motion = random_motion(2, 0.2, random_);
    motion.dt = motion.passed = 1.0;
    const double side = random_(0.0, 6.0);
    std::vector<Pose> start, end;
    for (const NodeMotion& node : motion.nodes) start.push_back(node.start), end.push_back(node.end());
    put(a, b, relative(shape, phase.start, side), start);
    put(a, b, relative(shape, phase.end, side + 0.2), end);
    for (std::size_t n = 0; n < 2; ++n) {
      motion.nodes[n] = {start[n]};
      motion.nodes[n].set_jump(end[n]);
      motion.nodes[n].set_end(end[n]);
    }
    return motion;
  }

  /// Internal numbers of a contact that has lasted for a while, if it is closed at the start.
  std::vector<double> internal_at(const ContactElement& element, const Phase& phase, const Motion& motion) {
    std::vector<double> internal = initial_internal(element, motion);
    if (phase.start < 0.0) return internal;
    // A step that closes the contact and deflects the bristles, if there are any.
    Motion before = motion;
    for (std::size_t n = 0; n < 2; ++n) {
      before.nodes[n] = {moved(motion.nodes[n].start, random_.twist(0.1))};
      before.nodes[n].set_end(motion.nodes[n].start);
    }
    element.advance(before, internal);
    internal[0] = 0.7;  // speed of impact
    return internal;
  }

  static double column(const std::string& name, const ContactElement& element, const Motion& motion,
                       const std::vector<double>& internal) {
    const std::vector<double> values = evaluated(element, motion, internal);
    const auto quantities = element.quantities();
    for (std::size_t k = 0; k < values.size(); ++k)
      if (quantities[k].name == name) return values[k];
    throw std::logic_error("no column " + name);
  }

  ContactElement make(const Shape& shape, const Frame& a, const Frame& b, const LawExample& contact,
                      const LawExample& friction) {
    auto& law = contact_laws_[contact.label()];
    auto& friction_law = friction_laws_[friction.label()];
    if (!law) law = make_contact_example(contact);
    if (!friction_law) friction_law = make_friction_example(friction);
    return {"c", a, b, shape.geometry, law, friction_law, {0.01}};
  }

  /// All geometries and laws; phases and pairs of nodes are taken in turn.
  template <class Check>
  void for_all(const std::vector<LawExample>& contacts, const std::vector<LawExample>& frictions, Check&& check) {
    std::size_t turn = 0;
    for (const Shape& shape : shapes())
      for (const LawExample& contact : contacts)
        for (const LawExample& friction : frictions) {
          const auto pairs = node_pairs();
          const Phase& phase = phases[turn % phases.size()];
          const auto& [node_a, node_b] = pairs[turn / phases.size() % pairs.size()];
          ++turn;
          SCOPED_TRACE(testing::Message() << shape.name << ", " << contact << ", " << friction << ", " << phase.name);
          const Frame a = random_frame(node_a, random_);
          const Frame b = random_frame(node_b, random_);
          const ContactElement element = make(shape, a, b, contact, friction);
          const Motion motion = motion_of(shape, phase, a, b);
          check(element, motion, internal_at(element, phase, motion));
        }
  }
  Random random_{84};
  std::map<std::string, std::shared_ptr<const ContactLaw>> contact_laws_;
  std::map<std::string, std::shared_ptr<const FrictionLaw>> friction_laws_;
};

// Protects: Newton's method: every geometry with every contact law and every friction law, in contact, releasing,
// closing and opening.
TEST_F(ContactElementTest, tangents_match_finite_differences) {
  constexpr double size = 1e4;  // truncation: gap and laws have fifth derivatives of this size
  constexpr double h = 5e-5;    // the second derivative of elasto-plastic friction jumps where bristles begin to slip
  for_all(contact_examples(), friction_examples(),
          [&](const ContactElement& element, const Motion& motion, const std::vector<double>& internal) {
            expect_tangent(element, motion, internal, size, h);
          });
}

// Protects: the energy ledger: work of all forces = change of the potential + loss of the contact + friction.
TEST_F(ContactElementTest, work_of_forces_is_accounted_for) {
  for_all(contact_examples(), friction_examples(),
          [&](const ContactElement& element, const Motion& motion, const std::vector<double>& internal) {
            const StepWork work = element.work(motion, internal);
            std::vector<double> after = internal;
            element.advance(motion, after);
            const ContactEnergy before_energy =
                element.contact_energy(instant_at(motion, &NodeMotion::start), internal);
            const ContactEnergy after_energy = element.contact_energy(instant_at(motion, &NodeMotion::end), after);
            const double stored =
                after_energy.elastic - before_energy.elastic + after_energy.friction - before_energy.friction;
            EXPECT_NEAR(work_of_forces(element, motion, internal), stored + work.contact_loss + work.friction_loss,
                        round_off);
            EXPECT_GE(work.contact_loss, -round_off);
          });
}

// Protects: momenta of bodies that touch.
TEST_F(ContactElementTest, action_equals_reaction) {
  for (const Shape& shape : shapes())
    for (const Phase& phase : phases) {
      const Frame a = random_frame(0, random_), b = random_frame(1, random_);
      const ContactElement element = make(shape, a, b, contact_examples()[1], friction_examples().back());
      const Motion motion = motion_of(shape, phase, a, b);
      const std::vector<double> internal = internal_at(element, phase, motion);
      EXPECT_GT(forces_of(element, motion, internal)[0].norm(), 0.1) << "it should touch";
      expect_action_equals_reaction(element, motion, internal, round_off);
    }
}

// Protects: forces, bristles included, are blind to a rigid motion of the world.
TEST_F(ContactElementTest, rigid_motion_of_the_world_changes_nothing) {
  const Pose world{random_.vector(100.0), random_.rotation()};
  for (const Shape& shape : shapes())
    for (const Phase& phase : phases)
      for (const auto& [node_a, node_b] : node_pairs()) {
        const Frame a = random_frame(node_a, random_), b = random_frame(node_b, random_);
        const ContactElement element = make(shape, a, b, contact_examples()[1], friction_examples().back());
        const ContactElement in_world =
            make(shape, carried(world, a), carried(world, b), contact_examples()[1], friction_examples().back());
        const Motion motion = motion_of(shape, phase, a, b);
        std::vector<double> internal = internal_at(element, phase, motion);
        expect_objective(element, in_world, world, motion, internal, round_off_far);
        // What is remembered does not change either.
        std::vector<double> there = internal;
        const std::size_t scalars = internal.size() - 3;  // then the impulse, in inertial axes
        Vec3::Map(&there[scalars]) = world.R * Vec3::Map(&internal[scalars]);
        element.advance(motion, internal);
        in_world.advance(carried(world, motion), there);
        for (std::size_t k = 0; k < scalars; ++k) EXPECT_NEAR(internal[k], there[k], 10.0 * round_off_far);
        EXPECT_LT((world.R * Vec3::Map(&internal[scalars]) - Vec3::Map(&there[scalars])).norm(), 10.0 * round_off_far);
      }
}

// Protects: bodies that do not touch feel nothing and remember nothing.
TEST_F(ContactElementTest, open_contact_does_nothing) {
  for (const Shape& shape : shapes()) {
    const Frame a = random_frame(0, random_), b = random_frame(1, random_);
    const ContactElement element = make(shape, a, b, contact_examples()[1], friction_examples().back());
    const Motion motion = motion_of(shape, {"open", -0.2, -0.1}, a, b);
    std::vector<double> internal(element.n_internal(), 0.3);
    for (const Vec6& force : forces_of(element, motion, internal)) EXPECT_EQ(force.norm(), 0.0);
    internal[5] = 0.0;  // the peak is kept until it is written
    element.advance(motion, internal);
    // Speed of impact, bristles, normal force and peak; how it approached is kept for the moment of touch.
    for (int k = 0; k < 6; ++k) EXPECT_EQ(internal[k], 0.0);
    EXPECT_EQ(column("normal_force", element, instant_at(motion, &NodeMotion::end), internal), 0.0);
    EXPECT_EQ(column("friction_force", element, instant_at(motion, &NodeMotion::end), internal), 0.0);
  }
}

// Protects: forces at the end of a step, written to rows and used for accelerations there, whatever the velocities at
// its end; friction has the coefficient of the step; impulses are sums of the forces over steps.
TEST_F(ContactElementTest, forces_at_the_end_do_not_depend_on_velocities_there) {
  for_all(contact_examples(), friction_examples(),
          [&](const ContactElement& element, const Motion& motion, const std::vector<double>& internal) {
            const ContactStatus status = element.contact_status(motion, internal);
            std::vector<double> after = internal;
            element.advance(motion, after);
            Motion end = instant_at(motion, &NodeMotion::end);
            for (Vec6& velocity : end.velocity) velocity = random_.twist(100.0);
            const double normal = column("normal_force", element, end, after);
            const double friction = column("friction_force", element, end, after);
            for (Vec6& velocity : end.velocity) velocity = random_.twist(100.0);
            EXPECT_EQ(column("normal_force", element, end, after), normal);
            EXPECT_EQ(normal > 0.0, status.touches());
            EXPECT_NEAR(friction * status.normal_force, normal * (status.touches() ? status.friction_force : 0.0),
                        round_off);
            const Vec6 force = forces_of(element, end, after)[0] + forces_of(element, end, after)[1];
            if (element.nodes()[0] == ground || element.nodes()[1] == ground) {
              EXPECT_NEAR(force.head<3>().norm(), std::hypot(normal, friction), round_off);
            }
            const auto added = [&](const char* name) {
              return column(name, element, end, after) - column(name, element, end, internal);
            };
            EXPECT_NEAR(added("normal_impulse"), motion.dt * status.normal_force, round_off);
            const int on_b = element.nodes()[1];
            if (on_b == ground) return;
            const Vec3 impulse(added("impulse.x"), added("impulse.y"), added("impulse.z"));
            EXPECT_LT((impulse + motion.dt * forces_of(element, motion, internal)[on_b].head<3>()).norm(), round_off);
          });
}

// Protects: a contact that was touched slowly and is then shaken, at any step size: its force stays between zero and
// (1 + 2 h) times the elastic one with h = 8 (1 - e)/(5 e), and it takes energy in every step. Its speed of impact is
// half of the largest of the shaking, not that of the touch.
TEST_F(ContactElementTest, shaken_contact_forgets_its_slow_touch) {
  const double K = 5e7, h = 1.6, depth = 1e-6, omega = 240.0;
  const double fastest = 0.8 * depth * omega;
  const ContactElement element("c", Frame{}, Frame{.node = 0}, ball_on_plane(0.0),
                               make_contact_example({"flores", "stiffness: 5e7, exponent: 1, restitution: 0.5"}),
                               nullptr, {1e-6});
  for (const int n_steps : {50, 500}) {
    const double dt = 2.0 * M_PI / omega / n_steps;
    std::vector<double> internal(element.n_internal(), 0.0);
    const auto step_to = [&](double from, double to, double duration) {
      Motion motion;
      motion.dt = motion.passed = duration;
      motion.nodes = {NodeMotion{{Vec3(0.0, 0.0, -from), Mat3::Identity()}}};
      motion.nodes[0].set_end({Vec3(0.0, 0.0, -to), Mat3::Identity()});
      motion.velocity = {Vec6::Zero()};
      EXPECT_GE(element.work(motion, internal).contact_loss, 0.0);
      element.advance(motion, internal);
      const double force = column("normal_force", element, instant_at(motion, &NodeMotion::end), internal);
      const double elastic = K * std::max(from, to);
      EXPECT_GE(force, 0.0);
      EXPECT_LE(force, (1.0 + 2.0 * h) * elastic * (1.0 + round_off));
    };
    step_to(-1e-9, 1e-9, 1e-3);  // 2 um/s
    step_to(1e-9, depth, 1.0);
    const auto shaken = [&](int k) { return depth * (1.0 + 0.8 * std::sin(omega * k * dt)); };
    for (int k = 0; k < 2 * n_steps; ++k) step_to(shaken(k), shaken(k + 1), dt);
    constexpr double resolved = 1e-2;  // the mean over the fastest step
    EXPECT_NEAR(internal[0], 0.5 * fastest, resolved * fastest);
  }
}

// Protects: on the way from one position of rest to another nothing has a speed, so that no dissipative law acts, and
// nothing is divided by the time that does not pass.
TEST_F(ContactElementTest, positions_of_rest_have_no_speed) {
  const double stiffness = 1.0, from = 0.1, to = 0.3;
  const ContactElement element("c", Frame{}, Frame{.node = 0}, ball_on_plane(0.0),
                               make_contact_example({"linear", "stiffness: 1, damping: 5"}), nullptr, {1e-3});
  State state;
  state.pose.push_back({Vec3(0.0, 0.0, -from), Mat3::Identity()});
  state.twist.emplace_back(Vec6::Zero());
  Motion motion;
  set_rest(state, motion);
  motion.nodes[0].set_end({Vec3(0.0, 0.0, -to), Mat3::Identity()});
  std::vector<double> internal = initial_internal(element, motion);
  element.advance(motion, internal);
  EXPECT_EQ(internal[6], 0.0);  // speed of approach
  // There was no step whose force could be told: at the instant the law itself says what it is.
  state.pose[0].x.z() = -to;
  set_instant(state, motion);
  EXPECT_NEAR(element.contact_point(motion, internal).normal_force.z(), stiffness * to, round_off);
}

// Protects: Bauchau and Ju 2006, eqs 19-20: near contact the gap may change by the characteristic penetration per step,
// far from it by more, but never by more than half of the way that is left.
TEST_F(ContactElementTest, step_limit_follows_the_gap) {
  const double penetration = 1e-3, speed = 2.0;
  const ContactElement element("c", Frame{}, Frame{.node = 0}, ball_on_plane(0.0),
                               make_contact_example({"linear", "stiffness: 1"}), nullptr, {penetration});
  const auto limit_at = [&](double gap) {
    Motion motion;
    motion.kind = Motion::Kind::instant;
    motion.nodes.resize(1);
    motion.nodes[0].start.x = Vec3(0.0, 0.0, gap);
    motion.velocity.push_back((Vec6() << 3.0, 0.0, -speed, 0.0, 0.0, 0.0).finished());
    const std::vector<double> internal(element.n_internal(), 0.0);
    return element.step_limit(motion, internal) * speed;
  };
  EXPECT_NEAR(limit_at(-1e-4), penetration, round_off);
  EXPECT_NEAR(limit_at(4e-3), penetration, round_off);
  EXPECT_NEAR(limit_at(8e-3), penetration * std::pow(1.6, 1.2), round_off);
  EXPECT_NEAR(limit_at(1e6), 0.5 * 1e6, 1e-6);
}

}  // namespace
}  // namespace freeplay
