#include "freeplay/mechanics/contact_geometry.h"

#include <array>
#include <cmath>

namespace freeplay {

namespace {

/// Writes the two kinds of numbers once.
template <class Derived>
class GeometryOf : public ContactGeometry {
 public:
  ContactKinematics<double> kinematics(const FrameStep<double>& a, const FrameStep<double>& b) const override {
    return self().template at<double>(a, b);
  }
  ContactKinematics<Dual> kinematics(const FrameStep<Dual>& a, const FrameStep<Dual>& b) const override {
    return self().template at<Dual>(a, b);
  }

 private:
  const Derived& self() const { return static_cast<const Derived&>(*this); }
};

template <class T>
Vector3<T> unit(const Vector3<T>& v) {
  const T length = length_of(v);
  if (value_of(length) == 0.0) return Vector3<T>(Vector3<T>::UnitX());
  return v / length;
}

/// Gradient of the gap from its derivatives by u = x_b - x_a in the axes of a (`by_offset`, a combination of the mean
/// axes) and by the components of the third axis of b in these axes (`by_tilt`). All are quadratic in q, so the mean
/// axes give differences over the step exactly (integrator.md).
template <class T>
void set_gradient(const FrameStep<T>& a, const FrameStep<T>& b, const Vector3<T>& u_m, const Vector3<T>& by_offset,
                  const Vector3<T>& by_tilt, ContactKinematics<T>& k) {
  const Vector3<T> e3 = b.axis(2);
  k.force_b = by_offset;
  k.moment_b = b.r_m().cross(by_offset) + e3.cross(by_tilt);
  k.moment_a = by_offset.cross(u_m) - a.r_m().cross(by_offset) + by_tilt.cross(e3);
}

/// The contact is at `reach` from the frame of b and pushes b against `out`. Friction acts on both bodies in this one
/// place; Bauchau and Ju 2006 (eqs 7, 18) has two, a penetration apart, and so loses the moment of friction times
/// penetration.
template <class T>
void set_place(const FrameStep<T>& a, const FrameStep<T>& b, const Vector3<T>& u_m, const Vector3<T>& out,
               const Vector3<T>& reach, ContactKinematics<T>& k) {
  k.normal = -out;
  k.arm_b = b.r_m() + reach;
  k.arm_a = a.r_m() + u_m + reach;
}

/// Two round parts: the second inside the first, or beside it.
class RoundClearance {
 public:
  enum class Second { inside, outside };
  RoundClearance(double bearing, double journal, Second second = Second::inside)
      : bearing_(bearing), journal_(journal), side_(second == Second::inside ? 1.0 : -1.0) {}

 protected:
  /// At a distance of the centres.
  template <class T>
  T gap(const T& distance) const {
    return side_ * (bearing_ - side_ * journal_ - distance);
  }
  double bearing_, journal_;  ///< radii [m]
  double side_;               ///< of the second part: 1 inside, -1 outside
};

class Spherical final : public GeometryOf<Spherical>, RoundClearance {
 public:
  using RoundClearance::RoundClearance;

  template <class T>
  ContactKinematics<T> at(const FrameStep<T>& a, const FrameStep<T>& b) const {
    const Vec3 u_i = b.x_i - a.x_i;
    const Vector3<T> u_f = b.x_f - a.x_f;
    const T length_f = length_of(u_f);
    ContactKinematics<T> k;
    k.gap_i = gap(u_i.norm());
    k.gap_f = gap(length_f);
    const T sum = length_f + u_i.norm();
    // Bauchau and Ju 2006 after eq (4); a journal in the centre touches nothing.
    const Vector3<T> n_m = value_of(sum) > 0.0 ? Vector3<T>(side_ * (u_f + u_i) / sum) : Vector3<T>(Vector3<T>::Zero());
    k.force_b = -n_m;
    k.moment_b = -b.r_m().cross(n_m);
    k.moment_a = a.r_m().cross(n_m);
    const Vector3<T> out = side_ * unit(Vector3<T>(u_f + u_i));
    set_place<T>(a, b, 0.5 * (u_f + u_i), out, journal_ * out, k);
    return k;
  }
};

class Planar final : public GeometryOf<Planar>, RoundClearance {
 public:
  using RoundClearance::RoundClearance;

