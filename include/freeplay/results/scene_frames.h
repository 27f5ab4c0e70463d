#pragma once

#include <span>
#include <vector>

#include "freeplay/assembly/assembly.h"
#include "freeplay/results/beam_curve.h"
#include "freeplay/results/beam_surface.h"

namespace freeplay {

/// The moving frames of the animation: those of the rigid bodies, then the cross sections of one beam after the other.
class SceneFrames {
 public:
  SceneFrames(const ModelSpec& spec, const Assembled& assembled);

  std::size_t size() const { return n_frames_; }

  /// Where they are, inertial axes; valid until the next call.
  std::span<const Pose> at(const State& state);

  /// A beam among the frames.
  struct BeamFrames {
    std::string name;
    std::size_t first = 0, count = 0;
    std::vector<double> places;  ///< of the frames along the beam, 0 to 1
    /// Per frame: points around the outer outline and around the hole, in the first two axes of the section; no hole:
    /// none.
    std::vector<std::vector<Vec3>> outline, hole;
  };
  const std::vector<BeamFrames>& beams() const { return beams_; }

  /// The frame that a node is fixed to. A place of a beam that joints, springs and loads can have is an end of its
  /// elements, and so a cross section.
  int frame_of_node(int node) const { return frame_of_node_[node]; }

 private:
  void add_beam(const Beam& beam, std::span<const PlacedOutline> outlines, const Model& model);

  const Model& model_;
  std::size_t n_bodies_, n_frames_;
  std::vector<BeamCurve> curves_;
  std::vector<BeamFrames> beams_;
  std::vector<int> frames_of_station_;  ///< of each station of all beams: two where the section changes suddenly
  std::vector<int> frame_of_node_;
  Motion now_;
  std::vector<BeamStation> stations_;
  std::vector<Pose> poses_;
};

}  // namespace freeplay
