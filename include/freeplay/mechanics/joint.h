#pragma once

#include <string>
#include <vector>

#include "freeplay/base/location.h"
#include "freeplay/deck/time_function.h"
#include "freeplay/mechanics/motion.h"
#include "freeplay/mechanics/quadratic_form.h"

namespace freeplay {

/// One equation C(q, t) = 0 of an ideal joint, quadratic in q; time enters through a drive only.
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

  /// For messages: "position along x", "tilt about y".
  const std::string& label() const { return label_; }
  bool is_length() const { return is_length_; }  ///< C in m and multiplier in N, else dimensionless and N m
  bool is_driven() const { return driven_; }
  const TimeFunction& drive_function() const { return function_; }

  /// The quadratic form with its coefficients at time t: C(q, t) = form_at(t)(q) - offset(t). A load factor below 1
  /// is for statics: the drive is that far on its way from the value that it has in the given positions.
  QuadraticForm form_at(double t, double load_factor = 1.0) const;
  double offset(double t, double load_factor = 1.0) const;

  /// Partial derivative of C by time at fixed places.
  double explicit_rate(const FramePlace& A, const FramePlace& B, double t) const;
  /// Derivatives by the load factor, of the form and of C.
  QuadraticForm form_by_load_factor(double t, double load_factor) const;
  double by_load_factor(const FramePlace& A, const FramePlace& B, double t, double load_factor) const;

  /// The value of the drive in the given positions: where its way begins in statics.
  void set_drive_start(const FramePlace& A, const FramePlace& B);
  /// What time adds to the second derivative of C beyond form_at(t).second_rate(): 2 C_qt q' + C_tt.
  double explicit_second_rate(const FramePlace& A, const FramePlace& B, const FramePlace& A_rate,
                              const FramePlace& B_rate, double t) const;

 private:
  QuadraticForm form_;
  std::string label_;
  bool is_length_ = true;
  Drive drive_ = Drive::none;
  bool driven_ = false;
  TimeFunction function_;
  double drive_start_ = 0.0;

  double drive_value(double t, double load_factor) const;
  double by_drive_value(const FramePlace& A, const FramePlace& B, double value) const;
};

/// An ideal joint: a short list of equations between two frames. `axes of A` are the joint's own axes.
struct Joint {
  std::string name;
  std::string type;
  Location where;
  Frame a, b;
  std::vector<Equation> equations;
  int first_equation = 0;   ///< index of its first equation among those of the model
  int angle = -1;           ///< the element that counts its angle (JointAngle); -1: it has none
  bool slides = false;      ///< its displacement along the axis is worth a column
  bool has_length = false;  ///< so is the distance of its places
};

}  // namespace freeplay
