#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "freeplay/base/location.h"
#include "freeplay/deck/section_outline.h"
#include "freeplay/math/types.h"

namespace freeplay {

/// A rotation given in one of three ways; all empty means identity. Angles in rad.
/// rotation: {axis: [0,0,1], angle: 30 deg}  |  rotation: {matrix: [[..],[..],[..]]} (rows)  |  rotation: {rxyz:
/// [a,b,c]} (about x, then the new y, then the new z). The reader turns all of them into a matrix.
using RotationSpec = Mat3;

/// A named point of a body (or of ground), in the axes of that body.
struct PointSpec {
  std::string name;
  Vec3 at = Vec3::Zero();
  std::optional<Vec3> axis;  ///< direction of the joint axis (third axis) of a joint at this point, in body axes
  Location where;
};

/// Which shape a rigid body is drawn as. Never changes the mechanics.
struct ShapeSpec {
  enum class Kind { automatic, sphere, box, cylinder };
  Kind kind = Kind::automatic;
  double radius = 0.0;       ///< sphere, cylinder [m]
  Vec3 size = Vec3::Zero();  ///< box [m]
  Vec3 from = Vec3::Zero();  ///< cylinder: ends of its axis, body axes [m]
  Vec3 to = Vec3::Zero();
};

/// Degrees of freedom in body axes, in the order of the twist (V, w).
enum class Dof { x, y, z, rx, ry, rz };

struct RigidBodySpec {
  std::string name;
  Location where;
  bool is_point = false;  ///< a mass without axes, which does not turn
  double mass = 0.0;      ///< [kg], > 0
  std::array<double, 6>
      inertia{};  ///< elements Ixx Iyy Izz Ixy Ixz Iyz of the tensor about the centre of mass, body axes [kg m^2]
  Vec3 centre = Vec3::Zero();            ///< centre of mass in body axes [m]
  std::optional<Vec3> at;                ///< initial position of the body's origin [m]
  std::optional<RotationSpec> rotation;  ///< initial orientation
  std::optional<Vec3> velocity;          ///< of the body's origin, inertial axes [m/s]
  std::optional<Vec3> angular_velocity;  ///< inertial axes [rad/s]
  std::vector<Dof> fix;
  std::vector<PointSpec> points;
  ShapeSpec shape;
  bool free = false;  ///< the user says that it is right that nothing holds this body
};

/// An isotropic material, or one that counts as such but for its shear modulus.
struct MaterialSpec {
  Location where;
  double youngs_modulus = 0.0;  ///< [Pa]
  double shear_modulus = 0.0;   ///< [Pa]
  double density = 0.0;         ///< [kg/m^3]

  double poisson_ratio() const { return youngs_modulus / (2.0 * shear_modulus) - 1.0; }
};

/// Cross section of a beam: stiffness and inertia per length in section axes; the third axis is along the beam.
struct SectionSpec {
  std::string name;
  Location where;
  /// Symmetric, positive definite; order: shear 1, shear 2, axial [N]; bending about 1, about 2, torsion [N m^2].
  Mat6 stiffness = Mat6::Zero();
  double mass = 0.0;               ///< [kg/m]
  std::array<double, 2> centre{};  ///< centre of mass [m]
  std::array<double, 3> rotary{};  ///< rotary inertia about axes 1, 2, 3 through the centre of mass [kg m]
  OutlineSpec outline;             ///< for drawing, and for stiffness from a material
  /// If given, the stiffness, the mass and the rotary inertia are already computed from it and the outline.
  std::optional<MaterialSpec> material;
  std::array<double, 2> shear_correction{};  ///< along axes 1 and 2; only with a material
};

/// The section of a beam at a place along it. Two at one place are a sudden change.
struct StationSpec {
  double at = 0.0;  ///< from 0 at the start of the beam to 1 at its end
  std::string section;
  Location where;
};

/// Part of a circle, inertial axes.
struct ArcSpec {
  Vec3 from = Vec3::Zero();    ///< its start [m]
  Vec3 centre = Vec3::Zero();  ///< [m]
  Vec3 axis = Vec3::UnitZ();   ///< unit vector normal to `from` - `centre`
  double angle = 0.0;          ///< > 0, about `axis` [rad]
};

/// A flexible beam. Exactly one of `from` with `to`, `polyline`, `arc` and `spline` says where its axis is in the
/// reference state, inertial [m]; model/beam_axis.h makes a curve of it.
struct BeamSpec {
  std::string name;
  Location where;
  std::vector<StationSpec> sections;  ///< one for the whole beam, or from 0 to 1
  std::optional<Vec3> from, to;
  std::vector<Vec3> polyline;
  std::optional<ArcSpec> arc;
  std::vector<Vec3> spline;
  /// Direction of the first section axis at the start, made normal to the beam by whoever uses it. The reader fills in
  /// the default.
  std::optional<Vec3> first_axis;
  double twist = 0.0;  ///< angle by which the section turns about the axis from start to end [rad]
  int elements = 4;    ///< of each smooth piece
  int degree = 3;
  double damping = 0.0;                  ///< stiffness-proportional damping [s]
  std::vector<double> places;            ///< further places s in (0, 1) with results (and those used by joints, loads)
  std::vector<Dof> fix_start, fix_end;   ///< clamps, in section axes
  std::optional<Vec3> velocity;          ///< of the start, inertial [m/s]: the beam starts in rigid motion
  std::optional<Vec3> angular_velocity;  ///< inertial [rad/s]
  bool free = false;                     ///< the user says that it is right that nothing holds this beam
};

}  // namespace freeplay