  template <class T>
  ContactKinematics<T> at(const FrameStep<T>& a, const FrameStep<T>& b) const {
    const Vec3 offset_i = b.x_i - a.x_i;
    const Vector3<T> offset_f = b.x_f - a.x_f;
    const Eigen::Vector2d u_i(a.a_i.col(0).dot(offset_i), a.a_i.col(1).dot(offset_i));
    const Eigen::Matrix<T, 2, 1> u_f(a.a_f.col(0).dot(offset_f), a.a_f.col(1).dot(offset_f));
    using std::sqrt;
    const T square = u_f.dot(u_f);
    const T length_f = value_of(square) > 0.0 ? T(sqrt(square)) : T(0.0);
    ContactKinematics<T> k;
    k.gap_i = gap(u_i.norm());
    k.gap_f = gap(length_f);
    const T sum = length_f + u_i.norm();
    const Vector3<T> towards = T(u_f[0] + u_i[0]) * a.axis(0) + T(u_f[1] + u_i[1]) * a.axis(1);
    const Vector3<T> n_m = value_of(sum) > 0.0 ? Vector3<T>(side_ * towards / sum) : Vector3<T>(Vector3<T>::Zero());
    const Vector3<T> u_m = 0.5 * (offset_f + offset_i);
    set_gradient<T>(a, b, u_m, -n_m, Vector3<T>::Zero(), k);
    const Vector3<T> out = side_ * unit(towards);
    set_place<T>(a, b, u_m, out, journal_ * out, k);
    return k;
  }
};

/// u and the third axis of b, in the first two axes of a.
template <class T>
struct Placement {
  T u1, u2, s1, s2;
};

class Spatial final : public GeometryOf<Spatial>, RoundClearance {
 public:
  using RoundClearance::RoundClearance;

  template <class T>
  ContactKinematics<T> at(const FrameStep<T>& a, const FrameStep<T>& b) const {
    using std::sqrt;
    const Vec3 offset_i = b.x_i - a.x_i;
    const Vector3<T> offset_f = b.x_f - a.x_f;
    const Placement<double> p_i = placement<double>(a.a_i, b.a_i, offset_i);
    const Placement<T> p_f = placement<T>(a.a_f, b.a_f, offset_f);
    const Contact<double> c_i = contact(p_i);
    const Contact<T> c_f = contact(p_f);
    ContactKinematics<T> k;
    k.gap_i = c_i.gap;
    k.gap_f = c_f.gap;

    // Bauchau and Ju 2006, eq 15 with d1 = (c, s) in the axes of a, g = c s1 + s s2, h = sqrt(1 - g^2), all means over
    // the step. The change of the angle drops out of the gap only to third order in the step; the rest is put along the
    // change of the placement, so that the work is exact.
    const T c = 0.5 * (c_f.c + c_i.c), s = 0.5 * (c_f.s + c_i.s);
    const T ratio = journal_ * (c_f.g + c_i.g) / (c_f.h + c_i.h);
    const T rest = (c_f.c - c_i.c) * (ratio * 0.5 * (p_f.s1 + p_i.s1) - 0.5 * (p_f.u1 + p_i.u1)) +
                   (c_f.s - c_i.s) * (ratio * 0.5 * (p_f.s2 + p_i.s2) - 0.5 * (p_f.u2 + p_i.u2));
    const std::array<T, 4> change = {T(p_f.u1 - p_i.u1), T(p_f.u2 - p_i.u2), T(journal_ * (p_f.s1 - p_i.s1)),
                                     T(journal_ * (p_f.s2 - p_i.s2))};
    T square = 0.0;
    for (const T& part : change) square += part * part;
    const T along = value_of(square) > 0.0 ? T(rest / square) : T(0.0);
    const Vector3<T> e1 = a.axis(0), e2 = a.axis(1);
    const Vector3<T> by_offset = T(along * change[0] - c) * e1 + T(along * change[1] - s) * e2;
    const Vector3<T> by_tilt =
        T(ratio * c + along * change[2] * journal_) * e1 + T(ratio * s + along * change[3] * journal_) * e2;
    const Vector3<T> u_m = 0.5 * (offset_f + offset_i);
    set_gradient<T>(a, b, u_m, by_offset, by_tilt, k);

    const Vector3<T> out = unit(Vector3<T>(c * e1 + s * e2));
    const Vector3<T> e3 = unit(b.axis(2));
    const Vector3<T> rim = unit(Vector3<T>(out - out.dot(e3) * e3));
    set_place<T>(a, b, u_m, out, journal_ * rim, k);
    return k;
  }

