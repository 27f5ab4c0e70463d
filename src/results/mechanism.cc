#include "freeplay/results/mechanism.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "freeplay/mechanics/coefficient_bearing.h"
#include "freeplay/mechanics/contact_element.h"
#include "freeplay/mechanics/spring.h"
#include "freeplay/results/drawn_parts.h"

namespace freeplay {

namespace {

constexpr double full_turn = 2.0 * std::numbers::pi;
constexpr int corners_around = 32;

/// A point of a profile: distance from the axis, and place along it.
struct ProfilePoint {
  double radius, z;
};

void add_quad(int a, int b, int c, int d, Surface& surface) {
  surface.corners.insert(surface.corners.end(), {a, b, c, d});
  surface.corner_numbers.push_back(4);
}

/// A grid of n_along rings of n_around points each.
void add_tube_polygons(int first, int n_along, int n_around, Surface& surface) {
  for (int s = 0; s + 1 < n_along; ++s)
    for (int k = 0; k < n_around; ++k) {
      const int next = (k + 1) % n_around;
      add_quad(first + s * n_around + k, first + s * n_around + next, first + (s + 1) * n_around + next,
               first + (s + 1) * n_around + k, surface);
    }
}

/// A profile that turns about the third axis.
Surface revolved(const std::vector<ProfilePoint>& profile) {
  Surface surface;
  for (const ProfilePoint& point : profile)
    for (int k = 0; k < corners_around; ++k) {
      const double angle = full_turn * k / corners_around;
      surface.points.emplace_back(point.radius * std::cos(angle), point.radius * std::sin(angle), point.z);
    }
  add_tube_polygons(0, static_cast<int>(profile.size()), corners_around, surface);
  return surface;
}

/// Its inner surface is where the journal touches.
Surface shell(double inner, double outer, double length) {
  const double h = 0.5 * length;
  return revolved({{inner, -h}, {inner, h}, {outer, h}, {outer, -h}, {inner, -h}});
}

Surface solid_cylinder(double radius, double length) {
  const double h = 0.5 * length;
  return revolved({{0.0, -h}, {radius, -h}, {radius, h}, {0.0, h}});
}

/// From one latitude to another.
Surface part_of_sphere(double radius, double from, double to) {
  constexpr int n = 16;
  std::vector<ProfilePoint> profile;
  for (int k = 0; k <= n; ++k) {
    const double latitude = std::lerp(from, to, static_cast<double>(k) / n);
    profile.push_back({radius * std::cos(latitude), radius * std::sin(latitude)});
  }
  return revolved(profile);
}

/// A box with the third axis normal to it, its upper side through the origin.
Surface plate(double length, double width, double thickness) {
  Surface surface;
  for (const double z : {0.0, -thickness})
    for (const auto& [x, y] : {std::pair{-0.5, -0.5}, {0.5, -0.5}, {0.5, 0.5}, {-0.5, 0.5}})
      surface.points.emplace_back(x * length, y * width, z);
  add_quad(0, 1, 2, 3, surface);
  add_quad(7, 6, 5, 4, surface);
  for (int k = 0; k < 4; ++k) add_quad(k, k + 4, (k + 1) % 4 + 4, (k + 1) % 4, surface);
  return surface;
}

// Of a spring: straight ends, and turns in between.
constexpr int turns = 8, points_per_turn = 16, points_around_wire = 6;
constexpr int points_along_coil = turns * points_per_turn + 3;
constexpr double straight_part = 0.12, wire_ratio = 0.2;

/// The middle of the wire at a point, in axes whose third one goes from end to end.
Vec3 middle_of_wire(int k, double length, double radius) {
  if (k == 0) return Vec3::Zero();
  if (k == points_along_coil - 1) return {0.0, 0.0, length};
  const double part = static_cast<double>(k - 1) / (points_along_coil - 3);
  const double angle = full_turn * turns * part;
  return {radius * std::cos(angle), radius * std::sin(angle),
          length * std::lerp(straight_part, 1.0 - straight_part, part)};
}

void place_coil(const Vec3& from, const Vec3& to, double radius, std::span<Vec3> points) {
  const double length = (to - from).norm();
  const Mat3 axes = length > 0.0 ? basis_with_third_axis((to - from) / length) : Mat3(Mat3::Identity());
  for (int k = 0; k < points_along_coil; ++k) {
    const Vec3 middle = middle_of_wire(k, length, radius);
    const Vec3 along = middle_of_wire(std::min(k + 1, points_along_coil - 1), length, radius) -
                       middle_of_wire(std::max(k - 1, 0), length, radius);
    const Mat3 ring = along.norm() > 0.0 ? basis_with_third_axis(along.normalized()) : Mat3(Mat3::Identity());
    for (int a = 0; a < points_around_wire; ++a) {
      const double angle = full_turn * a / points_around_wire;
      const Vec3 around = wire_ratio * radius * (std::cos(angle) * ring.col(0) + std::sin(angle) * ring.col(1));
      points[static_cast<std::size_t>(k * points_around_wire + a)] = from + axes * (middle + around);
    }
  }
}

FramePlace place_at(const State& state, const Frame& frame) {
  return place(frame, frame.node == ground ? Pose{} : state.pose[frame.node]);
}

template <class Spec>
const Spec* spec_of(const std::vector<Spec>& specs, const std::string& name) {
  const auto found = std::ranges::find(specs, name, &Spec::name);
  return found == specs.end() ? nullptr : &*found;
}

/// Where one of the contacts of a joint is.
std::array<Frame, 2> places_of(const ReportedJoint& joint, std::size_t contact, const Model& model) {
  return dynamic_cast<const ContactElement&>(*model.elements[joint.contacts[contact]]).places();
}

/// Of a bearing. Most have no length that the model knows: one that looks like one.
double drawn_length(const ClearanceSpec& clearance) {
  return clearance.length > 0.0 ? clearance.length : clearance.bearing_radius;
}

/// The middle of its upper half, with axes along and across the guide.
Frame frame_of_block(const ReportedJoint& joint, const ClearanceSpec& clearance, const Model& model) {
  const Vec3 corner = places_of(joint, 0, model)[1].offset;
  const Vec3 along = corner - places_of(joint, 1, model)[1].offset;
  const Vec3 across = corner - places_of(joint, 2, model)[1].offset;
  Frame block = joint.b;
  block.axes << along.normalized(), across.normalized(), along.normalized().cross(across.normalized());
  block.offset += 0.25 * clearance.width * block.axes.col(2);
  return block;
}

}  // namespace

Mechanism::Mechanism(const ModelSpec& spec, const Assembled& assembled) : size_(assembled.model.length_scale) {
  const Model& model = assembled.model;
  for (const ReportedJoint& joint : reported_joints(model))
    if (const ClearanceSpec* clearance = spec_of(spec.clearances, joint.name)) add_clearance(joint, *clearance, model);
  add_springs(spec, assembled);
  constexpr double small = 0.01;
  for (const PointSpec& point : spec.ground_points) {
    names_.push_back("ground." + point.name);
    add_fixed(ground_point, plate(2.0 * small * size_, 2.0 * small * size_, small * size_),
              {ground, point.at, Mat3::Identity()});
  }
  points_ = surface_.points;
  points(assembled.state);
}

void Mechanism::add_polygons(Kind kind, const Surface& surface) {
  surface_.append(surface);
  kinds_.insert(kinds_.end(), surface.corner_numbers.size(), kind);
  part_of_polygon_.insert(part_of_polygon_.end(), surface.corner_numbers.size(), static_cast<int>(names_.size()) - 1);
}

void Mechanism::add_fixed(Kind kind, const Surface& surface, const Frame& frame) {
  fixed_.push_back({frame, surface_.points.size(), surface.points});
  add_polygons(kind, surface);
}

void Mechanism::add_clearance(const ReportedJoint& joint, const ClearanceSpec& clearance, const Model& model) {
  const ClearancePicture& picture = clearance_joint_type(clearance).picture;
  names_.push_back(joint.name);
  add_bearing(picture.bearing, joint, clearance, model);
  add_journal(picture.journal, joint, clearance, model);
}

void Mechanism::add_bearing(ClearancePicture::Bearing shape, const ReportedJoint& joint, const ClearanceSpec& clearance,
                            const Model& model) {
  using Bearing = ClearancePicture::Bearing;
  const double R = clearance.bearing_radius;
  constexpr double rim = 0.3;  // latitude
  switch (shape) {
    case Bearing::circle:
    case Bearing::cylinder:
      return add_fixed(bearing, shell(R, 1.2 * R, drawn_length(clearance)), joint.a);
    case Bearing::sphere:
      return add_fixed(bearing, part_of_sphere(R, -0.25 * full_turn, rim), joint.a);
    case Bearing::ball:
      return add_fixed(bearing, part_of_sphere(R, -0.25 * full_turn, 0.25 * full_turn), joint.a);
    case Bearing::plane:
      return add_fixed(plane, plate(size_, size_, 0.01 * size_), joint.a);
    case Bearing::slot:
      // Corners 1 and 2 face one wall, 3 and 4 the other; the first axis of a wall is along the guide.
      for (const std::size_t contact : {0, 2})
        add_fixed(plane,
                  plate(std::max(4.0 * clearance.length, 0.3 * size_), 0.5 * clearance.width, 0.1 * clearance.width),
                  places_of(joint, contact, model)[0]);
      return;
  }
}

void Mechanism::add_journal(ClearancePicture::Journal shape, const ReportedJoint& joint, const ClearanceSpec& clearance,
                            const Model& model) {
  using Journal = ClearancePicture::Journal;
  const double r = clearance.journal_radius;
  switch (shape) {
    case Journal::pin:
      return add_fixed(journal, solid_cylinder(r, 1.3 * drawn_length(clearance)), joint.b);
    case Journal::disk:
      return add_fixed(journal, solid_cylinder(r, 0.05 * r), places_of(joint, 0, model)[1]);
    case Journal::ball:
      if (r > 0.0) add_fixed(journal, part_of_sphere(r, -0.25 * full_turn, 0.25 * full_turn), joint.b);
      return;
    case Journal::block:
      return add_fixed(journal, plate(clearance.length, clearance.width, 0.5 * clearance.width),
                       frame_of_block(joint, clearance, model));
  }
}

void Mechanism::add_springs(const ModelSpec& spec, const Assembled& assembled) {
  constexpr double slender = 0.07, bushing_size = 0.03;
  const Model& model = assembled.model;
  for (const auto& element : model.elements) {
    const SpringSpec* given = spec_of(spec.springs, element->name());
    if (!given) continue;
    if (const auto* translational = dynamic_cast<const TranslationalSpring*>(element.get())) {
      names_.push_back(element->name());
      const auto [a, b] = translational->places();
      const double length = (place_at(assembled.state, b).x - place_at(assembled.state, a).x).norm();
      coils_.push_back({a, b, surface_.points.size(), slender * (length > 0.0 ? length : size_)});
      Surface coil;
      coil.points.resize(static_cast<std::size_t>(points_along_coil * points_around_wire), Vec3::Zero());
      add_tube_polygons(0, points_along_coil, points_around_wire, coil);
      add_polygons(spring, coil);
    } else if (const auto* torsional = dynamic_cast<const TorsionalSpring*>(element.get())) {
      names_.push_back(element->name());
      add_fixed(spring, shell(0.8 * bushing_size * size_, bushing_size * size_, 0.3 * bushing_size * size_),
                torsional->places()[0]);
    } else if (const auto* bushing = dynamic_cast<const Bushing*>(element.get())) {
      names_.push_back(element->name());
      add_fixed(spring, shell(0.5 * bushing_size * size_, bushing_size * size_, bushing_size * size_),
                bushing->places()[0]);
    } else if (const auto* film = dynamic_cast<const CoefficientBearing*>(element.get())) {
      names_.push_back(element->name());
      const double radius = drawn_journal_radius(spec, *given).value_or(0.5 * bushing_size * size_);
      add_fixed(bearing, shell(1.08 * radius, 1.4 * radius, radius), film->bearing());
    }
  }
}

std::span<const Vec3> Mechanism::points(const State& state) {
  for (const FixedPart& part : fixed_) {
    const FramePlace here = place_at(state, part.frame);
    for (std::size_t k = 0; k < part.points.size(); ++k) points_[part.first + k] = here.x + here.a * part.points[k];
  }
  for (const Coil& coil : coils_)
    place_coil(
        place_at(state, coil.from).x, place_at(state, coil.to).x, coil.radius,
        std::span(points_).subspan(coil.first, static_cast<std::size_t>(points_along_coil * points_around_wire)));
  return points_;
}

}  // namespace freeplay
