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
#include "freeplay/output/beam_surface.h"
#include "freeplay/output/model_pictures.h"

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

OutlineSpec outline(OutlineSpec::Kind kind) {
  OutlineSpec result;
  result.kind = kind;
  result.radius = 0.2;
  result.inner_radius = 0.15;
  result.width = 0.4;
  result.height = 0.1;
  return result;
}

/// Two sections of a beam along z, 3 m apart.
std::vector<BeamStation> straight_stations() {
  std::vector<BeamStation> stations(2);
  stations[1].x = {0.0, 0.0, 3.0};
  return stations;
}

vtkSmartPointer<vtkUnstructuredGrid> drawn_beam(OutlineSpec::Kind kind) {
  TemporaryDirectory tmp;
  const std::vector<ParaviewBeam> beams{{"shaft", outline(kind), 2}};
  ParaviewWriter(tmp.path(), {}, {}, beams).frame(0.0, {}, {}, straight_stations());
  return read_vtu(tmp / "paraview/beams_000000.vtu");
}

void expect_bounds(vtkUnstructuredGrid* grid, const std::array<double, 6>& expected) {
  for (int i = 0; i < 6; ++i) EXPECT_NEAR(grid->GetBounds()[i], expected[i], rounding) << i;
}

/// The volume inside a closed surface whose polygons are seen from outside (divergence theorem): negative or
/// wrong if one of them is turned or missing.
double volume(const Surface& surface, const std::vector<double>& z_of_station) {
  const std::size_t per_station = surface.points.size() / z_of_station.size();
  const auto point = [&](int k) {
    return Vec3(surface.points[k] + z_of_station[static_cast<std::size_t>(k) / per_station] * Vec3::UnitZ());
  };
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
  const auto rectangle = drawn_beam(OutlineSpec::Kind::rectangle);
  expect_bounds(rectangle, {-0.2, 0.2, -0.05, 0.05, 0.0, 3.0});
  EXPECT_EQ(rectangle->GetNumberOfPoints(), 2 * 4);
  EXPECT_EQ(rectangle->GetNumberOfCells(), 4 + 2);
  const auto circle = drawn_beam(OutlineSpec::Kind::circle);
  expect_bounds(circle, {-0.2, 0.2, -0.2, 0.2, 0.0, 3.0});
  EXPECT_EQ(circle->GetNumberOfPoints(), 2 * 16);
  EXPECT_EQ(circle->GetNumberOfCells(), 16 + 2);
  const auto tube = drawn_beam(OutlineSpec::Kind::tube);
  expect_bounds(tube, {-0.2, 0.2, -0.2, 0.2, 0.0, 3.0});
  EXPECT_EQ(tube->GetNumberOfPoints(), 2 * 2 * 16);
  EXPECT_EQ(tube->GetNumberOfCells(), 4 * 16);
}

// Protects: the surfaces are closed and all their polygons are seen from outside; a tube is hollow.
TEST(BeamPicture, swept_surfaces_are_closed) {
  const std::vector<double> z = {0.0, 1.0, 3.0};
  const auto swept = [&](OutlineSpec::Kind kind) { return volume(swept_surface(outline(kind), 3), z); };
  const double sixteen_gon = 8.0 * std::sin(std::numbers::pi / 8.0);
  EXPECT_NEAR(swept(OutlineSpec::Kind::rectangle), 0.4 * 0.1 * 3.0, rounding);
  EXPECT_NEAR(swept(OutlineSpec::Kind::circle), sixteen_gon * 0.04 * 3.0, rounding);
  EXPECT_NEAR(swept(OutlineSpec::Kind::tube), sixteen_gon * (0.04 - 0.0225) * 3.0, rounding);
}

// Protects: a section known by its stiffness is drawn as the circle that has this stiffness.
TEST(BeamPicture, section_without_outline_is_an_equivalent_circle) {
  SectionSpec section;
  const double r = 0.03, E = 2e11, A = std::numbers::pi * r * r, I = A * r * r / 4.0;
  section.stiffness.diagonal() << 1.0, 1.0, E * A, E * I, E * I, 1.0;
  const OutlineSpec circle = drawn_outline(section);
  EXPECT_EQ(circle.kind, OutlineSpec::Kind::circle);
  EXPECT_NEAR(circle.radius, r, rounding);
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
