#pragma once

#include <array>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "freeplay/base/location.h"
#include "freeplay/deck/time_function.h"
#include "freeplay/mechanics/motion.h"
#include "freeplay/mechanics/relative_coordinate.h"

namespace freeplay {

/// Two places, or four if it couples the coordinates of two other joints.
constexpr int max_joint_places = 4;
/// Six numbers for each place of a joint: force and moment on its node, or (dx, dphi) of it, inertial axes.
using JointVector = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, 6 * max_joint_places, 1>;
using JointMatrix =
    Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, 6 * max_joint_places, 6 * max_joint_places>;
/// A column for each of some equations.
using JointGradients = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, 6 * max_joint_places, 8>;

/// The places of a joint over a step, or at an instant.
struct JointMotion {
  int n_places = 2;
  std::array<FrameMotion, max_joint_places> places;
  Mat3 frozen;  ///< the axes that the first place has at the start of the step
};

/// How fast the places of a joint move, and their accelerations.
struct JointRates {
  std::array<FramePlace, max_joint_places> rate, second;
};

/// One equation C(q, t) = 0 of an ideal joint: quadratic in the q of its first two places, time entering through a
/// drive only; or a sum of multiples of relative coordinates that keeps the value that it has in the assembled
/// position.
class Equation {
 public:
  enum class Drive { none, angle, displacement, length };

  Equation(QuadraticForm form, std::string label, bool is_length)
      : form_(form), label_(std::move(label)), is_length_(is_length) {}
  /// `sin(theta - f(t)) = 0`, theta being the angle of b_1 from a_1 about a_3.
  static Equation driven_angle(const TimeFunction& angle);
  /// `u . a_3 = f(t)`.
  static Equation driven_displacement(const TimeFunction& displacement);
  /// `u . u / (2 f) - f / 2 = 0`: the distance is f(t); `driven` says whether f changes.
  static Equation distance(const TimeFunction& length, bool driven);

  /// factor times a coordinate of the places 2 pair + 1 against 2 pair.
  struct Part {
    double factor = 1.0;
    RelativeCoordinate::Pointer coordinate;
    int pair = 0;
    int angle = -1;  ///< of an angle: the element that counts it (JointAngle)
    int count = -1;  ///< and where in State::internal the count is (Model::finish)
  };
  /// Without `constant` it keeps what it is in the positions of the file.
  static Equation relation(std::vector<Part> parts, std::string label, bool is_length,
                           std::optional<double> constant = std::nullopt);

  /// For messages: "position along x", "tilt about y".
  const std::string& label() const { return label_; }
  bool is_length() const { return is_length_; }  ///< C in m and multiplier in N, else dimensionless and N m
  /// What makes C a length: 1, or the size of the model where it has no dimension.
  double length_unit(double size) const { return is_length_ ? 1.0 : size; }
  bool uses_axes(int side) const { return form_.uses_axes(side); }
  bool is_driven() const { return driven_; }
  const TimeFunction& drive_function() const { return function_; }
  std::span<const Part> parts() const { return parts_; }
  std::span<Part> parts() { return parts_; }

  // A load factor below 1 is for statics: the drive is that far on its way from the value that it has in the given
  // positions.

  /// C at the end of the step; `internal` are the numbers of the state at its start, or any within half a turn.
  double value(const JointMotion& at, double t, double load_factor, std::span<const double> internal) const;
  /// Derivative of C by the end of the step. At an instant this is also the force of a unit of the multiplier.
  JointVector gradient(const JointMotion& at, double t, double load_factor = 1.0) const;
  /// Force of a unit of the multiplier over a step: its work is the change of C, with coefficients of the time t.
  JointVector force(const JointMotion& at, double t, double load_factor = 1.0) const;
  /// Derivative of force() by the end of the step.
  JointMatrix force_tangent(const JointMotion& at, double t, double load_factor = 1.0) const;
  /// Change of C over the step with coefficients of the time t: what a unit of the multiplier takes as work.
  double change(const JointMotion& at, double t) const;
  /// Second time derivative of C at an instant. `drive_moves`: with what time adds by itself.
  double second_rate(const JointMotion& at, const JointRates& rates, double t, double load_factor,
                     bool drive_moves) const;
  /// Partial derivative of C by time at fixed places.
  double explicit_rate(const JointMotion& at, double t) const;
  /// Derivatives by the load factor, of the gradient and of C.
  JointVector gradient_by_load_factor(const JointMotion& at, double t, double load_factor) const;
  double by_load_factor(const JointMotion& at, double t, double load_factor) const;

