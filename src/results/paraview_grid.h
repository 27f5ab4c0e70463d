#pragma once

// What the parts of the ParaView files have in common.

#include <vtkDoubleArray.h>
#include <vtkNew.h>
#include <vtkSmartPointer.h>
#include <vtkUnstructuredGrid.h>
#include <vtkXMLUnstructuredGridWriter.h>

#include <filesystem>
#include <optional>
#include <span>
#include <string>

#include "freeplay/results/body_surface.h"

namespace freeplay {

using VectorArray = vtkSmartPointer<vtkDoubleArray>;

/// A view of the numbers of an array as columns of a matrix.
Eigen::Map<Eigen::Matrix3Xd> columns(vtkDoubleArray* array);

/// A grid that is written over and over. VTK writes into memory and not into the file, whose errors it would report on
/// the terminal and whose half it could leave behind.
class GridFile {
 public:
  explicit GridFile(vtkIdType n_points);

  vtkUnstructuredGrid* grid() { return grid_; }
  auto points() { return columns(points_); }

  /// Three numbers per point, allocated for good.
  VectorArray add_vectors(const char* name);
  /// One number per point, likewise.
  VectorArray add_scalars(const char* name);
  void add_polygons(const Surface& surface);
  void add_names(const char* name, std::span<const std::string> names);
  /// A number per cell or, as point data, per point.
  void add_cell_numbers(const char* name, std::span<const int> numbers);
  void add_point_numbers(const char* name, std::span<const int> numbers);

  void write(const std::filesystem::path& path);

 private:
  vtkNew<vtkUnstructuredGrid> grid_;
  VectorArray points_;
  vtkNew<vtkXMLUnstructuredGridWriter> writer_;
};

/// The point data `displacement`: since the first frame of the series.
class Displacement {
 public:
  explicit Displacement(GridFile& file) : file_(file), array_(file.add_vectors("displacement")) {}

  /// The displacement of a continued run counts from the first frame of all. InputError if that is of other bodies.
  void read_first_frame(const std::filesystem::path& path);
  void update();

 private:
  GridFile& file_;
  VectorArray array_;
  std::optional<Eigen::Matrix3Xd> first_frame_;
};

}  // namespace freeplay
