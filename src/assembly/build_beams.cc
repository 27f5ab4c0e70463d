#include "build_beams.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <memory>

#include "freeplay/deck/beam_axis.h"
#include "freeplay/deck/tapered_section.h"
#include "freeplay/mechanics/beam_element.h"

namespace freeplay {

namespace {

Mat6 section_mass(const SectionSpec& section) {
  const Mat3 rotary = Vec3::Map(section.rotary.data()).asDiagonal();
  return rigid_mass(section.mass, Vec3(section.centre[0], section.centre[1], 0.0), rotary);
}

/// Stiffness and inertia per length along a beam. Between its stations they are those of the section that tapers from
/// one to the next, or linear where there is no such section.
class SectionAlong {
 public:
  struct Values {
    Mat6 stiffness, mass;
  };

  SectionAlong(const ModelSpec& spec, const BeamSpec& beam) {
    for (const StationSpec& station : beam.sections) {
      const SectionSpec& section = *std::find_if(spec.sections.begin(), spec.sections.end(),
                                                 [&](const SectionSpec& s) { return s.name == station.section; });
      stations_.push_back({station.at, &section});
    }
  }

  /// At s, 0 to 1, in the element around `middle`, which decides on which side of a sudden change it is.
  Values at(double s, double middle) const {
    const auto right =
        std::find_if(stations_.begin(), stations_.end(), [&](const Station& x) { return x.at > middle; });
    if (right == stations_.end()) return values_of(*stations_.back().section);  // there is only one
    const Station& left = *(right - 1);
    const double weight = (s - left.at) / (right->at - left.at);
    if (const auto tapered = tapered_section(*left.section, *right->section, weight)) return values_of(*tapered);
    const Values start = values_of(*left.section), end = values_of(*right->section);
    return {(1.0 - weight) * start.stiffness + weight * end.stiffness, (1.0 - weight) * start.mass + weight * end.mass};
  }

 private:
  struct Station {
    double at;
    const SectionSpec* section;
  };

  static Values values_of(const SectionSpec& section) { return {section.stiffness, section_mass(section)}; }

  std::vector<Station> stations_;
};

/// Arc lengths of the ends of the elements: evenly spread over each piece, and each place that needs a node and each
/// station of the section is one of them.
std::vector<double> element_ends(const ModelSpec& spec, const BeamSpec& beam, const BeamAxis& axis) {
  constexpr double same = 1e-9;
  const double length = axis.length();
  std::vector<double> ends{0.0};
  for (int piece = 0; piece < axis.n_pieces(); ++piece) {
    const double start = axis.start_of(piece), end = axis.start_of(piece + 1);
    for (int k = 1; k <= beam.elements; ++k)
      ends.push_back(k == beam.elements ? end : start + (end - start) * k / beam.elements);
  }
  std::vector<double> places = places_along(spec, beam);
  for (const StationSpec& station : beam.sections) places.push_back(station.at);
  for (const double place : places)
    if (std::none_of(ends.begin(), ends.end(), [&](double s) { return std::abs(s - place * length) < same * length; }))
      ends.push_back(place * length);
  std::sort(ends.begin(), ends.end());
  return ends;
}

Mat6 rotated(const Mat3& axes, const Mat6& mass) {
  Mat6 T = Mat6::Zero();
  T.topLeftCorner<3, 3>() = T.bottomRightCorner<3, 3>() = axes;
  return T * mass * T.transpose();
}

/// Adds one beam to a model.
class BeamBuilder {
 public:
  BeamBuilder(const ModelSpec& spec, const BeamSpec& beam, Model& model, State& state, std::vector<GivenParts>& given)
      : beam_(beam),
        model_(model),
        state_(state),
        given_(given),
        axis_(beam),
        sections_(spec, beam),
        mesh_(make_line_mesh(element_ends(spec, beam, axis_), beam.degree)) {}

  BeamNodes build() {
    nodes_.first = static_cast<int>(model_.nodes.size());
    body_ = static_cast<int>(model_.bodies.size());
    model_.bodies.push_back(beam_.name);
    add_node(axis_.at(0, 0.0), 0.0);
    for (const LineMesh::Element& element : mesh_.elements) add_element(element);
    fix(beam_.fix_start, nodes_.first);
    fix(beam_.fix_end, static_cast<int>(model_.nodes.size()) - 1);
    return std::move(nodes_);
  }

 private:
  void add_node(const Pose& pose, double arc_length) {
    const double s = arc_length / axis_.length();
    char place[32];
    std::snprintf(place, sizeof place, "@%.6g", s);
    model_.nodes.push_back({beam_.name + place, beam_.where, Mat6::Zero(), {}, body_});
    const Vec3 w = beam_.angular_velocity.value_or(Vec3::Zero());
    const Vec3 v = beam_.velocity.value_or(Vec3::Zero()) + w.cross(pose.x - axis_.at(0, 0.0).x);
    Vec6 twist;
    twist << pose.R.transpose() * v, pose.R.transpose() * w;
    state_.pose.push_back(pose);
    state_.twist.push_back(twist);
    const bool moves = beam_.velocity || beam_.angular_velocity;
    given_.push_back({true, true, moves, moves});
    nodes_.s.push_back(s);
  }

