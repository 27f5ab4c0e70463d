#include "freeplay/results/beam_surface.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace freeplay {

namespace {

// A multiple of eight: then a circle touches its true bounds on both axes, and a rectangle between circles has corners.
constexpr int corners_around_section = 16;

using Ring = std::vector<Vec3>;  // counterclockwise about the third axis

/// The outline of a beam at each place along it. All its rings have as many points, so that one becomes another.
class OutlineAlong {
 public:
  explicit OutlineAlong(std::span<const PlacedOutline> outlines) {
    for (const PlacedOutline& placed : outlines) {
      if (!placed.outline.has_corners) n_around_ = corners_around_section;
      has_hole_ = has_hole_ || placed.outline.is_hollow();
    }
    for (const PlacedOutline& placed : outlines) places_.push_back({placed.at, points_of(placed.outline)});
  }

  int n_around() const { return n_around_; }
  bool has_hole() const { return has_hole_; }

  /// Pieces of the beam go from one outline to the next and have the number of the first.
  std::size_t piece_at(double s) const {
    const auto next = std::find_if(places_.begin(), places_.end(), [&](const Place& place) { return place.at > s; });
    return static_cast<std::size_t>(next - places_.begin()) - 1;
  }

  /// The outer ring and, if some outline is hollow, the inner one, at a place of a piece: linear in s.
  Ring points(double s, std::size_t piece) const {
    const Place& left = places_[piece];
    if (places_.size() == 1) return left.points;
    const Place& right = places_[piece + 1];
    const double weight = (s - left.at) / (right.at - left.at);
    Ring points;
    for (std::size_t k = 0; k < left.points.size(); ++k)
      points.push_back((1.0 - weight) * left.points[k] + weight * right.points[k]);
    return points;
  }

 private:
  struct Place {
    double at;
    Ring points;
  };

  Ring points_of(const DrawnOutline& outline) const {
    Ring points;
    add_ring(outline.outer, outline.has_corners, points);
    if (has_hole_) add_ring(outline.inner, outline.has_corners, points);
    return points;
  }

  /// Begins half-way between the axes, where a rectangle has a corner: four points are all of it.
  void add_ring(const Vec3& size, bool to_corners, Ring& points) const {
    for (int k = 0; k < n_around_; ++k) {
      const double angle = 2.0 * std::numbers::pi * (static_cast<double>(k) / n_around_ + 0.125);
      Vec3 direction(std::cos(angle), std::sin(angle), 0.0);
      if (to_corners) direction /= direction.lpNorm<Eigen::Infinity>();
      points.push_back(direction.cwiseProduct(size));
    }
  }

  int n_around_ = 4;  ///< enough for rectangles
  bool has_hole_ = false;
  std::vector<Place> places_;
};

/// Polygons of a beam with a row of cross sections that are rings of n points: number k of section s is s * stride +
/// first + k.
class Sweep {
 public:
  Sweep(int n, int stride, Surface& surface)
      : n_(n), stride_(stride), last_(static_cast<int>(surface.points.size()) / stride - 1), surface_(surface) {}

  /// Seen from outside, or from inside for the inner surface of a hollow section.
  void side(int first, bool inner) {
    for (int s = 0; s < last_; ++s) {
      if (has_no_size(s, first) && has_no_size(s + 1, first)) continue;  // the hole of full sections
      for (int k = 0; k < n_; ++k) {
        const int next = (k + 1) % n_;
        if (inner)
          add({at(s, first + next), at(s, first + k), at(s + 1, first + k), at(s + 1, first + next)});
        else
          add({at(s, first + k), at(s, first + next), at(s + 1, first + next), at(s + 1, first + k)});
      }
    }
  }

  void full_ends() {
    std::vector<int> start, end;
    for (int k = 0; k < n_; ++k) {
      start.push_back(at(0, n_ - 1 - k));
      end.push_back(at(last_, k));
    }
    add(start);
    add(end);
  }

  /// Between the outer ring and the inner one, which follows it.
  void annular_ends() {
    for (int k = 0; k < n_; ++k) {
      const int next = (k + 1) % n_;
      add({at(0, next), at(0, k), at(0, n_ + k), at(0, n_ + next)});
      add({at(last_, k), at(last_, next), at(last_, n_ + next), at(last_, n_ + k)});
    }
  }

 private:
  int at(int section, int k) const { return section * stride_ + k; }
  bool has_no_size(int section, int first) const { return surface_.points[at(section, first)] == Vec3::Zero(); }
  void add(const std::vector<int>& corners) {
    surface_.corners.insert(surface_.corners.end(), corners.begin(), corners.end());
    surface_.corner_numbers.push_back(static_cast<int>(corners.size()));
  }

  int n_, stride_, last_;
  Surface& surface_;
};

}  // namespace

DrawnOutline drawn_outline(const SectionSpec& section) {
  if (section.outline) return section.outline->drawn();
  const Mat6& C = section.stiffness;
  const double radius = 2.0 * std::sqrt(0.5 * (C(3, 3) + C(4, 4)) / C(2, 2));
  return {.outer = {radius, radius, 0.0}};
}

SweptSurface swept_surface(std::span<const PlacedOutline> outlines, std::span<const double> stations) {
  const OutlineAlong outline(outlines);
  SweptSurface swept;
  const auto add_points = [&](const Ring& points) {
    swept.points.insert(swept.points.end(), points.begin(), points.end());
    swept.station_points.back() += static_cast<int>(points.size());
  };
  // The middle between two stations tells on which piece they are: a station may miss the place of its outline by
  // rounding.
  const auto piece_after = [&](std::size_t k) { return outline.piece_at(0.5 * (stations[k] + stations[k + 1])); };
  for (std::size_t k = 0; k < stations.size(); ++k) {
    const std::size_t before = piece_after(k == 0 ? 0 : k - 1), after = piece_after(std::min(k, stations.size() - 2));
    swept.station_points.push_back(0);
    add_points(outline.points(stations[k], before));
    const bool is_step = after > before + 1;  // the piece between them has no length
    if (is_step) add_points(outline.points(stations[k], after));
  }
  swept.has_hole = outline.has_hole();
  const int n = outline.n_around();
  Sweep sweep(n, outline.has_hole() ? 2 * n : n, swept);
  sweep.side(0, false);
  if (outline.has_hole()) {
    sweep.side(n, true);
    sweep.annular_ends();
  } else {
    sweep.full_ends();
  }
  return swept;
}

}  // namespace freeplay
