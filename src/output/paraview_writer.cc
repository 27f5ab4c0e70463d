#include "freeplay/output/paraview_writer.h"

#include <vtkCellData.h>
#include <vtkDoubleArray.h>
#include <vtkFieldData.h>
#include <vtkIntArray.h>
#include <vtkNew.h>
#include <vtkPointData.h>
#include <vtkPoints.h>
#include <vtkSmartPointer.h>
#include <vtkStringArray.h>
#include <vtkUnstructuredGrid.h>
#include <vtkXMLUnstructuredGridReader.h>
#include <vtkXMLUnstructuredGridWriter.h>

#include <array>
#include <cstdio>
#include <optional>
#include <stdexcept>

#include "freeplay/output/continued_file.h"
#include "freeplay/output/output_file.h"
#include "freeplay/output/pvd_series.h"

namespace freeplay {

namespace fs = std::filesystem;

namespace {

constexpr const char* folder = "paraview";
constexpr std::array<const char*, 2> part_names = {"bodies", "joints"};

std::string part_file(int part, int frame) {
  char name[64];
  std::snprintf(name, sizeof name, "%s/%s_%06d.vtu", folder, part_names[part], frame);
  return name;
}

// Three numbers per point, allocated for good and known to the grid under `name`.
vtkSmartPointer<vtkDoubleArray> vector_data(vtkUnstructuredGrid* grid, const char* name, vtkIdType n_points) {
  auto array = vtkSmartPointer<vtkDoubleArray>::New();
  array->SetName(name);
  array->SetNumberOfComponents(3);
  array->SetNumberOfTuples(n_points);
  grid->GetPointData()->AddArray(array);
  return array;
}

vtkSmartPointer<vtkDoubleArray> point_coordinates(vtkUnstructuredGrid* grid, vtkIdType n_points) {
  auto array = vtkSmartPointer<vtkDoubleArray>::New();
  array->SetNumberOfComponents(3);
  array->SetNumberOfTuples(n_points);
  vtkNew<vtkPoints> points;
  points->SetDataType(VTK_DOUBLE);
  points->SetData(array);
  grid->SetPoints(points);
  return array;
}

template <class Named>
void add_names(vtkUnstructuredGrid* grid, const char* name, std::span<const Named> items) {
  vtkNew<vtkStringArray> names;
  names->SetName(name);
  for (const Named& item : items) names->InsertNextValue(item.name);
  grid->GetFieldData()->AddArray(names);
}

int polygon_type(int n_corners) { return n_corners == 3 ? VTK_TRIANGLE : n_corners == 4 ? VTK_QUAD : VTK_POLYGON; }

// A view of the numbers of an array as columns of a matrix.
Eigen::Map<Eigen::Matrix3Xd> columns(vtkDoubleArray* array) {
  return {array->GetPointer(0), 3, static_cast<Eigen::Index>(array->GetNumberOfTuples())};
}

// Writes a grid over and over. VTK writes into memory and not into the file, whose errors it would report on the
// terminal and whose half it could leave behind.
class GridFile {
 public:
  GridFile() {
    writer_->SetInputData(grid_);
    writer_->SetDataModeToAppended();
    writer_->EncodeAppendedDataOff();
    writer_->SetCompressorTypeToLZ4();
    writer_->WriteToOutputStringOn();
  }
  vtkUnstructuredGrid* grid() { return grid_; }

  void write(const fs::path& path) {
    if (!writer_->Write()) throw std::runtime_error("cannot write '" + path.string() + "': VTK failed");
    replace_file(path, writer_->GetOutputString());
  }

 private:
  vtkNew<vtkUnstructuredGrid> grid_;
  vtkNew<vtkXMLUnstructuredGridWriter> writer_;
};

class BodyPart {
 public:
  explicit BodyPart(std::span<const ParaviewBody> bodies) {
    const double radius = default_radius(bodies);
    Surface all;
    vtkNew<vtkIntArray> body_numbers;
    body_numbers->SetName("body");
    for (const ParaviewBody& body : bodies) {
      const Surface surface = body_surface(body, radius);
      for (std::size_t i = 0; i < surface.corner_numbers.size(); ++i)
        body_numbers->InsertNextValue(static_cast<int>(first_point_.size()));
      first_point_.push_back(static_cast<Eigen::Index>(all.points.size()));
      all.append(surface);
    }
    first_point_.push_back(static_cast<Eigen::Index>(all.points.size()));
    set_polygons(all);
    file_.grid()->GetCellData()->AddArray(body_numbers);
    add_names(file_.grid(), "body_names", bodies);
  }

