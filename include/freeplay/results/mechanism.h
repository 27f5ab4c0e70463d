#pragma once

#include <span>
#include <string>
#include <vector>

#include "freeplay/assembly/assembly.h"
#include "freeplay/assembly/reported_joints.h"
#include "freeplay/mechanics/clearance_joint.h"
#include "freeplay/results/body_surface.h"

namespace freeplay {

/// What belongs to no body: bearings and journals with their true radii, guides, planes, springs and the points of
/// ground, as surfaces that move with the model.
class Mechanism {
 public:
  /// As numbers in the pictures.
  enum Kind { bearing, journal, spring, plane, ground_point };

  Mechanism(const ModelSpec& spec, const Assembled& assembled);

  bool is_empty() const { return surface_.points.empty(); }
  /// The polygons; points() has where their corners are.
  const Surface& surface() const { return surface_; }
  /// Of each polygon: its kind, and the number of what it is part of.
  std::span<const int> kinds() const { return kinds_; }
  std::span<const int> parts() const { return part_of_polygon_; }
  const std::vector<std::string>& part_names() const { return names_; }

  /// Inertial axes; valid until the next call.
  std::span<const Vec3> points(const State& state);

 private:
  /// A surface in the axes of a frame.
  struct FixedPart {
    Frame frame;
    std::size_t first = 0;
    std::vector<Vec3> points;
  };
  /// A coil from one place to the other.
  struct Coil {
    Frame from, to;
    std::size_t first = 0;
    double radius = 0.0;  ///< [m]
  };
  void add_clearance(const ReportedJoint& joint, const ClearanceSpec& clearance, const Model& model);
  void add_bearing(ClearancePicture::Bearing shape, const ReportedJoint& joint, const ClearanceSpec& clearance,
                   const Model& model);
  void add_journal(ClearancePicture::Journal shape, const ReportedJoint& joint, const ClearanceSpec& clearance,
                   const Model& model);
  void add_springs(const ModelSpec& spec, const Assembled& assembled);
  void add_fixed(Kind kind, const Surface& surface, const Frame& frame);
  void add_polygons(Kind kind, const Surface& surface);

  double size_;  ///< of the model [m]
  Surface surface_;
  std::vector<int> kinds_, part_of_polygon_;
  std::vector<std::string> names_;
  std::vector<FixedPart> fixed_;
  std::vector<Coil> coils_;
  std::vector<Vec3> points_;
};

}  // namespace freeplay
