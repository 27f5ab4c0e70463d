#pragma once

#include <span>
#include <vector>

#include "freeplay/mechanics/beam.h"

namespace freeplay {

/// A cross section of a beam at one moment, inertial axes.
struct BeamStation {
  Vec3 x = Vec3::Zero();                 ///< [m]
  Mat3 R = Mat3::Identity();             ///< columns: the section axes
  Vec3 velocity = Vec3::Zero();          ///< [m/s]
  Vec3 angular_velocity = Vec3::Zero();  ///< [rad/s]
  SectionState section;
};

/// A beam as a row of cross sections for pictures: the ends of its elements and, where there are few elements, points
/// between them, so that a bent beam looks bent.
class BeamCurve {
 public:
  /// About so many intervals per beam look smooth, also for a full circle; more elements than that are not divided.
  static constexpr std::size_t smooth = 96;
  explicit BeamCurve(const Beam& beam, std::size_t n_intervals = smooth);

  std::size_t n_stations() const;
  /// Number of the station at the start of an element; that of the last one plus one: the end of the beam.
  std::size_t station_of_element(std::size_t element) const { return element * (points_.size() - 1); }
  /// Where the stations are along the beam without strain: from 0 at its start to 1 at its end.
  std::vector<double> places() const;
  /// `now` is the instant of the state. Section forces where two elements meet are the mean of both.
  void evaluate(const Motion& now, const Model& model, const State& state, std::span<BeamStation> stations) const;

 private:
  std::vector<const BeamElement*> elements_;
  std::size_t first_element_;         ///< in the model
  std::vector<ElementPoint> points_;  ///< of an element, from its start to its end
};

}  // namespace freeplay