  void move(std::span<const BodyPose> poses) {
    auto points = columns(points_), velocity = columns(velocity_);
    for (std::size_t i = 0; i < poses.size(); ++i) {
      const BodyPose& pose = poses[i];
      for (Eigen::Index j = first_point_[i]; j < first_point_[i + 1]; ++j) {
        const Vec3 arm = pose.R * body_axes_.col(j);
        points.col(j) = pose.x + arm;
        velocity.col(j) = pose.velocity + pose.angular_velocity.cross(arm);
      }
    }
    if (!first_frame_) first_frame_ = points;
    columns(displacement_) = points - *first_frame_;
    for (vtkDoubleArray* array : {points_.Get(), velocity_.Get(), displacement_.Get()}) array->Modified();
    file_.grid()->GetPoints()->Modified();
  }

  void write(const fs::path& path) { file_.write(path); }

  // The displacement of a continued run counts from the first frame of all.
  void read_first_frame(const fs::path& path) {
    vtkNew<vtkXMLUnstructuredGridReader> reader;
    reader->SetFileName(path.c_str());
    if (fs::exists(path)) reader->Update();
    vtkPoints* points = fs::exists(path) ? reader->GetOutput()->GetPoints() : nullptr;
    if (!points || points->GetNumberOfPoints() != body_axes_.cols())
      refuse_to_continue(path, "is missing or is not of these bodies");
    first_frame_.emplace(3, body_axes_.cols());
    for (Eigen::Index j = 0; j < body_axes_.cols(); ++j) points->GetPoint(j, first_frame_->col(j).data());
  }

 private:
  void set_polygons(const Surface& surface) {
    const auto n_points = static_cast<vtkIdType>(surface.points.size());
    vtkUnstructuredGrid* grid = file_.grid();
    points_ = point_coordinates(grid, n_points);
    velocity_ = vector_data(grid, "velocity", n_points);
    displacement_ = vector_data(grid, "displacement", n_points);
    body_axes_.resize(3, n_points);
    for (Eigen::Index j = 0; j < n_points; ++j) body_axes_.col(j) = surface.points[j];

    const int* corner = surface.corners.data();
    std::vector<vtkIdType> corners;
    for (const int n : surface.corner_numbers) {
      corners.assign(corner, corner + n);
      grid->InsertNextCell(polygon_type(n), n, corners.data());
      corner += n;
    }
  }

  GridFile file_;
  vtkSmartPointer<vtkDoubleArray> points_, velocity_, displacement_;
  Eigen::Matrix3Xd body_axes_;
  std::vector<Eigen::Index> first_point_;  ///< of each body, and the end
  std::optional<Eigen::Matrix3Xd> first_frame_;
};

class JointPart {
 public:
  explicit JointPart(std::span<const ParaviewJoint> joints) {
    const auto n_joints = static_cast<vtkIdType>(joints.size());
    vtkUnstructuredGrid* grid = file_.grid();
    points_ = point_coordinates(grid, n_joints);
    force_ = vector_data(grid, "force", n_joints);
    moment_ = vector_data(grid, "moment", n_joints);
    vtkNew<vtkIntArray> numbers;
    numbers->SetName("joint");
    for (vtkIdType i = 0; i < n_joints; ++i) {
      numbers->InsertNextValue(static_cast<int>(i));
      grid->InsertNextCell(VTK_VERTEX, 1, &i);
    }
    grid->GetPointData()->AddArray(numbers);
    add_names(grid, "joint_names", joints);
  }

