#include "freeplay/output/beam_surface.h"

#include <cmath>
#include <numbers>

namespace freeplay {

namespace {

// A multiple of four: then the surface touches its true bounds on both axes.
constexpr int corners_around = 16;

using Ring = std::vector<Vec3>;  // counterclockwise about the third axis

Ring circle(double radius) {
  Ring ring;
  for (int k = 0; k < corners_around; ++k) {
    const double angle = 2.0 * std::numbers::pi * k / corners_around;
    ring.emplace_back(radius * std::cos(angle), radius * std::sin(angle), 0.0);
  }
  return ring;
}

Ring rectangle(double width, double height) {
  const double a = 0.5 * width, b = 0.5 * height;
  return {{a, b, 0.0}, {-a, b, 0.0}, {-a, -b, 0.0}, {a, -b, 0.0}};
}

/// Polygons of a beam whose cross sections are rings of n points: number k of station s is s * stride + first + k.
class Sweep {
 public:
  Sweep(int n, int stride, int n_stations, Surface& surface)
      : n_(n), stride_(stride), last_(n_stations - 1), surface_(surface) {}

  /// Seen from outside, or from inside for the inner surface of a hollow section.
  void side(int first, bool inner) {
    for (int s = 0; s < last_; ++s) {
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
  int at(int station, int k) const { return station * stride_ + k; }
  void add(const std::vector<int>& corners) {
    surface_.corners.insert(surface_.corners.end(), corners.begin(), corners.end());
    surface_.corner_numbers.push_back(static_cast<int>(corners.size()));
  }

  int n_, stride_, last_;
  Surface& surface_;
};

}  // namespace

OutlineSpec drawn_outline(const SectionSpec& section) {
  if (section.outline.kind != OutlineSpec::Kind::none) return section.outline;
  const Mat6& C = section.stiffness;
  OutlineSpec circle;
  circle.kind = OutlineSpec::Kind::circle;
  circle.radius = 2.0 * std::sqrt(0.5 * (C(3, 3) + C(4, 4)) / C(2, 2));
  return circle;
}

Surface swept_surface(const OutlineSpec& outline, int n_stations) {
  const bool has_corners = outline.kind == OutlineSpec::Kind::rectangle || outline.kind == OutlineSpec::Kind::box;
  const bool is_hollow = outline.kind == OutlineSpec::Kind::tube || outline.kind == OutlineSpec::Kind::box;
  Ring section = has_corners ? rectangle(outline.width, outline.height) : circle(outline.radius);
  const int n = static_cast<int>(section.size());
  if (is_hollow) {
    const Ring inner = has_corners ? rectangle(outline.width - 2.0 * outline.wall, outline.height - 2.0 * outline.wall)
                                   : circle(outline.inner_radius);
    section.insert(section.end(), inner.begin(), inner.end());
  }
  Surface surface;
  for (int s = 0; s < n_stations; ++s) surface.points.insert(surface.points.end(), section.begin(), section.end());
  Sweep sweep(n, static_cast<int>(section.size()), n_stations, surface);
  sweep.side(0, false);
  if (is_hollow) {
    sweep.side(n, true);
    sweep.annular_ends();
  } else {
    sweep.full_ends();
  }
  return surface;
}

}  // namespace freeplay
