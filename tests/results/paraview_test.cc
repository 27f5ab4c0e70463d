#include <gtest/gtest.h>
#include <vtkCellData.h>
#include <vtkDataArray.h>
#include <vtkFieldData.h>
#include <vtkNew.h>
#include <vtkPointData.h>
#include <vtkStringArray.h>
#include <vtkUnstructuredGrid.h>
#include <vtkXMLUnstructuredGridReader.h>

#include <Eigen/Geometry>
#include <array>
#include <boost/property_tree/ptree.hpp>
#include <boost/property_tree/xml_parser.hpp>
#include <numbers>
#include <sstream>

#include "base/file_testing.h"
#include "freeplay/base/diagnostics.h"
#include "freeplay/results/paraview_writer.h"
#include "freeplay/results/pvd_series.h"
#include "results/file_size_limit.h"
#include "results/killed_process.h"

namespace freeplay {
namespace {

namespace fs = std::filesystem;

// Points are sums of a few doubles of size one.
constexpr double rounding = 1e-14;

struct Entry {
  double time;
  int part;
  fs::path file;
};

std::vector<Entry> read_pvd(const fs::path& path) {
  boost::property_tree::ptree tree;
  boost::property_tree::read_xml(path.string(), tree);
  std::vector<Entry> entries;
  for (const auto& [name, item] : tree.get_child("VTKFile.Collection"))
    if (name == "DataSet")
      entries.push_back({item.get<double>("<xmlattr>.timestep"), item.get<int>("<xmlattr>.part"),
                         path.parent_path() / item.get<std::string>("<xmlattr>.file")});
  return entries;
}

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

Vec3 point(vtkUnstructuredGrid* grid, vtkIdType i) { return Vec3(grid->GetPoint(i)); }

void expect_bounds(vtkUnstructuredGrid* grid, const std::array<double, 6>& expected) {
  for (int i = 0; i < 6; ++i) EXPECT_NEAR(grid->GetBounds()[i], expected[i], rounding) << i;
}

ParaviewBody box(const Vec3& size, const Vec3& centre = Vec3::Zero()) {
  ParaviewBody body;
  body.name = "box";
  body.centre = centre;
  body.shape.kind = ShapeSpec::Kind::box;
  body.shape.size = size;
  return body;
}

BodyPose at(const Vec3& x) {
  BodyPose pose;
  pose.x = x;
  return pose;
}

BodyPose quarter_turn_about_z(const Vec3& x) {
  BodyPose pose = at(x);
  pose.R = Eigen::AngleAxisd(std::numbers::pi / 2, Vec3::UnitZ()).toRotationMatrix();
  return pose;
}

// Writes one frame of bodies alone and reads it back.
vtkSmartPointer<vtkUnstructuredGrid> drawn(const std::vector<ParaviewBody>& bodies,
                                           const std::vector<BodyPose>& poses) {
  TemporaryDirectory tmp;
  ParaviewWriter(tmp.path(), bodies, {}).frame(0.0, poses, {});
  return read_vtu(read_pvd(tmp / "model.pvd").at(0).file);
}

// Protects: a body turned by 90 degrees is drawn turned, about its origin and not about its centre of mass.
TEST(ParaviewWriter, box_turned_by_a_quarter_has_the_right_bounds) {
  const auto grid = drawn({box({4.0, 2.0, 1.0}, {2.0, 0.0, 0.0})}, {quarter_turn_about_z({10.0, 0.0, 0.0})});
  expect_bounds(grid, {9.0, 11.0, 0.0, 4.0, -0.5, 0.5});
}

// Protects: spheres and cylinders have the size the user gave.
TEST(ParaviewWriter, sphere_and_cylinder_have_their_size) {
  ParaviewBody sphere;
  sphere.shape.kind = ShapeSpec::Kind::sphere;
  sphere.shape.radius = 0.5;
  sphere.centre = {1.0, 0.0, 0.0};
  expect_bounds(drawn({sphere}, {at({0.0, 0.0, 3.0})}), {0.5, 1.5, -0.5, 0.5, 2.5, 3.5});

  ParaviewBody cylinder;
  cylinder.shape.kind = ShapeSpec::Kind::cylinder;
  cylinder.shape.radius = 0.25;
  cylinder.shape.from = {1.0, 1.0, -1.0};
  cylinder.shape.to = {1.0, 1.0, 3.0};
  expect_bounds(drawn({cylinder}, {BodyPose()}), {0.75, 1.25, 0.75, 1.25, -1.0, 3.0});
}

// Protects: an automatic shape reaches from the centre of mass to every point, and a body without points is visible.
TEST(ParaviewWriter, automatic_shapes_show_points_and_bare_bodies) {
  ParaviewBody rod;
  rod.points = {{0.0, 0.0, 0.0}, {2.0, 0.0, 0.0}};
  rod.centre = {1.0, 0.0, 0.0};
  const auto grid = drawn({rod}, {BodyPose()});
  EXPECT_NEAR(grid->GetBounds()[0], 0.0, rounding);
  EXPECT_NEAR(grid->GetBounds()[1], 2.0, rounding);
  EXPECT_LT(grid->GetBounds()[3], 0.1);

  ParaviewBody bare;
  EXPECT_GT(drawn({bare}, {BodyPose()})->GetBounds()[1], 0.0);
  bare.size_hint = 0.75;
  EXPECT_NEAR(drawn({bare}, {BodyPose()})->GetBounds()[1], 0.75, rounding);
}

// Protects: a shape without extent is an error that names the body.
TEST(ParaviewWriter, shape_without_extent_is_an_error) {
  const std::string message = message_of<InputError>([] { body_surface(box({1.0, 0.0, 1.0}), 1.0); });
  EXPECT_TRUE(contains(message, "bodies.box.shape"));
}

// Protects: velocity is that of the material point, displacement counts from the first frame, bodies can be told apart.
TEST(ParaviewWriter, data_of_bodies_are_right) {
  TemporaryDirectory tmp;
  ParaviewWriter writer(tmp.path(), std::vector{box({1.0, 1.0, 1.0}), box({2.0, 2.0, 2.0})}, {});
  BodyPose moving = quarter_turn_about_z({5.0, 0.0, 0.0});
  moving.velocity = {1.0, 0.0, 0.0};
  moving.angular_velocity = {0.0, 0.0, 2.0};
  writer.frame(0.0, std::vector{BodyPose(), BodyPose()}, {});
  writer.frame(0.1, std::vector{BodyPose(), moving}, {});

  const auto first = read_vtu(tmp / "paraview/bodies_000000.vtu");
  const auto second = read_vtu(tmp / "paraview/bodies_000001.vtu");
  const vtkIdType n = second->GetNumberOfPoints();
  for (vtkIdType i = 0; i < n; ++i) {
    const Vec3 arm = point(second, i) - moving.x;
    const Vec3 velocity = i < n / 2 ? Vec3(0.0, 0.0, 0.0) : Vec3(1.0 - 2.0 * arm.y(), 2.0 * arm.x(), 0.0);
    EXPECT_LT((tuple(second, "velocity", i) - velocity).norm(), rounding);
    EXPECT_LT((tuple(second, "displacement", i) - (point(second, i) - point(first, i))).norm(), rounding);
  }
  EXPECT_EQ(second->GetCellData()->GetArray("body")->GetTuple1(0), 0.0);
  EXPECT_EQ(second->GetCellData()->GetArray("body")->GetTuple1(second->GetNumberOfCells() - 1), 1.0);
  auto* names = vtkStringArray::SafeDownCast(second->GetFieldData()->GetAbstractArray("body_names"));
  ASSERT_NE(names, nullptr);
  EXPECT_EQ(names->GetValue(1), "box");
}

// Protects: joints are the second part, with force, moment and number.
TEST(ParaviewWriter, joints_are_part_one_with_their_forces) {
  TemporaryDirectory tmp;
  ParaviewWriter writer(tmp.path(), std::vector{box({1.0, 1.0, 1.0})}, std::vector<ParaviewJoint>{{"A"}, {"B"}});
  writer.frame(0.25, std::vector{BodyPose()},
               std::vector<JointPoint>{{}, {{1.0, 2.0, 3.0}, {4.0, 5.0, 6.0}, {7.0, 8.0, 9.0}}});
  const std::vector<Entry> entries = read_pvd(tmp / "model.pvd");
  ASSERT_EQ(entries.size(), 2u);
  EXPECT_EQ(entries[1].time, 0.25);
  EXPECT_EQ(entries[1].part, 1);
  const auto grid = read_vtu(entries[1].file);
  ASSERT_EQ(grid->GetNumberOfCells(), 2);
  EXPECT_EQ(point(grid, 1), Vec3(1.0, 2.0, 3.0));
  EXPECT_EQ(tuple(grid, "force", 1), Vec3(4.0, 5.0, 6.0));
  EXPECT_EQ(tuple(grid, "moment", 1), Vec3(7.0, 8.0, 9.0));
  EXPECT_EQ(grid->GetPointData()->GetArray("joint")->GetTuple1(1), 1.0);
}

// Protects: a model without joints lists only what exists, and a series without frames is readable.
TEST(ParaviewWriter, empty_parts_are_left_out) {
  TemporaryDirectory tmp;
  ParaviewWriter writer(tmp.path(), std::vector{box({1.0, 1.0, 1.0})}, {});
  EXPECT_TRUE(read_pvd(tmp / "model.pvd").empty());
  writer.frame(0.0, std::vector{BodyPose()}, {});
  EXPECT_EQ(read_pvd(tmp / "model.pvd").size(), 1u);
  EXPECT_FALSE(fs::exists(tmp / "paraview/joints_000000.vtu"));
  EXPECT_THROW(writer.frame(0.0, {}, {}), std::logic_error);
}

// Protects: a run killed at any moment leaves a series of which every listed file can be read.
TEST(ParaviewWriter, killed_run_leaves_a_readable_series) {
  for (int i = 0; i < 8; ++i) {
    TemporaryDirectory tmp;
    const auto write_without_end = [&](auto started) {
      ParaviewWriter writer(tmp.path(), std::vector{box({1.0, 1.0, 1.0})}, std::vector<ParaviewJoint>{{"A"}});
      for (int n = 0;; ++n) {
        writer.frame(n * 0.1, std::vector{at({n * 1.0, 0.0, 0.0})}, std::vector{JointPoint()});
        if (n == 30) started();
      }
    };
    ASSERT_TRUE(run_and_kill(write_without_end, std::chrono::microseconds(1733 * i)));
    const std::vector<Entry> entries = read_pvd(tmp / "model.pvd");
    ASSERT_GE(entries.size(), 62u);
    for (std::size_t j = 0; j < entries.size(); ++j) {
      EXPECT_EQ(entries[j].part, static_cast<int>(j % 2));
      const auto grid = read_vtu(entries[j].file);
      ASSERT_EQ(grid->GetNumberOfPoints(), j % 2 == 0 ? 24 : 1);
      if (j % 2 == 0) {
        EXPECT_NEAR(tuple(grid, "displacement", 0).x(), 10.0 * entries[j].time, 1e-10);
      }
    }
  }
}

// Protects: a continued run drops later frames with their files and keeps counting displacement from the first frame.
TEST(ParaviewWriter, continuing_drops_later_frames_and_keeps_the_reference) {
  TemporaryDirectory tmp;
  const std::vector bodies{box({1.0, 1.0, 1.0})};
  {
    ParaviewWriter writer(tmp.path(), bodies, {});
    for (int n = 0; n < 5; ++n) writer.frame(n * 0.1, std::vector{at({n * 1.0, 0.0, 0.0})}, {});
  }
  write_file(tmp / "paraview/bodies_000005.vtu.tmp", "half a file");
  ParaviewWriter writer = ParaviewWriter::resume_at(0.2, tmp.path(), bodies, {});
  EXPECT_EQ(read_pvd(tmp / "model.pvd").size(), 3u);
  EXPECT_FALSE(fs::exists(tmp / "paraview/bodies_000003.vtu"));
  EXPECT_FALSE(fs::exists(tmp / "paraview/bodies_000005.vtu.tmp"));
  writer.frame(0.25, std::vector{at({7.0, 0.0, 0.0})}, {});
  const std::vector<Entry> entries = read_pvd(tmp / "model.pvd");
  ASSERT_EQ(entries.size(), 4u);
  EXPECT_EQ(entries[3].time, 0.25);
  EXPECT_EQ(entries[3].file.filename(), "bodies_000003.vtu");
  EXPECT_NEAR(tuple(read_vtu(entries[3].file), "displacement", 0).x(), 7.0, rounding);
}

// Protects: continuing with other bodies, or without the files, is refused with a message.
TEST(ParaviewWriter, continuing_refuses_other_bodies) {
  TemporaryDirectory tmp;
  const std::vector bodies{box({1.0, 1.0, 1.0})};
  const auto error = [&](const std::vector<ParaviewBody>& of) {
    return message_of<InputError>([&] { ParaviewWriter::resume_at(0.0, tmp.path(), of, {}); });
  };
  EXPECT_TRUE(contains(error(bodies), "model.pvd' cannot be read: No such file"));
  ParaviewWriter(tmp.path(), bodies, {}).frame(0.0, std::vector{BodyPose()}, {});
  EXPECT_TRUE(contains(error({bodies[0], bodies[0]}), "is not of these bodies"));
  fs::remove(tmp / "paraview/bodies_000000.vtu");
  EXPECT_TRUE(contains(error(bodies), "bodies_000000.vtu' is missing"));
}

// Protects: a file that cannot be written is an error, and the series stays as it was.
TEST(ParaviewWriter, unwritable_folder_is_an_error_and_leaves_the_series) {
  TemporaryDirectory tmp;
  ParaviewWriter writer(tmp.path(), std::vector{box({1.0, 1.0, 1.0})}, {});
  writer.frame(0.0, std::vector{BodyPose()}, {});
  fs::rename(tmp / "paraview", tmp / "moved");
  const auto frame = [&] { writer.frame(0.1, std::vector{BodyPose()}, {}); };
  EXPECT_TRUE(contains(message_of<std::runtime_error>(frame), "bodies_000001.vtu"));
  EXPECT_EQ(read_pvd(tmp / "model.pvd").size(), 1u);
}

// Protects: the list is right in place and across pages, and names are escaped.
TEST(PvdSeries, long_series_is_complete_after_every_frame) {
  TemporaryDirectory tmp;
  PvdSeries series(tmp / "model.pvd");
  for (int n = 0; n < 200; ++n) {
    const std::string file = "a&b/" + std::to_string(n) + ".vtu";
    series.add(n / 3.0, std::array<PvdSeries::Part, 1>{{{0, "<\"&>", file}}});
    const std::vector<Entry> entries = read_pvd(tmp / "model.pvd");
    ASSERT_EQ(entries.size(), n + 1u);
    EXPECT_EQ(entries.back().time, n / 3.0);
    EXPECT_EQ(entries.back().file.filename(), std::to_string(n) + ".vtu");
  }
}

// Protects: a full disk stops the run with an error, but the list of what is there stays readable and can grow again.
TEST(PvdSeries, failed_write_leaves_the_list_as_it_was) {
  TemporaryDirectory tmp;
  PvdSeries series(tmp / "model.pvd");
  const std::array<PvdSeries::Part, 1> parts{{{0, "bodies", "a.vtu"}}};
  series.add(0.0, parts);
  const std::string before = file_text(tmp / "model.pvd");
  {
    const FileSizeLimit limit(before.size() + 10);
    EXPECT_TRUE(contains(message_of<std::runtime_error>([&] { series.add(1.0, parts); }), "model.pvd"));
  }
  EXPECT_EQ(file_text(tmp / "model.pvd"), before);
  series.add(2.0, parts);
  const std::vector<Entry> entries = read_pvd(tmp / "model.pvd");
  ASSERT_EQ(entries.size(), 2u);
  EXPECT_EQ(entries[1].time, 2.0);
}

// Protects: a file that is not a series of ours is not overwritten when continuing.
TEST(PvdSeries, continuing_refuses_foreign_files) {
  TemporaryDirectory tmp;
  write_file(tmp / "model.pvd", "<VTKFile/>");
  EXPECT_TRUE(contains(message_of<InputError>([&] { PvdSeries::resume_at(1.0, tmp / "model.pvd"); }), "not a series"));
  EXPECT_EQ(file_text(tmp / "model.pvd"), "<VTKFile/>");
}

}  // namespace
}  // namespace freeplay
