#pragma once

// The parts of the ParaView files. Each holds a grid, moves it and writes it.

#include "freeplay/results/paraview_writer.h"
#include "paraview_grid.h"

namespace freeplay {

/// Surfaces of several bodies as one, and whose they are.
struct JoinedSurfaces {
  Surface surface;
  std::vector<int> body_of_polygon;
  std::vector<Eigen::Index> first_point;  ///< of each body, and the end

  void add(const Surface& next, int body);
};

/// Surfaces of rigid bodies.
class BodyPart {
 public:
  BodyPart(std::span<const ParaviewBody> bodies, std::span<const std::string> body_names);
  void move(std::span<const BodyPose> poses);
  void write(const std::filesystem::path& path) { file_.write(path); }
  void read_first_frame(const std::filesystem::path& path) { displacement_.read_first_frame(path); }

 private:
  JoinedSurfaces joined_;  ///< in the axes of the bodies
  GridFile file_;
  VectorArray velocity_;
  Displacement displacement_;
};

/// A point per joint.
class JointPart {
 public:
  explicit JointPart(std::span<const ParaviewJoint> joints);
  void move(std::span<const JointPoint> joints);
  void write(const std::filesystem::path& path) { file_.write(path); }

 private:
  GridFile file_;
  VectorArray force_, moment_;
};

class ContactPart {
 public:
  explicit ContactPart(std::span<const ParaviewContact> contacts);
  void move(std::span<const ContactPoint> contacts);
  void write(const std::filesystem::path& path) { file_.write(path); }

 private:
  GridFile file_;
  VectorArray normal_force_, friction_force_, slip_velocity_, gap_, state_;
};

/// What both pictures of beams show at their points.
class StationData {
 public:
  explicit StationData(GridFile& file);
  void set(Eigen::Index point, const BeamStation& station);

 private:
  VectorArray section_force_, section_moment_, strain_, curvature_;
};

/// Surfaces of beams, swept by their sections.
class BeamPart {
 public:
  BeamPart(std::span<const ParaviewBeam> beams, int first_body, std::span<const std::string> body_names);
  void move(std::span<const BeamStation> stations);
  void write(const std::filesystem::path& path) { file_.write(path); }
  void read_first_frame(const std::filesystem::path& path) { displacement_.read_first_frame(path); }

 private:
  std::vector<int> station_points_;  ///< how many points each station of all beams has
  JoinedSurfaces joined_;            ///< in section axes
  GridFile file_;
  VectorArray velocity_;
  Displacement displacement_;
  StationData data_;
};

/// Axes of beams as curves, with the axes of their sections.
class CurvePart {
 public:
  CurvePart(std::span<const ParaviewBeam> beams, int first_body, std::span<const std::string> body_names);
  void move(std::span<const BeamStation> stations);
  void write(const std::filesystem::path& path) { file_.write(path); }
  void read_first_frame(const std::filesystem::path& path) { displacement_.read_first_frame(path); }

 private:
  GridFile file_;
  VectorArray velocity_;
  Displacement displacement_;
  StationData data_;
  std::array<VectorArray, 3> axes_;
};

/// Bearings, journals, springs, planes and points of ground.
class MechanismPart {
 public:
  explicit MechanismPart(const Mechanism& mechanism);
  void move(std::span<const Vec3> points);
  void write(const std::filesystem::path& path) { file_.write(path); }

 private:
  GridFile file_;
};

}  // namespace freeplay
