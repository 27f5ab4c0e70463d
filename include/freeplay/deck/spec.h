#pragma once

// What the user asked for: the content of a model file, typed, in SI units, with the places where things were written.
// The tables of keys that fill these structs are in src/deck/tables.cc; the mechanics is built from them by
// the folder assembly. Nothing here is computed.

#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "freeplay/base/location.h"
#include "freeplay/base/units.h"
#include "freeplay/deck/body_spec.h"
#include "freeplay/deck/coupling_spec.h"
#include "freeplay/deck/parameter.h"
#include "freeplay/deck/time_function.h"
#include "freeplay/math/types.h"

namespace freeplay {

class ContactLaw;
class FrictionLaw;

/// A place named in the model file: `ground`, `crank`, `crank.tip`, `ground.support`, `shaft.end`, `shaft@0.5`.
struct FrameRef {
  std::string body;   ///< `ground` or the name of a body
  std::string point;  ///< empty: the body's own frame, or `s` says where; `start` or `end` of a beam
  Location where;
  std::optional<double> s;  ///< place along a beam, 0 at its start and 1 at its end; also given for these two

  std::string text() const {
    if (!point.empty()) return body + "." + point;
    return s ? body + "@" + number_text(*s) : body;
  }
};

/// A prescribed relative motion of a joint.
struct DriveSpec {
  std::optional<TimeFunction> angle;         ///< [rad], about the joint axis, of the second frame relative to the first
  std::optional<TimeFunction> displacement;  ///< [m], along the joint axis; for `distance`: the length itself
  Location where;
};

/// Friction in an ideal joint: a law and what makes the normal force of the joint's reactions.
struct JointFrictionSpec {
  std::string law;  ///< name of a friction law
  Location law_where;
  double radius = 0.0;                                            ///< where a turning joint slips [m]
  std::optional<double> bending_arm, thrust_radius, torsion_arm;  ///< [m]
  double preload = 0.0;                                           ///< [N]
};

/// An ideal joint. `type` is a name in the registry deck/joint_type.h; keys that a type does not have stay empty.
struct JointSpec {
  std::string name;
  std::string type;
  Location where;
  std::array<FrameRef, 2> between;
  std::optional<Vec3> at;           ///< where the joint is in the given initial configuration, inertial axes [m]
  std::optional<Vec3> axis;         ///< joint axis in the given initial configuration, inertial axes
  std::optional<Vec3> second_axis;  ///< universal: the axis fixed in the second body
  std::optional<double> length;     ///< distance joint [m]
  double lead = 0.0;                ///< screw: displacement per turn [m]
  std::vector<Vec3> curve;          ///< point-on-curve: in the axes of the first body [m]
  bool closed = false;              ///< that curve
  double roller_radius = 0.0;       ///< distance that the second place keeps from it [m]
  DriveSpec drive;
  std::optional<JointFrictionSpec> friction;
};

/// A law that was chosen. What its parameters are, only its own file knows (deck/law_types.h).
struct LawSpec {
  std::string name;
  std::string type;
  Location where;
  std::shared_ptr<const void> parameters;
};

/// A law of normal contact.
struct ContactLawSpec : LawSpec {
  /// Given the radius that Hertz's theory takes from the geometry: R_1 R_2/(R_1 - R_2) for a journal in its bearing,
  /// the radius itself on a plane [m].
  std::function<std::shared_ptr<const ContactLaw>(double radius)> make;
  bool needs_radius = false;
};

/// A friction law.
struct FrictionLawSpec : LawSpec {
  std::function<std::shared_ptr<const FrictionLaw>()> make;  ///< empty if it is set-valued
  double static_coefficient = 0.0;                           ///< the largest coefficient at rest
  /// Coulomb's law itself: any force at rest. It is a constraint and no formula.
  std::optional<double> set_valued_kinetic_coefficient;
};

/// A joint with clearance, or a contact with a plane. `type` is a name in the registry deck/clearance_type.h.
struct ClearanceSpec {
  std::string name;
  std::string type;
  Location where;
  std::array<FrameRef, 2> between;                    ///< bearing (or plane), journal (or ball, disk, block)
  std::optional<Vec3> at;                             ///< centre of the bearing, or a point of the plane, inertial [m]
  std::optional<Vec3> axis;                           ///< of the bearing, or the normal of the plane, inertial
  double bearing_radius = 0.0, journal_radius = 0.0;  ///< [m]
  double length = 0.0;                                ///< of a journal bearing, or of the block in a guide [m]
  double width = 0.0, gap = 0.0;                      ///< of the block, and on each side of it [m]
  std::optional<Vec3> across;                         ///< direction of the width of a guide, inertial
  std::string contact, friction;                      ///< names of laws; no friction: empty
  Location contact_where, friction_where;
  std::optional<double> penetration;    ///< characteristic penetration [m]
  double nearness = 5.0, growth = 1.2;  ///< Bauchau and Ju 2006, eq 19
};

/// Stiffness and damping of a bearing across its axis at one speed of the journal; rows: force along x and y.
struct BearingCoefficientsSpec {
  using Mat2 = std::array<std::array<double, 2>, 2>;
  Location where;
  double speed = 0.0;  ///< [rad/s]
  Mat2 stiffness{};    ///< [N/m]
  Mat2 damping{};      ///< [N s/m]
};

/// Springs and dampers between two places.
struct SpringSpec {
  enum class Kind { translational, torsional, bushing, bearing_coefficients };
  std::string name;
  Kind kind = Kind::translational;
  Location where;
  std::array<FrameRef, 2> between;
  std::optional<Vec3> at;             ///< torsional, bushing: as in JointSpec
  std::optional<Vec3> axis;           ///< torsional: axis; bushing: third axis of its frame
  double stiffness = 0.0;             ///< [N/m] or [N m/rad]
  double damping = 0.0;               ///< [N s/m] or [N m s/rad]
  std::optional<double> free_length;  ///< translational [m]; absent: the initial distance
  std::optional<Vec3> along;          ///< translational: the direction of ground that it acts along
  std::optional<double> free_angle;   ///< torsional [rad]; absent: the initial angle
  /// Nonlinear law: (elongation, force) or (angle, moment) pairs, ascending; replaces `stiffness`. SI.
  std::vector<std::array<double, 2>> table;
  std::array<double, 6>
      bushing_stiffness{};                  ///< translation x y z [N/m], rotation x y z [N m/rad] in the bushing's axes
  std::array<double, 6> bushing_damping{};  ///< likewise [N s/m], [N m s/rad]
  // Bearing by coefficients
  std::optional<Vec3> first_axis;  ///< direction of x, made normal to the axis
  BearingCoefficientsSpec::Mat2 bearing_stiffness{}, bearing_damping{};
  std::vector<BearingCoefficientsSpec> bearing_table;  ///< instead of these two; ascending speeds
  std::optional<double> bearing_speed;                 ///< counts instead of that of the journal [rad/s]
};

/// An applied force or torque.
struct LoadSpec {
  enum class Kind { force, torque };
  std::string name;
  Kind kind = Kind::force;
  Location where;
  FrameRef on;
  std::array<TimeFunction, 3> value;  ///< components [N] or [N m]
  bool following = false;             ///< components in the axes of the body instead of inertial axes
};

/// A force and a moment per length along a whole beam.
struct LineLoadSpec {
  std::string name;
  Location where;
  FrameRef on;                         ///< the beam alone
  std::array<TimeFunction, 3> force;   ///< components [N/m]
  std::array<TimeFunction, 3> moment;  ///< components [N m/m]
  bool following = false;              ///< components in the axes of the section instead of inertial axes
};

/// Coulomb's friction in a closed loop of rigid bodies at rest: forces are not unique, and how they are chosen.
struct StictionSpec {
  enum class Redundancy { minimum_norm, eliminate, gauss };
  Redundancy redundancy = Redundancy::minimum_norm;
  std::vector<std::string> eliminate;  ///< names of joints
  Location eliminate_where;
};

struct AnalysisSpec {
  enum class Kind { dynamic, static_equilibrium, kinematic };
  Kind kind = Kind::dynamic;
  Location where;
  double end = 0.0;                      ///< [s]
  std::optional<double> step;            ///< fixed step [s]; absent: error-controlled
  double tolerance = 1e-4;               ///< error-controlled: relative local error per step
  std::optional<double> max_step;        ///< [s]
  std::optional<double> min_step;        ///< [s]
  std::optional<double> initial_step;    ///< [s]
  double alpha = 1.0;                    ///< 1 annihilates the highest frequencies, 0 conserves energy
  long max_steps = 100'000'000;          ///< a step limit: the run fails (code 3) beyond it
  double newton_tolerance = 1e-13;       ///< relative size of the residual at which a step is solved
  double equilibrium_tolerance = 1e-14;  ///< and an equilibrium
  int newton_iterations = 25;
  std::string solver = "automatic";  ///< of linear systems; else the name of a package
  StictionSpec stiction;

