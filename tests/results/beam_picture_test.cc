#include <gtest/gtest.h>
#include <vtkCellData.h>
#include <vtkDataArray.h>
#include <vtkFieldData.h>
#include <vtkNew.h>
#include <vtkPointData.h>
#include <vtkStringArray.h>
#include <vtkUnstructuredGrid.h>
#include <vtkXMLUnstructuredGridReader.h>

#include <array>
#include <boost/property_tree/ptree.hpp>
#include <boost/property_tree/xml_parser.hpp>
#include <numbers>

#include "analysis/analysis_testing.h"
#include "base/file_testing.h"
#include "freeplay/results/beam_surface.h"
#include "freeplay/results/model_pictures.h"

namespace freeplay {
namespace {

namespace fs = std::filesystem;

// Points are sums of a few doubles of size one.
constexpr double rounding = 1e-14;

vtkSmartPointer<vtkUnstructuredGrid> read_vtu(const fs::path& path) {
  vtkNew<vtkXMLUnstructuredGridReader> reader;
  reader->SetFileName(path.c_str());
  reader->Update();
  return reader->GetOutput();
}

Vec3 tuple(vtkUnstructuredGrid* grid, const char* name, vtkIdType i) {
  Vec3 value;
  grid->GetPointData()->GetArray(name)->GetTuple(i, value.data());
  return value;
}

DrawnOutline tube(double outer, double inner) { return {.outer = {outer, outer, 0.0}, .inner = {inner, inner, 0.0}}; }

DrawnOutline circle(double radius) { return tube(radius, 0.0); }

DrawnOutline rectangle(double width, double height) {
  return {.has_corners = true, .outer = {0.5 * width, 0.5 * height, 0.0}};
}

DrawnOutline box(double width, double height, double wall) {
  DrawnOutline result = rectangle(width, height);
  result.inner = result.outer - Vec3(wall, wall, 0.0);
  return result;
}

/// Two sections of a beam along z, 3 m apart.
std::vector<BeamStation> straight_stations() {
  std::vector<BeamStation> stations(2);
  stations[1].x = {0.0, 0.0, 3.0};
  return stations;
}

vtkSmartPointer<vtkUnstructuredGrid> drawn_beam(const DrawnOutline& outline) {
  TemporaryDirectory tmp;
  const std::vector<ParaviewBeam> beams{{"shaft", {{0.0, outline}}, {0.0, 1.0}}};
  ParaviewWriter(tmp.path(), {}, {}, beams).frame(0.0, {}, {}, straight_stations());
  return read_vtu(tmp / "paraview/beams_000000.vtu");
}

void expect_bounds(vtkUnstructuredGrid* grid, const std::array<double, 6>& expected) {
  for (int i = 0; i < 6; ++i) EXPECT_NEAR(grid->GetBounds()[i], expected[i], rounding) << i;
}

const double sixteen_gon = 8.0 * std::sin(std::numbers::pi / 8.0);  // area, for the radius 1

/// The volume inside a closed surface whose polygons are seen from outside (divergence theorem): negative or
/// wrong if one of them is turned or missing.
double volume(const SweptSurface& surface, const std::vector<double>& z_of_station) {
  std::vector<double> z;
  for (std::size_t s = 0; s < z_of_station.size(); ++s) z.insert(z.end(), surface.station_points[s], z_of_station[s]);
  const auto point = [&](int k) { return Vec3(surface.points[k] + z[k] * Vec3::UnitZ()); };
  double sum = 0.0;
  const int* corner = surface.corners.data();
  for (const int n : surface.corner_numbers) {
    for (int k = 1; k + 1 < n; ++k) sum += point(corner[0]).dot(point(corner[k]).cross(point(corner[k + 1]))) / 6.0;
    corner += n;
  }
  return sum;
}

// Protects: the surface of each kind of section has its true size and the points and polygons it should have.
TEST(BeamPicture, swept_surfaces_have_their_size) {
  const auto with_rectangle = drawn_beam(rectangle(0.4, 0.1));
  expect_bounds(with_rectangle, {-0.2, 0.2, -0.05, 0.05, 0.0, 3.0});
  EXPECT_EQ(with_rectangle->GetNumberOfPoints(), 2 * 4);
  EXPECT_EQ(with_rectangle->GetNumberOfCells(), 4 + 2);
  const auto with_circle = drawn_beam(circle(0.2));
  expect_bounds(with_circle, {-0.2, 0.2, -0.2, 0.2, 0.0, 3.0});
  EXPECT_EQ(with_circle->GetNumberOfPoints(), 2 * 16);
  EXPECT_EQ(with_circle->GetNumberOfCells(), 16 + 2);
  const auto with_tube = drawn_beam(tube(0.2, 0.15));
  expect_bounds(with_tube, {-0.2, 0.2, -0.2, 0.2, 0.0, 3.0});
  EXPECT_EQ(with_tube->GetNumberOfPoints(), 2 * 2 * 16);
  EXPECT_EQ(with_tube->GetNumberOfCells(), 4 * 16);
}

// Protects: the surfaces are closed and all their polygons are seen from outside; tubes and boxes are hollow.
TEST(BeamPicture, swept_surfaces_are_closed) {
  const std::vector<double> z = {0.0, 0.25, 1.0};
  const auto swept = [&](const DrawnOutline& outline) {
    return volume(swept_surface(std::vector<PlacedOutline>{{0.0, outline}}, z), z);
  };
  EXPECT_NEAR(swept(rectangle(0.4, 0.1)), 0.4 * 0.1, rounding);
  EXPECT_NEAR(swept(circle(0.2)), sixteen_gon * 0.04, rounding);
  EXPECT_NEAR(swept(tube(0.2, 0.15)), sixteen_gon * (0.04 - 0.0225), rounding);
  EXPECT_NEAR(swept(box(0.4, 0.1, 0.02)), 0.4 * 0.1 - 0.36 * 0.06, rounding);
}

// Protects: radii are linear between the places where they are given, the inner one too.
TEST(BeamPicture, tapered_tube_has_its_radius_at_each_station) {
  const std::vector<PlacedOutline> outlines = {{0.0, tube(0.2, 0.1)}, {0.4, tube(0.1, 0.08)}, {1.0, tube(0.4, 0.2)}};
  const std::vector<double> stations = {0.0, 0.1, 0.4, 0.7, 1.0};
  const std::vector<double> outer = {0.2, 0.175, 0.1, 0.25, 0.4}, inner = {0.1, 0.095, 0.08, 0.14, 0.2};
  const SweptSurface surface = swept_surface(outlines, stations);
  ASSERT_EQ(surface.station_points, std::vector<int>(5, 32));
  for (std::size_t k = 0; k < surface.points.size(); ++k) {
    const double radius = k % 32 < 16 ? outer[k / 32] : inner[k / 32];
    EXPECT_NEAR(surface.points[k].norm(), radius, rounding) << k;
  }
}

// Protects: a box keeps four corners outside and inside, with its width, height and wall linear in between.
TEST(BeamPicture, tapered_box_has_its_corners_at_each_station) {
  const std::vector<PlacedOutline> outlines = {{0.0, box(0.4, 0.2, 0.02)}, {1.0, box(0.2, 0.1, 0.01)}};
  const SweptSurface surface = swept_surface(outlines, std::vector{0.0, 0.25, 1.0});
  ASSERT_EQ(surface.station_points, std::vector<int>(3, 8));
  const double a = 0.35 / 2.0, b = 0.175 / 2.0, wall = 0.0175;  // at the second station
  const std::vector<Vec3> corners = {{a, b, 0.0}, {-a, b, 0.0}, {-a, -b, 0.0}, {a, -b, 0.0}};
  for (int k = 0; k < 4; ++k) {
    EXPECT_NEAR((surface.points[8 + k] - corners[k]).norm(), 0.0, rounding) << k;
    EXPECT_NEAR(surface.points[12 + k].x(), corners[k].x() * (1.0 - wall / a), rounding) << k;
    EXPECT_NEAR(surface.points[12 + k].y(), corners[k].y() * (1.0 - wall / b), rounding) << k;
  }
}

// Protects: tapered surfaces are closed; a hole in a full section begins as a point.
TEST(BeamPicture, tapered_surfaces_are_closed) {
  const std::vector<double> z = {0.0, 0.5, 1.0};
  const auto swept = [&](const DrawnOutline& start, const DrawnOutline& end) {
    return volume(swept_surface(std::vector<PlacedOutline>{{0.0, start}, {1.0, end}}, z), z);
  };
  const auto cone = [](double r, double R) { return sixteen_gon * (r * r + r * R + R * R) / 3.0; };
  EXPECT_NEAR(swept(circle(0.2), circle(0.1)), cone(0.2, 0.1), rounding);
  EXPECT_NEAR(swept(tube(0.2, 0.1), tube(0.1, 0.08)), cone(0.2, 0.1) - cone(0.1, 0.08), rounding);
  EXPECT_NEAR(swept(circle(0.2), tube(0.2, 0.1)), cone(0.2, 0.2) - cone(0.0, 0.1), rounding);
}

// Protects: where the section changes suddenly, its station has both outlines with a step between them: also one where
// a hole begins.
TEST(BeamPicture, sudden_change_is_a_step) {
  const std::vector<PlacedOutline> outlines = {
      {0.0, circle(0.2)}, {0.4, circle(0.2)}, {0.4, tube(0.3, 0.1)}, {1.0, tube(0.3, 0.1)}};
  const double beside = 0.4 + rounding;  // as stations are that are sums of lengths of elements
  for (const double step : {0.4, beside}) {
    const std::vector<double> z = {0.0, 0.2, step, 1.0};
    const SweptSurface surface = swept_surface(outlines, z);
    EXPECT_EQ(surface.station_points, (std::vector<int>{32, 32, 64, 32}));
    EXPECT_NEAR(surface.points[2 * 32].norm(), 0.2, rounding);
    EXPECT_NEAR(surface.points[3 * 32].norm(), 0.3, rounding);
    EXPECT_NEAR(volume(surface, z), sixteen_gon * (0.04 * 0.4 + (0.09 - 0.01) * 0.6), rounding);
    const std::size_t outer = 4 * 16, hole = 2 * 16, ends = 2 * 16;
    EXPECT_EQ(surface.corner_numbers.size(), outer + hole + ends);  // nothing where the section is full
  }
}

// Protects: a circle becomes a rectangle with all its corners, each point on a straight way.
TEST(BeamPicture, circle_becomes_rectangle) {
  const std::vector<PlacedOutline> outlines = {{0.0, circle(0.2)}, {1.0, rectangle(0.4, 0.1)}};
  const SweptSurface surface = swept_surface(outlines, std::vector{0.0, 0.5, 1.0});
  ASSERT_EQ(surface.station_points, std::vector<int>(3, 16));
  int n_corners = 0;
  for (int k = 0; k < 16; ++k) {
    const Vec3 &start = surface.points[k], &middle = surface.points[16 + k], &end = surface.points[32 + k];
    EXPECT_NEAR(start.norm(), 0.2, rounding);
    EXPECT_NEAR((middle - 0.5 * (start + end)).norm(), 0.0, rounding);
    const double x = std::abs(end.x()) / 0.2, y = std::abs(end.y()) / 0.05;
    EXPECT_NEAR(std::max(x, y), 1.0, rounding);
    if (std::min(x, y) > 1.0 - rounding) ++n_corners;
  }
  EXPECT_EQ(n_corners, 4);
}

// Protects: a section known by its stiffness is drawn as the circle that has this stiffness.
TEST(BeamPicture, section_without_outline_is_an_equivalent_circle) {
  SectionSpec section;
  const double r = 0.03, E = 2e11, A = std::numbers::pi * r * r, I = A * r * r / 4.0;
  section.stiffness.diagonal() << 1.0, 1.0, E * A, E * I, E * I, 1.0;
  const DrawnOutline drawn = drawn_outline(section);
  EXPECT_FALSE(drawn.has_corners || drawn.is_hollow());
  EXPECT_NEAR(drawn.radius(), r, rounding);
}

// Protects: a beam of the model file is drawn with the sections that it has along it, turned by its pre-twist.
TEST(BeamPicture, sections_of_a_model_vary_along_its_beam) {
  const ModelSpec spec = read_model_text(
      "freeplay: 1\n"
      "sections:\n"
      "  wide: {material: {E: 1e9, G: 4e8, density: 1e3}, rectangle: {width: 0.4, height: 0.2}}\n"
      "  slim: {material: {E: 1e9, G: 4e8, density: 1e3}, rectangle: {width: 0.2, height: 0.1}}\n"
      "bodies:\n"
      "  b: {beam: {section: [{at: 0, section: wide}, {at: 0.3, section: slim}, {at: 0.3, section: wide}, "
      "{at: 1, section: slim}], from: [0, 0, 0], to: [2, 0, 0], twist: 90 deg, "
      "fix: {start: [x, y, z, rx, ry, rz]}}}\n"
      "analysis: {static: {}}\n",
      "test.yaml");
  const Assembled assembled = assemble(spec);
  TemporaryDirectory tmp;
  ModelPictures(spec, assembled, tmp.path()).frame(0.0, assembled.state, {});
  const auto surface = read_vtu(tmp / "paraview/beams_000000.vtu");
  const auto curve = read_vtu(tmp / "paraview/curves_000000.vtu");
  const vtkIdType n_stations = 5 * 20 + 1, step = 2 * 20;  // four elements, one of them divided at 0.3
  ASSERT_EQ(curve->GetNumberOfPoints(), n_stations);
  ASSERT_EQ(surface->GetNumberOfPoints(), 4 * (n_stations + 1));
  for (vtkIdType ring = 0; ring <= n_stations; ++ring) {
    const vtkIdType station = ring <= step ? ring : ring - 1;
    const Vec3 x(curve->GetPoint(station));
    const double s = x.x() / 2.0;
    const double size = ring <= step ? 1.0 - 0.5 * s / 0.3 : 1.0 - 0.5 * (s - 0.3) / 0.7;
    for (vtkIdType k = 0; k < 4; ++k) {
      const Vec3 arm = Vec3(surface->GetPoint(4 * ring + k)) - x;
      EXPECT_NEAR(std::abs(arm.dot(tuple(curve, "axis1", station))), 0.2 * size, rounding) << s;
      EXPECT_NEAR(std::abs(arm.dot(tuple(curve, "axis2", station))), 0.1 * size, rounding) << s;
    }
  }
}

/// A cantilever bent by a moment to 2 rad, and a rigid body beside it.
class BentBeam : public testing::Test {
 protected:
  BentBeam()
      : spec_(read_model_text("freeplay: 1\n"
                              "sections:\n"
                              "  s: {stiffness: {axial: 1e3, shear: 5e2, bending: 1, torsion: 0.8}, mass: 1, "
                              "rotary: [0.01, 0.01, 0.02]}\n"
                              "bodies:\n"
                              "  ball: {rigid: {mass: 1, inertia: 1, fix: [x, y, z, rx, ry, rz]}}\n"
                              "  b: {beam: {section: s, from: [0, 0, 0], to: [1, 0, 0], degree: 4, "
                              "fix: {start: [x, y, z, rx, ry, rz]}}}\n"
                              "loads: {M: {torque: {on: b.end, value: [0, 0, 2]}}}\n"
                              "analysis: {static: {}}\n",
                              "test.yaml")),
        run_(spec_) {
    run_.run();
  }
  void draw(ModelPictures& pictures, double time) {
    State state = time == 0.0 ? run_.assembled().state : run_.last().state;
    state.time = time;
    pictures.frame(state.time, state, run_.last().multipliers);
  }

