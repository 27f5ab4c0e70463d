#include "paraview_parts.h"

#include <numeric>

namespace freeplay {

namespace {

JoinedSurfaces body_surfaces(std::span<const ParaviewBody> bodies) {
  const double radius = default_radius(bodies);
  JoinedSurfaces joined;
  for (std::size_t k = 0; k < bodies.size(); ++k) joined.add(body_surface(bodies[k], radius), static_cast<int>(k));
  return joined;
}

JoinedSurfaces beam_surfaces(std::span<const ParaviewBeam> beams, int first_body, std::vector<int>& station_points) {
  JoinedSurfaces joined;
  for (const ParaviewBeam& beam : beams) {
    const SweptSurface swept = swept_surface(beam.outlines, beam.stations);
    joined.add(swept, first_body++);
    station_points.insert(station_points.end(), swept.station_points.begin(), swept.station_points.end());
  }
  return joined;
}

vtkIdType n_points(const JoinedSurfaces& joined) { return static_cast<vtkIdType>(joined.surface.points.size()); }

vtkIdType n_stations(std::span<const ParaviewBeam> beams) {
  return std::accumulate(beams.begin(), beams.end(), vtkIdType{0}, [](vtkIdType n, const ParaviewBeam& beam) {
    return n + static_cast<vtkIdType>(beam.stations.size());
  });
}

void add_surface(const JoinedSurfaces& joined, std::span<const std::string> body_names, GridFile& file) {
  file.add_polygons(joined.surface);
  file.add_cell_numbers("body", joined.body_of_polygon);
  file.add_names("body_names", body_names);
}

}  // namespace

void JoinedSurfaces::add(const Surface& next, int body) {
  if (first_point.empty()) first_point.push_back(0);
  surface.append(next);
  body_of_polygon.insert(body_of_polygon.end(), next.corner_numbers.size(), body);
  first_point.push_back(static_cast<Eigen::Index>(surface.points.size()));
}

BodyPart::BodyPart(std::span<const ParaviewBody> bodies, std::span<const std::string> body_names)
    : joined_(body_surfaces(bodies)),
      file_(n_points(joined_)),
      velocity_(file_.add_vectors("velocity")),
      displacement_(file_) {
  add_surface(joined_, body_names, file_);
}

void BodyPart::move(std::span<const BodyPose> poses) {
  auto points = file_.points(), velocity = columns(velocity_);
  for (std::size_t i = 0; i < poses.size(); ++i) {
    const BodyPose& pose = poses[i];
    for (Eigen::Index j = joined_.first_point[i]; j < joined_.first_point[i + 1]; ++j) {
      const Vec3 arm = pose.R * joined_.surface.points[j];
      points.col(j) = pose.x + arm;
      velocity.col(j) = pose.velocity + pose.angular_velocity.cross(arm);
    }
  }
  displacement_.update();
}

namespace {

/// A vertex per point, and what they are called.
template <class Thing>
void add_named_points(GridFile& file, std::span<const Thing> things, const std::string& what) {
  std::vector<std::string> names;
  for (const Thing& thing : things) names.push_back(thing.name);
  std::vector<int> numbers(things.size());
  std::iota(numbers.begin(), numbers.end(), 0);
  for (vtkIdType i = 0; i < static_cast<vtkIdType>(things.size()); ++i) file.grid()->InsertNextCell(VTK_VERTEX, 1, &i);
  file.add_point_numbers(what.c_str(), numbers);
  file.add_names((what + "_names").c_str(), names);
}

}  // namespace

JointPart::JointPart(std::span<const ParaviewJoint> joints)
    : file_(static_cast<vtkIdType>(joints.size())),
      force_(file_.add_vectors("force")),
      moment_(file_.add_vectors("moment")) {
  add_named_points(file_, joints, "joint");
}

ContactPart::ContactPart(std::span<const ParaviewContact> contacts)
    : file_(static_cast<vtkIdType>(contacts.size())),
      normal_force_(file_.add_vectors("normal_force")),
      friction_force_(file_.add_vectors("friction_force")),
      slip_velocity_(file_.add_vectors("slip_velocity")),
      gap_(file_.add_scalars("gap")),
      state_(file_.add_scalars("state")) {
  add_named_points(file_, contacts, "contact");
}

void ContactPart::move(std::span<const ContactPoint> contacts) {
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    const auto point = static_cast<vtkIdType>(i);
    file_.points().col(point) = contacts[i].position;
    columns(normal_force_).col(point) = contacts[i].normal_force;
    columns(friction_force_).col(point) = contacts[i].friction_force;
    columns(slip_velocity_).col(point) = contacts[i].slip_velocity;
    gap_->SetValue(point, contacts[i].gap);
    state_->SetValue(point, contacts[i].state);
  }
}