  /// In the positions of the file: where the way of a drive begins in statics, and what a relation keeps.
  void set_drive_start(const JointMotion& at);
  void set_constant(const JointMotion& at, std::span<const double> internal);

 private:
  QuadraticForm form_;
  std::vector<Part> parts_;  ///< of a relation, which has no form
  std::string label_;
  bool is_length_ = true;
  Drive drive_ = Drive::none;
  bool driven_ = false;
  TimeFunction function_;
  double drive_start_ = 0.0;
  std::optional<double> constant_;  ///< what a relation keeps; any value will do before it is known

  /// The quadratic form with its coefficients at time t: C(q, t) = form_at(t)(q) - offset(t).
  QuadraticForm form_at(double t, double load_factor) const;
  double offset(double t, double load_factor) const;
  QuadraticForm form_by_load_factor(double t, double load_factor) const;
  double drive_value(double t, double load_factor) const;
  double by_drive_value(const FramePlace& A, const FramePlace& B, double value) const;
  double explicit_second_rate(const FramePlace& A, const FramePlace& B, const FramePlace& A_rate,
                              const FramePlace& B_rate, double t) const;
  double sum_of_parts(const JointMotion& at, std::span<const double> internal) const;
};

/// An ideal joint: a short list of equations between frames. `axes of A` are the joint's own axes.
struct Joint {
  std::string name;
  std::string type;
  Location where;
  Frame a, b;
  std::vector<Equation> equations;
  int first_equation = 0;       ///< index of its first equation among those of the model
  int angle = -1;               ///< the element that counts its angle (JointAngle); -1: it has none
  bool slides = false;          ///< its displacement along the axis is worth a column
  bool has_length = false;      ///< so is the distance of its places
  int normal_equation = -1;     ///< the equation whose force holds its places apart, worth a column; -1: none
  std::vector<Frame> others{};  ///< a joint that couples two others has the places of the second one too

  int n_places() const { return 2 + static_cast<int>(others.size()); }
  const Frame& place(int k) const { return k == 0 ? a : k == 1 ? b : others[k - 2]; }
  int node(int k) const { return place(k).node; }

  /// The nodes of its places that are not ground; a node may be there twice.
  class Nodes {
   public:
    explicit Nodes(const Joint& joint) {
      for (int k = 0; k < joint.n_places(); ++k)
        if (joint.node(k) != ground) nodes_[size_++] = joint.node(k);
    }
    const int* begin() const { return nodes_.data(); }
    const int* end() const { return nodes_.data() + size_; }

   private:
    std::array<int, max_joint_places> nodes_{};
    int size_ = 0;
  };
  Nodes nodes() const { return Nodes(*this); }
  /// The node of each place, ground too.
  std::vector<int> sides() const {
    std::vector<int> nodes;
    for (int k = 0; k < n_places(); ++k) nodes.push_back(node(k));
    return nodes;
  }
};

inline JointMotion motion_of(const Joint& joint, const Motion& motion) {
  JointMotion result;
  result.n_places = joint.n_places();
  for (int k = 0; k < result.n_places; ++k) result.places[k] = motion(joint.place(k));
  result.frozen = result.places[0].start.a;
  return result;
}

/// Of poses at rest: `place_of(frame)` says where a frame is.
template <class PlaceOf>
JointMotion rest_of(const Joint& joint, const PlaceOf& place_of) {
  JointMotion result;
  result.n_places = joint.n_places();
  for (int k = 0; k < result.n_places; ++k) {
    const FramePlace here = place_of(joint.place(k));
    result.places[k] = {here, here, here};
  }
  result.frozen = result.places[0].start.a;
  return result;
}

/// Velocities of the nodes of its places at an instant.
inline JointVector velocity_of(const Joint& joint, const Motion& instant) {
  JointVector velocity(6 * joint.n_places());
  for (int k = 0; k < joint.n_places(); ++k) velocity.segment<6>(6 * k) = instant.velocity_of(joint.node(k));
  return velocity;
}

}  // namespace freeplay