  ModelSpec spec_;
  AnalysisRun run_;
  TemporaryDirectory tmp_;
};

// Protects: the curve follows the polynomials of the elements, with triads, section forces and the motion.
TEST_F(BentBeam, curve_is_an_arc_with_its_data) {
  ModelPictures pictures(spec_, run_.assembled(), tmp_.path());
  draw(pictures, 0.0);
  draw(pictures, 1.0);
  const auto curve = read_vtu(tmp_ / "paraview/curves_000001.vtu");
  ASSERT_EQ(curve->GetNumberOfPoints(), 97);
  ASSERT_EQ(curve->GetNumberOfCells(), 1);
  EXPECT_EQ(curve->GetCellType(0), VTK_POLY_LINE);
  EXPECT_EQ(curve->GetCellData()->GetArray("body")->GetTuple1(0), 1.0);
  auto* names = vtkStringArray::SafeDownCast(curve->GetFieldData()->GetAbstractArray("body_names"));
  ASSERT_EQ(names->GetNumberOfValues(), 2);
  EXPECT_EQ(names->GetValue(1), "b");
  constexpr double position = 1e-5;  // of four elements of degree 4 between their nodes
  constexpr double strains = 2e-4;   // these converge with a lower order
  for (vtkIdType k = 0; k < 97; ++k) {
    const double s = static_cast<double>(k) / 96.0;
    const Vec3 x(std::sin(2.0 * s) / 2.0, (1.0 - std::cos(2.0 * s)) / 2.0, 0.0);
    EXPECT_LT((Vec3(curve->GetPoint(k)) - x).norm(), position) << s;
    EXPECT_LT((tuple(curve, "displacement", k) - (x - Vec3(s, 0.0, 0.0))).norm(), position);
    EXPECT_LT((tuple(curve, "axis3", k) - Vec3(std::cos(2.0 * s), std::sin(2.0 * s), 0.0)).norm(), strains);
    EXPECT_NEAR(tuple(curve, "axis1", k).dot(tuple(curve, "axis3", k)), 0.0, rounding);
    EXPECT_NEAR(tuple(curve, "axis2", k).norm(), 1.0, rounding);
    EXPECT_LT((tuple(curve, "section_moment", k) - Vec3(0.0, 2.0, 0.0)).norm(), strains);
    EXPECT_LT((tuple(curve, "curvature", k) - Vec3(0.0, 2.0, 0.0)).norm(), strains);
    EXPECT_LT(tuple(curve, "section_force", k).norm(), 1e3 * strains);  // the stiffest strain has 1e3 N
    EXPECT_LT(tuple(curve, "strain", k).norm(), strains);
    EXPECT_LT(tuple(curve, "velocity", k).norm(), rounding);
  }
}

// Protects: all parts are listed and readable, and the surface lies around the curve with the same data.
TEST_F(BentBeam, surface_goes_with_the_curve) {
  ModelPictures pictures(spec_, run_.assembled(), tmp_.path());
  draw(pictures, 1.0);
  boost::property_tree::ptree tree;
  boost::property_tree::read_xml((tmp_ / "model.pvd").string(), tree);
  std::vector<std::string> parts;
  for (const auto& [name, item] : tree.get_child("VTKFile.Collection"))
    if (name == "DataSet") parts.push_back(item.get<std::string>("<xmlattr>.name"));
  EXPECT_EQ(parts, (std::vector<std::string>{"bodies", "beams", "curves"}));
  const auto surface = read_vtu(tmp_ / "paraview/beams_000000.vtu");
  const auto curve = read_vtu(tmp_ / "paraview/curves_000000.vtu");
  ASSERT_EQ(surface->GetNumberOfPoints(), 97 * 16);
  const double radius = 2.0 * std::sqrt(1.0 / 1e3);
  for (vtkIdType k = 0; k < surface->GetNumberOfPoints(); ++k) {
    const Vec3 arm = Vec3(surface->GetPoint(k)) - Vec3(curve->GetPoint(k / 16));
    EXPECT_NEAR(arm.norm(), radius, rounding);
    EXPECT_NEAR(arm.dot(tuple(curve, "axis3", k / 16)), 0.0, rounding);
    for (const char* name : {"section_force", "section_moment", "strain", "curvature"})
      EXPECT_EQ(tuple(surface, name, k), tuple(curve, name, k / 16)) << name;
  }
  EXPECT_EQ(surface->GetCellData()->GetArray("body")->GetTuple1(0), 1.0);
}

// Protects: the displacement of beams in a continued run counts from the first frame of all.
TEST_F(BentBeam, continued_series_keeps_the_first_frame) {
  {
    ModelPictures pictures(spec_, run_.assembled(), tmp_.path());
    draw(pictures, 0.0);
  }
  ModelPictures pictures(spec_, run_.assembled(), tmp_.path(), 0.0);
  draw(pictures, 1.0);
  const auto curve = read_vtu(tmp_ / "paraview/curves_000001.vtu");
  EXPECT_LT((tuple(curve, "displacement", 96) - (Vec3(curve->GetPoint(96)) - Vec3::UnitX())).norm(), rounding);
}

}  // namespace
}  // namespace freeplay
