#pragma once

#include <array>
#include <memory>
#include <optional>

#include "freeplay/laws/contact/contact_law.h"
#include "freeplay/laws/friction/friction_law.h"
#include "freeplay/mechanics/contact_geometry.h"
#include "freeplay/mechanics/force_element.h"

namespace freeplay {

/// How closely an approaching contact is followed. As a rule the error of the motion decides about the step, in contact
/// as everywhere, and a step is only kept from passing over a contact or from landing deep in it. Where the user asks
/// for it, by Bauchau and Ju 2006, eqs 19-20: the gap changes by penetration max(1, gap / (penetration q_min))^growth
/// in a step.
struct ApproachControl {
  double penetration = 0.0;  ///< characteristic penetration [m]
  double nearness = 5.0;     ///< q_min
  double growth = 1.2;       ///< alpha
  bool rules_step = true;    ///< eqs (19)-(20)
  double mass = 1.0;         ///< of the bodies as they meet: 1/(1/m_a + 1/m_b) [kg]
  double landing_energy =
      1e-3;  ///< part of the energy of approach that the contact may have taken up when a step lands
};

/// The joint that a contact is a part of, with the frames that its results refer to: a block in a guide touches at its
/// corners, but its joint is at its centre.
struct ContactJoint {
  std::string name;
  Frame a, b;
  double static_coefficient = 0.0;  ///< of its friction; 0: none
};

/// What a contact can do at rest. Resisting forces and moments on the nodes of a and b, as in add_forces, for one
/// newton.
struct RestingContact {
  double gap = 0.0;                       ///< [m]
  Eigen::Matrix<double, 12, 1> pressure;  ///< normal force; its opposite does work as the gap opens
  Eigen::Matrix<double, 12, 2>
      friction;  ///< along two directions of the plane of contact, against slip of b along them
};

/// A contact with clearance between two frames: geometry x contact law x friction law, independent of each other.
/// Normal work is the change of the potential plus a loss >= 0, friction work is dissipative, step by step.
class ContactElement : public ForceElement {
 public:
  ContactElement(std::string name, const Frame& a, const Frame& b, std::shared_ptr<const ContactGeometry> geometry,
                 std::shared_ptr<const ContactLaw> law, std::shared_ptr<const FrictionLaw> friction,
                 const ApproachControl& approach, const std::optional<ContactJoint>& joint = {});

  /// If none was given: the contact itself.
  const ContactJoint& joint() const { return joint_; }
  /// Of the bearing or the plane, and of what touches it.
  std::array<Frame, 2> places() const { return {a_, b_}; }
  /// At the start of the motion.
  RestingContact at_rest(const Motion& motion) const;

  std::span<const int> nodes() const override { return nodes_; }
  /// Speed of impact; bristles in the axes of a; normal force of the last step; largest since it was written last; mean
  /// speed of approach in the last step, and its length (0 before the first step, and in statics); mean slip velocity
  /// in it, friction force in it, both in the axes of a; impulse of the normal force since the start; normal force at
  /// the end of the last step; impulse of all forces on b since the start, in inertial axes; what the law remembers.
  int n_internal() const override { return n_own_internal + law_->n_memory(); }
  void initialise(const Motion& motion, std::span<double> internal) const override;
  void advance(const Motion& motion, std::span<double> internal) const override;
  void forget_peaks(std::span<double> internal) const override;

  void add_forces(const Motion& motion, std::span<const double> internal, std::vector<Vec6>& forces) const override;
  void add_tangent(const Motion& motion, std::span<const double> internal, TangentSink& sink) const override;
  StepWork work(const Motion& motion, std::span<const double> internal) const override;
  ContactEnergy contact_energy(const Motion& motion, std::span<const double> internal) const override;

  double step_limit(const Motion& motion, std::span<const double> internal) const override;
  bool overshoots(const Motion& motion, std::span<const double> internal) const override;
  bool has_state_error() const override { return friction_ && friction_->has_state(); }
  double state_error(const Motion& start, std::span<const double> internal, const Motion& end,
                     std::span<const double> end_internal, double dt) const override;
  bool is_contact() const override { return true; }
  Cancelling cancelling(double size) const override;
  ContactStatus contact_status(const Motion& motion, std::span<const double> internal) const override;
  ContactPoint contact_point(const Motion& motion, std::span<const double> internal) const override;

  std::vector<Quantity> quantities() const override;
  void evaluate(const Motion& motion, std::span<const double> internal, std::span<double> values) const override;

 private:
  enum Internal {
    impact_speed,
    bristle,
    normal_force = bristle + 3,
    peak,
    last_approach,
    last_dt,
    last_slip,
    friction_force = last_slip + 3,
    normal_impulse = friction_force + 3,
    force_at_end,
    impulse,
    n_own_internal = impulse + 3
  };
  static std::span<const double> memory(std::span<const double> internal) { return internal.subspan(n_own_internal); }

  template <class T>
  struct Forces {
    ContactKinematics<T> where;
    T normal = 0.0;
    Vector3<T> slip;           ///< velocity of b past a
    FrictionStep<T> friction;  ///< force resists the slip
  };

  template <class T>
  FrameStep<T> frame_step(const Motion& motion, const Frame& frame, int side) const;
  /// Forces over a step. At an instant: those at the end of the step before. Where no step was made yet, and in
  /// statics, the law at that instant.
  template <class T>
  Forces<T> forces(const Motion& motion, std::span<const double> internal) const;
  template <class T>
  Eigen::Matrix<T, 12, 1> wrench(const Motion& motion, std::span<const double> internal) const;
  /// Bristles at the start of the step (inertial axes), carried to the plane of contact in the middle of it.
  template <class T>
  Vector3<T> carried_bristles(const Motion& motion, std::span<const double> internal, const FrameStep<T>& a,
                              const Vector3<T>& normal) const;
  /// At `which` of the poses of a step: &NodeMotion::start or &NodeMotion::end.
  template <class Which>
  ContactKinematics<double> instant_kinematics(const Motion& motion, Which which) const;
  /// The law at the end of the step, so that results belong to their instant, and not to the middle of the last step;
  /// `speed` is that of impact there, `after` what the law remembers then.
  double force_at_end_of(const Motion& motion, std::span<const double> internal, const Forces<double>& f, double speed,
                         std::span<const double> after) const;
  /// How deep a step may land that touches at this speed of approach.
  double landing_depth(double speed) const;
  /// The longest step at which the gap changes as the approach control allows; `rate` is that of the gap.
  double approach_limit(double gap, double rate) const;
  /// Speed of impact at the end of this step: the contact began before it or in it.
  double speed_of_impact(const Motion& motion, std::span<const double> internal, double gap_i, double gap_f) const;

  Frame a_, b_;
  std::array<int, 2> nodes_;
  std::shared_ptr<const ContactGeometry> geometry_;
  std::shared_ptr<const ContactLaw> law_;
  std::shared_ptr<const FrictionLaw> friction_;  ///< may be null
  ApproachControl approach_;
  ContactJoint joint_;
};

}  // namespace freeplay