void JointPart::move(std::span<const JointPoint> joints) {
  for (std::size_t i = 0; i < joints.size(); ++i) {
    file_.points().col(i) = joints[i].position;
    columns(force_).col(i) = joints[i].force;
    columns(moment_).col(i) = joints[i].moment;
  }
}

StationData::StationData(GridFile& file)
    : section_force_(file.add_vectors("section_force")),
      section_moment_(file.add_vectors("section_moment")),
      strain_(file.add_vectors("strain")),
      curvature_(file.add_vectors("curvature")) {}

void StationData::set(Eigen::Index point, const BeamStation& station) {
  columns(section_force_).col(point) = station.section.force.head<3>();
  columns(section_moment_).col(point) = station.section.force.tail<3>();
  columns(strain_).col(point) = station.section.strain.head<3>();
  columns(curvature_).col(point) = station.section.strain.tail<3>();
}

BeamPart::BeamPart(std::span<const ParaviewBeam> beams, int first_body, std::span<const std::string> body_names)
    : joined_(beam_surfaces(beams, first_body, station_points_)),
      file_(n_points(joined_)),
      velocity_(file_.add_vectors("velocity")),
      displacement_(file_),
      data_(file_) {
  add_surface(joined_, body_names, file_);
}

void BeamPart::move(std::span<const BeamStation> stations) {
  auto points = file_.points(), velocity = columns(velocity_);
  Eigen::Index j = 0;
  for (std::size_t s = 0; s < stations.size(); ++s) {
    const BeamStation& station = stations[s];
    for (const Eigen::Index end = j + station_points_[s]; j < end; ++j) {
      const Vec3 arm = station.R * joined_.surface.points[j];
      points.col(j) = station.x + arm;
      velocity.col(j) = station.velocity + station.angular_velocity.cross(arm);
      data_.set(j, station);
    }
  }
  displacement_.update();
}

CurvePart::CurvePart(std::span<const ParaviewBeam> beams, int first_body, std::span<const std::string> body_names)
    : file_(n_stations(beams)),
      velocity_(file_.add_vectors("velocity")),
      displacement_(file_),
      data_(file_),
      axes_{file_.add_vectors("axis1"), file_.add_vectors("axis2"), file_.add_vectors("axis3")} {
  std::vector<int> bodies;
  vtkIdType first = 0;
  for (const ParaviewBeam& beam : beams) {
    std::vector<vtkIdType> line(beam.stations.size());
    std::iota(line.begin(), line.end(), first);
    const auto n_points = static_cast<vtkIdType>(line.size());
    first += n_points;
    file_.grid()->InsertNextCell(VTK_POLY_LINE, n_points, line.data());
    bodies.push_back(first_body + static_cast<int>(bodies.size()));
  }
  file_.add_cell_numbers("body", bodies);
  file_.add_names("body_names", body_names);
}

void CurvePart::move(std::span<const BeamStation> stations) {
  for (std::size_t s = 0; s < stations.size(); ++s) {
    file_.points().col(s) = stations[s].x;
    columns(velocity_).col(s) = stations[s].velocity;
    for (int k = 0; k < 3; ++k) columns(axes_[k]).col(s) = stations[s].R.col(k);
    data_.set(static_cast<Eigen::Index>(s), stations[s]);
  }
  displacement_.update();
}

MechanismPart::MechanismPart(const Mechanism& mechanism)
    : file_(static_cast<vtkIdType>(mechanism.surface().points.size())) {
  file_.add_polygons(mechanism.surface());
  file_.add_cell_numbers("kind", mechanism.kinds());
  file_.add_cell_numbers("part", mechanism.parts());
  const std::array<std::string, 5> kinds{"bearing", "journal", "spring", "plane", "ground"};
  file_.add_names("kind_names", kinds);
  file_.add_names("part_names", mechanism.part_names());
}

void MechanismPart::move(std::span<const Vec3> points) {
  for (std::size_t k = 0; k < points.size(); ++k) file_.points().col(static_cast<Eigen::Index>(k)) = points[k];
}

}  // namespace freeplay