  void move(std::span<const JointPoint> joints) {
    for (std::size_t i = 0; i < joints.size(); ++i) {
      columns(points_).col(i) = joints[i].position;
      columns(force_).col(i) = joints[i].force;
      columns(moment_).col(i) = joints[i].moment;
    }
    for (vtkDoubleArray* array : {points_.Get(), force_.Get(), moment_.Get()}) array->Modified();
    file_.grid()->GetPoints()->Modified();
  }

  void write(const fs::path& path) { file_.write(path); }

 private:
  GridFile file_;
  vtkSmartPointer<vtkDoubleArray> points_, force_, moment_;
};

fs::path make_folder(const fs::path& directory) {
  fs::create_directories(directory / folder);
  return directory;
}

// Files of dropped frames, and of a frame that was being written when the run was killed.
void remove_frames_from(int first, const fs::path& directory) {
  for (const fs::directory_entry& entry : fs::directory_iterator(directory / folder)) {
    const std::string name = entry.path().filename().string();
    char part[16];
    int number = 0;
    if (std::sscanf(name.c_str(), "%15[a-z]_%d.vtu", part, &number) == 2 && (number >= first || name.ends_with(".tmp")))
      fs::remove(entry.path());
  }
}

}  // namespace

class ParaviewWriter::Impl {
 public:
  Impl(const fs::path& directory, PvdSeries series, std::span<const ParaviewBody> bodies,
       std::span<const ParaviewJoint> joints)
      : directory_(directory),
        series_(std::move(series)),
        n_bodies_(bodies.size()),
        n_joints_(joints.size()),
        bodies_(bodies),
        joints_(joints) {}

  void continue_series() {
    // First, since it refuses other bodies: then no file may have been removed.
    if (series_.n_frames() > 0 && n_bodies_ > 0) bodies_.read_first_frame(directory_ / part_file(0, 0));
    remove_frames_from(series_.n_frames(), directory_);
  }

  void frame(double time, std::span<const BodyPose> poses, std::span<const JointPoint> joints) {
    if (poses.size() != n_bodies_ || joints.size() != n_joints_)
      throw std::logic_error("ParaviewWriter::frame: one pose per body and one point per joint are needed");
    const std::array<std::string, 2> files = {part_file(0, series_.n_frames()), part_file(1, series_.n_frames())};
    std::array<PvdSeries::Part, 2> parts;
    std::size_t n_parts = 0;
    if (n_bodies_ > 0) {
      bodies_.move(poses);
      bodies_.write(directory_ / files[0]);
      parts[n_parts++] = {0, part_names[0], files[0]};
    }
    if (n_joints_ > 0) {
      joints_.move(joints);
      joints_.write(directory_ / files[1]);
      parts[n_parts++] = {1, part_names[1], files[1]};
    }
    series_.add(time, {parts.data(), n_parts});
  }

 private:
  fs::path directory_;
  PvdSeries series_;
  std::size_t n_bodies_, n_joints_;
  BodyPart bodies_;
  JointPart joints_;
};

ParaviewWriter::ParaviewWriter(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}

ParaviewWriter::ParaviewWriter(const fs::path& directory, std::span<const ParaviewBody> bodies,
                               std::span<const ParaviewJoint> joints)
    : impl_(std::make_unique<Impl>(directory, PvdSeries(make_folder(directory) / "model.pvd"), bodies, joints)) {}

ParaviewWriter ParaviewWriter::resume_at(double time, const fs::path& directory, std::span<const ParaviewBody> bodies,
                                         std::span<const ParaviewJoint> joints) {
  PvdSeries series = PvdSeries::resume_at(time, make_folder(directory) / "model.pvd");
  auto impl = std::make_unique<Impl>(directory, std::move(series), bodies, joints);
  impl->continue_series();
  return ParaviewWriter(std::move(impl));
}

ParaviewWriter::ParaviewWriter(ParaviewWriter&&) noexcept = default;
ParaviewWriter& ParaviewWriter::operator=(ParaviewWriter&&) noexcept = default;
ParaviewWriter::~ParaviewWriter() = default;

void ParaviewWriter::frame(double time, std::span<const BodyPose> poses, std::span<const JointPoint> joints) {
  impl_->frame(time, poses, joints);
}

}  // namespace freeplay