 private:
  /// Angle of the closest place as (c, s), and what eq (13) is made of.
  template <class T>
  struct Contact {
    T c, s, g, h, gap;
  };

  template <class T>
  static Placement<T> placement(const Matrix3<T>& a, const Matrix3<T>& b, const Vector3<T>& offset) {
    return {a.col(0).dot(offset), a.col(1).dot(offset), a.col(0).dot(b.col(2)), a.col(1).dot(b.col(2))};
  }

  /// Reach of the disk in the direction phi: journal h(phi) + d1(phi) . u. Its largest value is the closest place.
  double reach(const Placement<double>& p, double phi) const {
    const double c = std::cos(phi), s = std::sin(phi);
    const double g = c * p.s1 + s * p.s2;
    return journal_ * std::sqrt(std::max(0.0, 1.0 - g * g)) + c * p.u1 + s * p.u2;
  }

  /// An angle, and how far from it the angle of the largest reach can be.
  struct Bracket {
    double middle, half_width;
  };

  /// A disk that is hardly tilted touches near the direction of u: where the slope is zero, the sine of the angle to u
  /// is at most journal |g dg|/(h |u|), and |g dg| <= tilt^2/2. In so narrow a bracket the reach is concave. Otherwise
  /// it has at most two maxima (it is a circle's support function plus an ellipse's), so the best of a few samples is
  /// next to the true one.
  Bracket bracket(const Placement<double>& p) const {
    constexpr double narrow = 0.25, asin_by_x = 1.02, round_off = 1e-9;
    const double tilt_square = p.s1 * p.s1 + p.s2 * p.s2;
    const double sine = 0.5 * journal_ * tilt_square / std::sqrt(std::max(0.0, 1.0 - tilt_square));
    const double eccentricity = std::hypot(p.u1, p.u2);
    if (tilt_square < 0.5 && sine < narrow * eccentricity)
      return {std::atan2(p.u2, p.u1), asin_by_x * sine / eccentricity + round_off};
    constexpr int samples = 24;
    constexpr double spacing = 2.0 * M_PI / samples;
    int best = 0;
    double largest = -INFINITY;
    for (int k = 0; k < samples; ++k)
      if (const double here = reach(p, k * spacing); here > largest) largest = here, best = k;
    return {best * spacing, spacing};
  }

  /// The angle of the largest reach, by Newton's method kept inside its bracket.
  double angle(const Placement<double>& p) const {
    const Bracket start = bracket(p);
    double phi = start.middle;
    double low = phi - start.half_width, high = phi + start.half_width;
    for (int iteration = 0; iteration < 60; ++iteration) {
      const auto [slope, curvature] = derivatives<double>(p, std::cos(phi), std::sin(phi));
      (slope > 0.0 ? low : high) = phi;
      double next = curvature < 0.0 ? phi - slope / curvature : 0.5 * (low + high);
      if (!(next > low && next < high)) next = 0.5 * (low + high);
      const double step = std::abs(next - phi);
      phi = next;
      if (step < 1e-15) break;
    }
    return phi;
  }

  /// First and second derivative of the reach by the angle: eq (12) and its derivative.
  template <class T>
  std::pair<T, T> derivatives(const Placement<T>& p, double c, double s) const {
    using std::sqrt;
    const T g = c * p.s1 + s * p.s2;
    const T dg = c * p.s2 - s * p.s1;
    const T h = sqrt(T(1.0 - g * g));
    const T slope = c * p.u2 - s * p.u1 - journal_ * g * dg / h;
    const T curvature = -(c * p.u1 + s * p.u2) - journal_ * ((dg * dg - g * g) / h + g * g * dg * dg / (h * h * h));
    return {slope, curvature};
  }

