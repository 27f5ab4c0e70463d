#pragma once

#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "freeplay/math/types.h"
#include "freeplay/mechanics/force_element.h"
#include "freeplay/results/beam_curve.h"
#include "freeplay/results/beam_surface.h"
#include "freeplay/results/body_surface.h"
#include "freeplay/results/mechanism.h"

namespace freeplay {

/// Where a rigid body is and how it moves, inertial axes.
struct BodyPose {
  Vec3 x = Vec3::Zero();                 ///< the body's origin [m]
  Mat3 R = Mat3::Identity();             ///< body axes to inertial axes
  Vec3 velocity = Vec3::Zero();          ///< of the body's origin [m/s]
  Vec3 angular_velocity = Vec3::Zero();  ///< [rad/s]
};

struct ParaviewJoint {
  std::string name;
};

/// A joint at one moment, inertial axes.
struct JointPoint {
  Vec3 position = Vec3::Zero();  ///< [m]
  Vec3 force = Vec3::Zero();     ///< [N]
  Vec3 moment = Vec3::Zero();    ///< [N m]
};

struct ParaviewContact {
  std::string name;
};

struct ParaviewBeam {
  std::string name;
  std::vector<PlacedOutline> outlines;
  std::vector<double> stations;  ///< where they are along the beam
};

/// The pictures of a run: `model.pvd` and its files in `paraview/`.
///  - part 0 `bodies`: surfaces at their place, with point data `velocity` and `displacement` (since the first frame),
///    cell data `body` (number) and field data `body_names`;
///  - part 1 `joints`: points with `force`, `moment`, `joint` (number) and field data `joint_names`;
///  - part 2 `beams`: surfaces like part 0, with `section_force`, `section_moment`, `strain`, `curvature`, section
///  axes;
///  - part 3 `curves`: axes of beams like part 2, with the section axes `axis1`, `axis2`, `axis3`.
///  - part 4 `contacts`: points of contact with `normal_force`, `friction_force`, `slip_velocity`, `gap`, `state`
///    (0 open, 1 sticks, 2 slips), `contact` (number) and field data `contact_names`.
///  - part 5 `mechanism`: surfaces of bearings, journals, springs, planes and points of ground (output/mechanism.h),
///  with
///    cell data `kind` and `part` (numbers) and field data `kind_names` and `part_names`.
/// Beams count after the rigid bodies in `body`, and all bodies are in `body_names`.
/// A part that has nothing to show is left out. A file is written under a temporary name, renamed, and only then listed
/// in the .pvd: what is listed is complete, whenever the run is killed.
class ParaviewWriter {
 public:
  /// Starts a new series in the results directory. `mechanism`: null: none.
  ParaviewWriter(const std::filesystem::path& directory, std::span<const ParaviewBody> bodies,
                 std::span<const ParaviewJoint> joints, std::span<const ParaviewBeam> beams = {},
                 std::span<const ParaviewContact> contacts = {}, const Mechanism* mechanism = nullptr);

  /// Goes on with the series of an earlier run: frames later than `time` are dropped together with their files.
  /// InputError if what is there does not fit the bodies.
  static ParaviewWriter resume_at(double time, const std::filesystem::path& directory,
                                  std::span<const ParaviewBody> bodies, std::span<const ParaviewJoint> joints,
                                  std::span<const ParaviewBeam> beams = {},
                                  std::span<const ParaviewContact> contacts = {}, const Mechanism* mechanism = nullptr);

  ParaviewWriter(ParaviewWriter&&) noexcept;
  ParaviewWriter& operator=(ParaviewWriter&&) noexcept;
  ~ParaviewWriter();

  /// One pose per body, one point per joint and contact, the stations of one beam after the other, and the points of
  /// the mechanism, in the order of the constructor. std::runtime_error if a file cannot be written.
  void frame(double time, std::span<const BodyPose> poses, std::span<const JointPoint> joints,
             std::span<const BeamStation> stations = {}, std::span<const ContactPoint> contacts = {},
             std::span<const Vec3> mechanism_points = {});

 private:
  class Impl;
  explicit ParaviewWriter(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace freeplay