  /// How statics gets to the full loads; automatic: load if the structure is stiff without loads, else descent.
  enum class Path { automatic, load, arc_length, descent };
  Path path = Path::automatic;
  std::optional<int> load_steps;  ///< absent: automatic
  int max_load_steps = 1000;      ///< statics fails beyond so many
};

/// Columns of the history whose names fit; `*` stands for any characters.
struct ColumnPattern {
  std::string text;
  Location where;
};

/// Columns of a place as seen from another.
struct MeasureSpec {
  std::string name;
  Location where;
  FrameRef of, in;
};

struct OutputSpec {
  std::optional<double> every;                        ///< interval of history.csv [s]; absent: 1/500 of the analysis
  std::optional<std::vector<ColumnPattern>> columns;  ///< of the history; absent: all
  std::vector<MeasureSpec> measures;
  std::optional<double> paraview_every;  ///< absent: no ParaView files
  std::optional<int> animation_frames;   ///< about so many in motion.bin; absent: automatic; 0: none
  double checkpoint_every = 60.0;        ///< wall time between checkpoints [s]
};

struct ModelSpec {
  std::string file;
  int format_version = 1;
  std::string title;
  std::vector<Parameter> parameters;  ///< already put into everything else
  Vec3 gravity = Vec3::Zero();        ///< [m/s^2]
  std::vector<PointSpec> ground_points;
  std::vector<RigidBodySpec> bodies;
  std::vector<SectionSpec> sections;
  std::vector<BeamSpec> beams;
  std::vector<JointSpec> joints;
  std::vector<ContactLawSpec> contacts;
  std::vector<FrictionLawSpec> frictions;
  std::vector<ClearanceSpec> clearances;
  std::vector<CouplingSpec> couplings;
  std::vector<SpringSpec> springs;
  std::vector<LoadSpec> loads;
  std::vector<LineLoadSpec> line_loads;
  std::vector<ActuatorSpec> actuators;
  AnalysisSpec analysis;
  OutputSpec output;
  std::string resolved;               ///< the whole model with every default spelled out, as YAML (resolved.yaml)
  std::vector<std::string> warnings;  ///< of what is possible but hardly meant, each with its place in the file
};

}  // namespace freeplay
