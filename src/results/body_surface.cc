#include "freeplay/results/body_surface.h"

#include <vtkAlgorithm.h>
#include <vtkCellArray.h>
#include <vtkCubeSource.h>
#include <vtkCylinderSource.h>
#include <vtkIdList.h>
#include <vtkNew.h>
#include <vtkPolyData.h>
#include <vtkSphereSource.h>

#include <algorithm>

#include "freeplay/base/diagnostics.h"

namespace freeplay {

namespace {

// Multiples of four around, odd from pole to pole: then the surface touches its true bounds on all axes.
constexpr int corners_around_cylinder = 24;
constexpr int corners_around_rod = 12;
constexpr int rings_of_sphere = 17;

// Beside the longest distance between centre of mass and a point of the body.
constexpr double rod_radius_ratio = 0.02;
constexpr double centre_radius_ratio = 0.06;

Surface taken_from(vtkPolyData* mesh) {
  Surface surface;
  for (vtkIdType i = 0; i < mesh->GetNumberOfPoints(); ++i) {
    Vec3 point;
    mesh->GetPoint(i, point.data());
    surface.points.push_back(point);
  }
  vtkNew<vtkIdList> corners;
  for (vtkIdType i = 0; i < mesh->GetNumberOfCells(); ++i) {
    mesh->GetCellPoints(i, corners);
    surface.corner_numbers.push_back(static_cast<int>(corners->GetNumberOfIds()));
    for (const vtkIdType corner : *corners) surface.corners.push_back(static_cast<int>(corner));
  }
  return surface;
}

Surface sphere(const Vec3& centre, double radius) {
  vtkNew<vtkSphereSource> source;
  source->SetOutputPointsPrecision(vtkAlgorithm::DOUBLE_PRECISION);
  source->SetCenter(centre.x(), centre.y(), centre.z());
  source->SetRadius(radius);
  source->SetThetaResolution(corners_around_cylinder);
  source->SetPhiResolution(rings_of_sphere);
  source->Update();
  return taken_from(source->GetOutput());
}

Surface box(const Vec3& centre, const Vec3& size) {
  vtkNew<vtkCubeSource> source;
  source->SetOutputPointsPrecision(vtkAlgorithm::DOUBLE_PRECISION);
  source->SetCenter(centre.x(), centre.y(), centre.z());
  source->SetXLength(size.x());
  source->SetYLength(size.y());
  source->SetZLength(size.z());
  source->Update();
  return taken_from(source->GetOutput());
}

Surface cylinder(const Vec3& from, const Vec3& to, double radius, int corners) {
  vtkNew<vtkCylinderSource> source;
  source->SetOutputPointsPrecision(vtkAlgorithm::DOUBLE_PRECISION);
  source->SetHeight((to - from).norm());
  source->SetRadius(radius);
  source->SetResolution(corners);
  source->Update();
  Surface surface = taken_from(source->GetOutput());
  // The source's axis is y and its middle the origin.
  const Mat3 rotation = Eigen::Quaterniond::FromTwoVectors(Vec3::UnitY(), to - from).toRotationMatrix();
  for (Vec3& point : surface.points) point = 0.5 * (from + to) + rotation * point;
  return surface;
}

double reach(const ParaviewBody& body) {
  double longest = 0.0;
  for (const Vec3& point : body.points) longest = std::max(longest, (point - body.centre).norm());
  return longest;
}

DrawnShape drawn_sphere(const Vec3& centre, double radius) {
  DrawnShape shape;
  shape.kind = DrawnShape::Kind::sphere;
  shape.centre = centre;
  shape.radius = radius;
  return shape;
}

DrawnShape drawn_cylinder(const Vec3& from, const Vec3& to, double radius) {
  DrawnShape shape;
  shape.kind = DrawnShape::Kind::cylinder;
  shape.from = from;
  shape.to = to;
  shape.radius = radius;
  return shape;
}

DrawnShape drawn_box(const Vec3& centre, const Vec3& size) {
  DrawnShape shape;
  shape.kind = DrawnShape::Kind::box;
  shape.centre = centre;
  shape.size = size;
  return shape;
}

std::vector<DrawnShape> rods(const ParaviewBody& body) {
  const double length = reach(body);
  std::vector<DrawnShape> shapes{drawn_sphere(body.centre, centre_radius_ratio * length)};
  for (const Vec3& point : body.points) {
    if ((point - body.centre).norm() <= rod_radius_ratio * length) continue;
    shapes.push_back(drawn_cylinder(body.centre, point, rod_radius_ratio * length));
    shapes.back().is_rod = true;
  }
  return shapes;
}

std::vector<DrawnShape> automatic(const ParaviewBody& body, double default_radius) {
  if (reach(body) > 0.0) return rods(body);
  return {drawn_sphere(body.centre, body.size_hint > 0.0 ? body.size_hint : default_radius)};
}

Surface surface_of(const DrawnShape& shape) {
  switch (shape.kind) {
    case DrawnShape::Kind::sphere:
      return sphere(shape.centre, shape.radius);
    case DrawnShape::Kind::box:
      return box(shape.centre, shape.size);
    case DrawnShape::Kind::cylinder:
      break;
  }
  return cylinder(shape.from, shape.to, shape.radius, shape.is_rod ? corners_around_rod : corners_around_cylinder);
}

void require(bool condition, const ParaviewBody& body, const char* what) {
  if (!condition) throw InputError("error: bodies." + body.name + ".shape: " + what);
}

}  // namespace

void Surface::append(const Surface& other) {
  const int first = static_cast<int>(points.size());
  points.insert(points.end(), other.points.begin(), other.points.end());
  corner_numbers.insert(corner_numbers.end(), other.corner_numbers.begin(), other.corner_numbers.end());
  for (const int corner : other.corners) corners.push_back(first + corner);
}

std::vector<DrawnShape> body_shapes(const ParaviewBody& body, double default_radius) {
  const ShapeSpec& shape = body.shape;
  switch (shape.kind) {
    case ShapeSpec::Kind::sphere:
      require(shape.radius > 0.0, body, "the radius must be > 0");
      return {drawn_sphere(body.centre, shape.radius)};
    case ShapeSpec::Kind::box:
      require(shape.size.minCoeff() > 0.0, body, "the sides must be > 0");
      return {drawn_box(body.centre, shape.size)};
    case ShapeSpec::Kind::cylinder:
      require(shape.radius > 0.0, body, "the radius must be > 0");
      require((shape.to - shape.from).norm() > 0.0, body, "the ends of the cylinder must differ");
      return {drawn_cylinder(shape.from, shape.to, shape.radius)};
    case ShapeSpec::Kind::automatic:
      break;
  }
  return automatic(body, default_radius);
}

Surface body_surface(const ParaviewBody& body, double default_radius) {
  Surface surface;
  for (const DrawnShape& shape : body_shapes(body, default_radius)) surface.append(surface_of(shape));
  return surface;
}

double default_radius(std::span<const ParaviewBody> bodies) {
  double largest = 0.0;
  for (const ParaviewBody& body : bodies)
    largest = std::max({largest, reach(body), body.shape.radius, body.shape.size.maxCoeff(),
                        (body.shape.to - body.shape.from).norm()});
  constexpr double of_a_model_without_any_extent = 0.05;  // [m]
  return largest > 0.0 ? centre_radius_ratio * largest : of_a_model_without_any_extent;
}

}  // namespace freeplay
