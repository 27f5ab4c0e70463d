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
#include <map>
#include <numeric>

namespace {

using namespace dealii;

Triangulation<1, 3> triangulate(const std::vector<freeplay::Vec3>& vertices) {
  std::vector<Point<3>> points;
  for (const freeplay::Vec3& v : vertices) points.emplace_back(v.x(), v.y(), v.z());
  std::vector<CellData<1>> cells(points.size() - 1);
  for (unsigned int c = 0; c < cells.size(); ++c) cells[c].vertices = {c, c + 1};
  Triangulation<1, 3> triangulation;
  triangulation.create_triangulation(points, cells, SubCellData());
  return triangulation;
}

}  // namespace

extern "C" void freeplay_make_line_mesh(const std::vector<freeplay::Vec3>* vertices, int degree,
                                        freeplay::LineMesh* mesh) {
  const Triangulation<1, 3> triangulation = triangulate(*vertices);
  const FE_Q<1, 3> element(degree);
  DoFHandler<1, 3> dofs(triangulation);
  dofs.distribute_dofs(element);
  const QGauss<1> gauss(degree);
  const QGaussLobatto<1> lobatto(degree + 1);
  FEValues<1, 3> values(element, gauss, update_values | update_gradients | update_JxW_values);

  const unsigned int n_local = element.n_dofs_per_cell();
  std::vector<unsigned int> along(n_local);  // local nodes in the order of the line
  std::iota(along.begin(), along.end(), 0u);
  const auto& support = element.get_unit_support_points();
  std::sort(along.begin(), along.end(), [&](unsigned int a, unsigned int b) { return support[a][0] < support[b][0]; });

  const unsigned int n_nodes = dofs.n_dofs();
  mesh->nodes.resize(n_nodes);
  mesh->node_s.resize(n_nodes);
  mesh->node_length.assign(n_nodes, 0.0);
  std::vector<types::global_dof_index> global(n_local);
  int first_node = 0;
  double start = 0.0;
  for (const auto& cell : dofs.active_cell_iterators()) {
    values.reinit(cell);
    const Tensor<1, 3> edge = cell->vertex(1) - cell->vertex(0);
    const double length = edge.norm();
    const Tensor<1, 3> tangent = edge / length;
    freeplay::LineMesh::Element result;
    for (unsigned int a = 0; a < n_local; ++a) {
      const int node = first_node + static_cast<int>(a);
      const double xi = support[along[a]][0];
      const Point<3> x = cell->vertex(0) + xi * edge;
      result.nodes.push_back(node);
      mesh->nodes[node] = {x[0], x[1], x[2]};
      mesh->node_s[node] = start + xi * length;
      mesh->node_length[node] += lobatto.weight(a) * length;
    }
    for (unsigned int g = 0; g < gauss.size(); ++g) {
      freeplay::LineMesh::GaussPoint point;
      point.s = start + gauss.point(g)[0] * length;
      point.weight = values.JxW(g);
      for (unsigned int a = 0; a < n_local; ++a) {
        point.shape.push_back(values.shape_value(along[a], g));
        point.derivative.push_back(values.shape_grad(along[a], g) * tangent);
      }
      result.gauss_points.push_back(std::move(point));
    }
    mesh->elements.push_back(std::move(result));
    first_node += degree;
    start += length;
  }
}