  template <class T>
  Contact<T> contact(const Placement<T>& p) const {
    using std::cos;
    using std::sin;
    using std::sqrt;
    const Placement<double> values{value_of(p.u1), value_of(p.u2), value_of(p.s1), value_of(p.s2)};
    const double phi = angle(values);
    // One more step of Newton's method, with derivatives: the implicit function theorem.
    const auto [slope, curvature] = derivatives<T>(p, std::cos(phi), std::sin(phi));
    const T exact = value_of(curvature) != 0.0 ? T(phi - (slope - value_of(slope)) / value_of(curvature)) : T(phi);
    Contact<T> result;
    result.c = cos(exact);
    result.s = sin(exact);
    result.g = result.c * p.s1 + result.s * p.s2;
    result.h = sqrt(T(1.0 - result.g * result.g));
    result.gap = bearing_ - journal_ * result.h - (result.c * p.u1 + result.s * p.u2);
    return result;
  }
};

class OnPlane final : public GeometryOf<OnPlane> {
 public:
  enum class Shape { ball, disk };
  OnPlane(Shape shape, double radius) : shape_(shape), radius_(radius) {}

  template <class T>
  ContactKinematics<T> at(const FrameStep<T>& a, const FrameStep<T>& b) const {
    const Vec3 u_i = b.x_i - a.x_i;
    const Vector3<T> u_f = b.x_f - a.x_f;
    const double g_i = a.a_i.col(2).dot(b.a_i.col(2));
    const T g_f = a.a_f.col(2).dot(b.a_f.col(2));
    const double h_i = low(g_i);
    const T h_f = low(g_f);
    ContactKinematics<T> k;
    k.gap_i = a.a_i.col(2).dot(u_i) - radius_ * h_i;
    k.gap_f = a.a_f.col(2).dot(u_f) - radius_ * h_f;
    // h^2 = 1 - g^2 makes h_f - h_i = -(g_f + g_i)/(h_f + h_i) (g_f - g_i)
    const Vector3<T> n = a.axis(2);
    const T ratio = shape_ == Shape::disk ? T(radius_ * (g_f + g_i) / (h_f + h_i)) : T(0.0);
    const Vector3<T> u_m = 0.5 * (u_f + u_i);
    set_gradient<T>(a, b, u_m, n, ratio * n, k);
    const Vector3<T> down = -unit(n);
    set_place<T>(a, b, u_m, down, -radius_ * rim(b, Vector3<T>(-down)), k);
    return k;
  }

 private:
  /// How far the rim reaches towards the plane, per radius.
  template <class T>
  T low(const T& g) const {
    using std::sqrt;
    return shape_ == Shape::disk ? T(sqrt(T(1.0 - g * g))) : T(1.0);
  }
  template <class T>
  Vector3<T> rim(const FrameStep<T>& b, const Vector3<T>& normal) const {
    if (shape_ == Shape::ball) return normal;
    const Vector3<T> e3 = unit(b.axis(2));
    return unit(Vector3<T>(normal - normal.dot(e3) * e3));
  }

  Shape shape_;
  double radius_;
};

}  // namespace

std::unique_ptr<ContactGeometry> planar_clearance(double bearing_radius, double journal_radius) {
  return std::make_unique<Planar>(bearing_radius, journal_radius);
}
std::unique_ptr<ContactGeometry> spherical_clearance(double bearing_radius, double journal_radius) {
  return std::make_unique<Spherical>(bearing_radius, journal_radius);
}
std::unique_ptr<ContactGeometry> spatial_clearance(double bearing_radius, double journal_radius) {
  return std::make_unique<Spatial>(bearing_radius, journal_radius);
}
std::unique_ptr<ContactGeometry> ball_on_ball(double first_radius, double second_radius) {
  return std::make_unique<Spherical>(first_radius, second_radius, RoundClearance::Second::outside);
}
std::unique_ptr<ContactGeometry> disk_on_disk(double first_radius, double second_radius) {
  return std::make_unique<Planar>(first_radius, second_radius, RoundClearance::Second::outside);
}
std::unique_ptr<ContactGeometry> ball_on_plane(double radius) {
  return std::make_unique<OnPlane>(OnPlane::Shape::ball, radius);
}
std::unique_ptr<ContactGeometry> disk_on_plane(double radius) {
  return std::make_unique<OnPlane>(OnPlane::Shape::disk, radius);
}

}  // namespace freeplay
