#pragma once

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <string>

#include "build_beams.h"
#include "freeplay/deck/spec.h"
#include "freeplay/mechanics/model.h"

namespace freeplay {

/// The names of the model file turned into nodes and places. The reader has checked that all of them exist.
class Places {
 public:
  Places(const ModelSpec& spec, const State& state, const BeamMap& beams) : spec_(spec), state_(state), beams_(beams) {
    for (std::size_t n = 0; n < spec.bodies.size(); ++n) node_[spec.bodies[n].name] = static_cast<int>(n);
    node_["ground"] = ground;
  }

  int node(const FrameRef& ref) const {
    const auto beam = beams_.find(ref.body);
    return beam == beams_.end() ? node_.at(ref.body) : beam->second.at(ref.s.value_or(0.0));
  }

  /// A place of its own: a named point, a place along a beam or a point mass, not just a body.
  bool is_place(const FrameRef& ref) const {
    if (!ref.point.empty() || beams_.count(ref.body) > 0) return true;
    const int n = node(ref);
    return n != ground && spec_.bodies[n].is_point;
  }

  const PointSpec* point(const FrameRef& ref) const {
    if (ref.point.empty() || beams_.count(ref.body) > 0) return nullptr;
    const auto& points = node(ref) == ground ? spec_.ground_points : spec_.bodies[node(ref)].points;
    return &*std::find_if(points.begin(), points.end(), [&](const PointSpec& p) { return p.name == ref.point; });
  }

  Pose pose(int node) const { return node == ground ? Pose{} : state_.pose[node]; }

  Frame frame(const FrameRef& ref) const {
    const PointSpec* p = point(ref);
    return {node(ref), p ? p->at : Vec3(Vec3::Zero()), Mat3::Identity()};
  }

  /// Where both sides of a connection are, in the given configuration: a named point is where it is on its body, a body
  /// alone is the origin of its axes, or where `at` is. Ground alone is where the other side is, unless the connection
  /// spans a distance (`apart`).
  std::array<Frame, 2> connection(const std::array<FrameRef, 2>& between, const std::optional<Vec3>& at,
                                  bool apart) const {
    std::array<Frame, 2> frames{frame(between[0]), frame(between[1])};
    if (apart) return frames;
    for (int side = 0; side < 2; ++side) {
      if (is_place(between[side])) continue;
      if (at)
        attach(*at, frames[side]);
      else if (frames[side].node == ground)
        frames[side].offset = place(frames[1 - side], pose(frames[1 - side].node)).x;
    }
    return frames;
  }

  /// Puts a frame on its body where `at` is in the given configuration.
  void attach(const Vec3& at, Frame& frame) const {
    const Pose body = pose(frame.node);
    frame.offset = body.R.transpose() * (at - body.x);
  }

  /// Turns the frames such that their third axes lie along the joint axis. A point may carry its own axis, fixed in its
  /// body; the first two axes of both frames are as parallel as possible, which defines the angle zero.
  void rotation_to_axis(const std::array<FrameRef, 2>& between, const std::optional<Vec3>& axis,
                        std::array<Frame, 2>& frames) const {
    std::array<Vec3, 2> direction;
    const auto own_axis = [&](int side) -> std::optional<Vec3> {
      const PointSpec* p = point(between[side]);
      if (!p || !p->axis) return std::nullopt;
      return pose(frames[side].node).R * *p->axis;
    };
    const Vec3 fallback = axis ? *axis : own_axis(0) ? *own_axis(0) : own_axis(1) ? *own_axis(1) : Vec3(Vec3::UnitZ());
    for (int side = 0; side < 2; ++side) direction[side] = own_axis(side).value_or(fallback).normalized();
    const Mat3 first = basis_with_third_axis(direction[0]);
    const Mat3 second = Eigen::Quaterniond::FromTwoVectors(direction[0], direction[1]).toRotationMatrix() * first;
    frames[0].axes = pose(frames[0].node).R.transpose() * first;
    frames[1].axes = pose(frames[1].node).R.transpose() * second;
  }

 private:
  const ModelSpec& spec_;
  const State& state_;
  const BeamMap& beams_;
  std::map<std::string, int> node_;
};

}  // namespace freeplay
