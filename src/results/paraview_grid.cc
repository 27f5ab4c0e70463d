#include "paraview_grid.h"

#include <vtkCellData.h>
#include <vtkFieldData.h>
#include <vtkIntArray.h>
#include <vtkPointData.h>
#include <vtkPoints.h>
#include <vtkStringArray.h>
#include <vtkXMLUnstructuredGridReader.h>

#include <stdexcept>

#include "freeplay/base/output_file.h"
#include "freeplay/results/continued_file.h"

namespace freeplay {

namespace fs = std::filesystem;

namespace {

VectorArray vectors(vtkIdType n_points) {
  auto array = VectorArray::New();
  array->SetNumberOfComponents(3);
  array->SetNumberOfTuples(n_points);
  return array;
}

vtkSmartPointer<vtkIntArray> integers(const char* name, std::span<const int> values) {
  auto array = vtkSmartPointer<vtkIntArray>::New();
  array->SetName(name);
  for (const int value : values) array->InsertNextValue(value);
  return array;
}

int polygon_type(int n_corners) { return n_corners == 3 ? VTK_TRIANGLE : n_corners == 4 ? VTK_QUAD : VTK_POLYGON; }

}  // namespace

Eigen::Map<Eigen::Matrix3Xd> columns(vtkDoubleArray* array) {
  return {array->GetPointer(0), 3, static_cast<Eigen::Index>(array->GetNumberOfTuples())};
}

GridFile::GridFile(vtkIdType n_points) : points_(vectors(n_points)) {
  vtkNew<vtkPoints> points;
  points->SetDataType(VTK_DOUBLE);
  points->SetData(points_);
  grid_->SetPoints(points);
  writer_->SetInputData(grid_);
  writer_->SetDataModeToAppended();
  writer_->EncodeAppendedDataOff();
  writer_->SetCompressorTypeToLZ4();
  writer_->WriteToOutputStringOn();
}

VectorArray GridFile::add_vectors(const char* name) {
  VectorArray array = vectors(points_->GetNumberOfTuples());
  array->SetName(name);
  grid_->GetPointData()->AddArray(array);
  return array;
}

VectorArray GridFile::add_scalars(const char* name) {
  VectorArray array = VectorArray::New();
  array->SetNumberOfTuples(points_->GetNumberOfTuples());
  array->Fill(0.0);
  array->SetName(name);
  grid_->GetPointData()->AddArray(array);
  return array;
}

void GridFile::add_polygons(const Surface& surface) {
  const int* corner = surface.corners.data();
  std::vector<vtkIdType> corners;
  for (const int n : surface.corner_numbers) {
    corners.assign(corner, corner + n);
    grid_->InsertNextCell(polygon_type(n), n, corners.data());
    corner += n;
  }
}

void GridFile::add_names(const char* name, std::span<const std::string> names) {
  vtkNew<vtkStringArray> array;
  array->SetName(name);
  for (const std::string& item : names) array->InsertNextValue(item);
  grid_->GetFieldData()->AddArray(array);
}

void GridFile::add_cell_numbers(const char* name, std::span<const int> numbers) {
  grid_->GetCellData()->AddArray(integers(name, numbers));
}

void GridFile::add_point_numbers(const char* name, std::span<const int> numbers) {
  grid_->GetPointData()->AddArray(integers(name, numbers));
}

void GridFile::write(const fs::path& path) {
  vtkPointData* data = grid_->GetPointData();
  for (int k = 0; k < data->GetNumberOfArrays(); ++k) data->GetArray(k)->Modified();
  // They have not changed, but an array that was written before is written with other text, unless it forgets that: a
  // frame shall not depend on which one was written before it.
  vtkCellData* cells = grid_->GetCellData();
  for (int k = 0; k < cells->GetNumberOfArrays(); ++k) cells->GetArray(k)->Modified();
  points_->Modified();
  grid_->GetPoints()->Modified();
  if (!writer_->Write()) throw std::runtime_error("cannot write '" + path.string() + "': VTK failed");
  replace_file(path, writer_->GetOutputString());
}

void Displacement::read_first_frame(const fs::path& path) {
  vtkNew<vtkXMLUnstructuredGridReader> reader;
  reader->SetFileName(path.c_str());
  if (fs::exists(path)) reader->Update();
  vtkPoints* points = fs::exists(path) ? reader->GetOutput()->GetPoints() : nullptr;
  const Eigen::Index n = file_.points().cols();
  if (!points || points->GetNumberOfPoints() != n) refuse_to_continue(path, "is missing or is not of these bodies");
  first_frame_.emplace(3, n);
  for (Eigen::Index j = 0; j < n; ++j) points->GetPoint(j, first_frame_->col(j).data());
}

void Displacement::update() {
  if (!first_frame_) first_frame_ = file_.points();
  columns(array_) = file_.points() - *first_frame_;
}

}  // namespace freeplay