  /// Its first node is there already; if that is a corner, it has the section axes of the piece before.
  void add_element(const LineMesh::Element& element) {
    const double start = mesh_.node_s[element.nodes.front()];
    const double middle = 0.5 * (start + mesh_.node_s[element.nodes.back()]);
    if (middle > axis_.start_of(piece_ + 1)) ++piece_;
    std::vector<int> numbers;
    std::vector<Pose> reference;
    for (const int node : element.nodes) {
      numbers.push_back(nodes_.first + node);
      reference.push_back(axis_.at(piece_, mesh_.node_s[node]));
      if (node != element.nodes.front()) add_node(reference.back(), mesh_.node_s[node]);
    }
    std::optional<Mat3> corner;
    if (piece_ > 0 && start == axis_.start_of(piece_))
      corner = state_.pose[numbers.front()].R.transpose() * reference.front().R;
    add_inertia(element, middle, corner.value_or(Mat3::Identity()));
    auto made = std::make_unique<BeamElement>(beam_.name, numbers, reference, points_of(element, middle), beam_.damping,
                                              corner);
    if (nodes_.elements.empty()) nodes_.first_element = model_.elements.size();
    nodes_.elements.push_back(made.get());
    model_.elements.push_back(std::move(made));
  }

  /// Those of the element before, if this one is no different.
  std::shared_ptr<const GaussPoints> points_of(const LineMesh::Element& element, double middle) {
    std::vector<Mat6> stiffness;
    for (const LineMesh::GaussPoint& point : element.gauss_points)
      stiffness.push_back(section_at(point.s, middle).stiffness);
    const auto points = std::make_shared<const GaussPoints>(element, stiffness);
    // Lengths of elements are differences of arc lengths, which are rounded.
    const double length = mesh_.node_s[element.nodes.back()] - mesh_.node_s[element.nodes.front()];
    const double round_off = 4.0 * std::numeric_limits<double>::epsilon() * axis_.length() / length;
    if (!points_ || !points->agree_with(*points_, round_off)) points_ = points;
    return points_;
  }

  void add_inertia(const LineMesh::Element& element, double middle, const Mat3& corner) {
    for (std::size_t a = 0; a < element.nodes.size(); ++a) {
      const int node = nodes_.first + element.nodes[a];
      const Mat3 section_axes = a == 0 ? corner : Mat3(Mat3::Identity());
      const Mat6 mass = section_at(mesh_.node_s[element.nodes[a]], middle).mass;
      model_.nodes[node].mass += element.node_length[a] * rotated(section_axes, mass);
      nodes_.shares.push_back({node, element.node_length[a], section_axes});
    }
  }

  SectionAlong::Values section_at(double arc_length, double middle) const {
    return sections_.at(arc_length / axis_.length(), middle / axis_.length());
  }

  void fix(const std::vector<Dof>& directions, int node) {
    for (const Dof dof : directions) {
      model_.nodes[node].fixed[static_cast<int>(dof)] = true;
      state_.twist[node][static_cast<int>(dof)] = 0.0;
    }
  }

  const BeamSpec& beam_;
  Model& model_;
  State& state_;
  std::vector<GivenParts>& given_;
  BeamAxis axis_;
  SectionAlong sections_;
  LineMesh mesh_;
  int body_ = 0;  ///< its number in the model
  BeamNodes nodes_;
  int piece_ = 0;                              ///< of the axis, of the last element
  std::shared_ptr<const GaussPoints> points_;  ///< of the last element
};

}  // namespace

int BeamNodes::at(double place) const {
  const auto closest = std::min_element(s.begin(), s.end(),
                                        [&](double a, double b) { return std::abs(a - place) < std::abs(b - place); });
  return first + static_cast<int>(closest - s.begin());
}

std::vector<double> loaded_places(const ModelSpec& spec, const BeamSpec& beam) {
  std::vector<double> all;
  const auto add = [&](const FrameRef& ref) {
    if (ref.body == beam.name && ref.s) all.push_back(*ref.s);
  };
  for (const JointSpec& joint : spec.joints)
    for (const FrameRef& ref : joint.between) add(ref);
  for (const ClearanceSpec& joint : spec.clearances)
    for (const FrameRef& ref : joint.between) add(ref);
  for (const SpringSpec& spring : spec.springs)
    for (const FrameRef& ref : spring.between) add(ref);
  for (const LoadSpec& load : spec.loads) add(load.on);
  return all;
}

std::vector<double> places_along(const ModelSpec& spec, const BeamSpec& beam) {
  std::vector<double> all = loaded_places(spec, beam);
  all.insert(all.end(), beam.places.begin(), beam.places.end());
  for (const MeasureSpec& measure : spec.output.measures)
    for (const FrameRef& ref : {measure.of, measure.in})
      if (ref.body == beam.name && ref.s) all.push_back(*ref.s);
  std::sort(all.begin(), all.end());
  return all;
}

BeamMap add_beams(const ModelSpec& spec, Model& model, State& state, std::vector<GivenParts>& given) {
  BeamMap beams;
  for (const BeamSpec& beam : spec.beams) beams[beam.name] = BeamBuilder(spec, beam, model, state, given).build();
  return beams;
}

}  // namespace freeplay
