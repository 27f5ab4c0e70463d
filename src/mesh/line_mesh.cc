// The only file that includes deal.II. Its library takes 0.3 s to load, so it is a module of its own
// (libfreeplay_mesh), opened by beam/line_mesh_loader.cc for models that have beams.

#include "freeplay/beam/line_mesh.h"

#include <deal.II/base/quadrature_lib.h>
#include <deal.II/dofs/dof_handler.h>
#include <deal.II/dofs/dof_tools.h>
#include <deal.II/fe/fe_q.h>
#include <deal.II/fe/fe_values.h>
#include <deal.II/fe/mapping_q1.h>
#include <deal.II/grid/tria.h>

#include <algorithm>
#include <numeric>

namespace {

using namespace dealii;

Triangulation<1> triangulate(const std::vector<double>& ends) {
  std::vector<Point<1>> points;
  for (const double s : ends) points.emplace_back(s);
  std::vector<CellData<1>> cells(points.size() - 1);
  for (unsigned int c = 0; c < cells.size(); ++c) cells[c].vertices = {c, c + 1};
  Triangulation<1> triangulation;
  triangulation.create_triangulation(points, cells, SubCellData());
  return triangulation;
}

}  // namespace

extern "C" void freeplay_make_line_mesh(const std::vector<double>* ends, int degree, freeplay::LineMesh* mesh) {
  const Triangulation<1> triangulation = triangulate(*ends);
  const FE_Q<1> element(degree);
  DoFHandler<1> dofs(triangulation);
  dofs.distribute_dofs(element);
  const QGauss<1> gauss(degree);
  const QGaussLobatto<1> lobatto(degree + 1);
  FEValues<1> values(element, gauss, update_values | update_gradients | update_JxW_values);

  const unsigned int n_local = element.n_dofs_per_cell();
  std::vector<unsigned int> along(n_local);  // local nodes in the order of the line
  std::iota(along.begin(), along.end(), 0u);
  const auto& support = element.get_unit_support_points();
  std::sort(along.begin(), along.end(), [&](unsigned int a, unsigned int b) { return support[a][0] < support[b][0]; });

  mesh->node_s.resize(dofs.n_dofs());
  int first_node = 0;
  for (const auto& cell : dofs.active_cell_iterators()) {
    values.reinit(cell);
    const double start = cell->vertex(0)[0];
    const double length = cell->vertex(1)[0] - start;
    freeplay::LineMesh::Element result;
    for (unsigned int a = 0; a < n_local; ++a) {
      const int node = first_node + static_cast<int>(a);
      const bool is_end = a + 1 == n_local;  // to the last digit, so that it is also the start of the next
      result.nodes.push_back(node);
      result.node_length.push_back(lobatto.weight(a) * length);
      mesh->node_s[node] = is_end ? cell->vertex(1)[0] : start + support[along[a]][0] * length;
    }
    for (unsigned int g = 0; g < gauss.size(); ++g) {
      freeplay::LineMesh::GaussPoint point;
      point.s = start + gauss.point(g)[0] * length;
      point.weight = values.JxW(g);
      for (unsigned int a = 0; a < n_local; ++a) {
        point.shape.push_back(values.shape_value(along[a], g));
        point.derivative.push_back(values.shape_grad(along[a], g)[0]);
      }
      result.gauss_points.push_back(std::move(point));
    }
    mesh->elements.push_back(std::move(result));
    first_node += degree;
  }
}
