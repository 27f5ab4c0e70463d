#include "freeplay/results/scene_frames.h"

#include <algorithm>

#include "freeplay/results/drawn_parts.h"

namespace freeplay {

namespace {

/// Intervals of each of n beams: many beams are looked at from farther away.
std::size_t n_intervals(std::size_t n_beams) {
  constexpr std::size_t of_all = 2 * BeamCurve::smooth, least = 24;
  return std::clamp(of_all / std::max<std::size_t>(n_beams, 1), least, BeamCurve::smooth);
}

}  // namespace

SceneFrames::SceneFrames(const ModelSpec& spec, const Assembled& assembled)
    : model_(assembled.model), n_bodies_(spec.bodies.size()), n_frames_(n_bodies_) {
  for (std::size_t n = 0; n < model_.nodes.size(); ++n)
    frame_of_node_.push_back(n < n_bodies_ ? static_cast<int>(n) : ground);
  for (std::size_t b = 0; b < assembled.beams.size(); ++b)
    add_beam(assembled.beams[b], drawn_outlines(spec, spec.beams[b]), model_);
  poses_.resize(n_frames_);
}

void SceneFrames::add_beam(const Beam& beam, std::span<const PlacedOutline> outlines, const Model& model) {
  const BeamCurve& curve = curves_.emplace_back(beam, n_intervals(model.bodies.size() - n_bodies_));
  const std::vector<double> places = curve.places();
  const SweptSurface swept = swept_surface(outlines, places);
  // Each outline is a ring or, if some section of the beam is hollow, two rings.
  const auto n_points = static_cast<std::size_t>(*std::ranges::min_element(swept.station_points));
  const std::size_t n_ring = swept.has_hole ? n_points / 2 : n_points;
  BeamFrames frames{beam.name, n_frames_, 0, {}, {}, {}};
  std::vector<std::size_t> frame_of_station;
  auto point = swept.points.begin();
  for (std::size_t s = 0; s < places.size(); ++s) {
    frame_of_station.push_back(n_frames_ + frames.count);
    const int n_outlines = swept.station_points[s] / static_cast<int>(n_points);
    frames_of_station_.push_back(n_outlines);
    for (int k = 0; k < n_outlines; ++k, ++frames.count) {
      frames.places.push_back(places[s]);
      frames.outline.emplace_back(point, point + static_cast<std::ptrdiff_t>(n_ring));
      if (swept.has_hole) frames.hole.emplace_back(point + static_cast<std::ptrdiff_t>(n_ring), point + n_points);
      point += static_cast<std::ptrdiff_t>(n_points);
    }
  }
  for (std::size_t e = 0; e < beam.elements.size(); ++e) {
    const auto frame_at = [&](std::size_t element) {
      return static_cast<int>(frame_of_station[curve.station_of_element(element)]);
    };
    frame_of_node_[beam.elements[e]->nodes().front()] = frame_at(e);
    frame_of_node_[beam.elements[e]->nodes().back()] = frame_at(e + 1);
  }
  n_frames_ += frames.count;
  stations_.resize(stations_.size() + places.size());
  beams_.push_back(std::move(frames));
}

std::span<const Pose> SceneFrames::at(const State& state) {
  std::copy_n(state.pose.begin(), n_bodies_, poses_.begin());
  if (curves_.empty()) return poses_;
  set_instant(state, now_);
  std::size_t station = 0;
  for (const BeamCurve& curve : curves_) {
    curve.evaluate(now_, model_, state, std::span(stations_).subspan(station, curve.n_stations()));
    station += curve.n_stations();
  }
  std::size_t frame = n_bodies_;
  for (std::size_t s = 0; s < stations_.size(); ++s)
    for (int k = 0; k < frames_of_station_[s]; ++k) poses_[frame++] = {stations_[s].x, stations_[s].R};
  return poses_;
}

}  // namespace freeplay
