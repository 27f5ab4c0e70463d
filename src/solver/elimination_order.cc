#include "elimination_order.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

namespace freeplay {

namespace {

/// Blocks with a diagonal, all of whose couplings are mutual and with blocks that have one too. Multipliers have none:
/// without them what they hold may be singular, and they are never eliminated first.
std::vector<char> eliminable(const BlockMatrix& pattern) {
  const auto couples = [&pattern](int row, int column) {
    const auto columns = pattern.block_columns(row);
    return std::binary_search(columns.begin(), columns.end(), column);
  };
  std::vector<char> result(pattern.n_blocks());
  for (int row = 0; row < pattern.n_blocks(); ++row) result[row] = couples(row, row);
  const std::vector<char> has_diagonal = result;
  for (int row = 0; row < pattern.n_blocks(); ++row)
    for (const int column : pattern.block_columns(row)) {
      if (!has_diagonal[column]) result[row] = false;
      if (!couples(column, row)) result[row] = result[column] = false;
    }
  return result;
}

/// Blocks of one size that are coupled to the same blocks are one vertex of the graph: both unknown twists of all inner
/// nodes of a beam element. (With blocks of several sizes, those of nodes would not fit into blocks of 12.)
class CouplingGraph {
 public:
  explicit CouplingGraph(const BlockMatrix& pattern) : pattern_(pattern) {
    const std::vector<char> possible = eliminable(pattern);
    std::map<std::tuple<std::vector<int>, int, bool>, int> vertex_with;
    std::vector<int> vertex_of(pattern.n_blocks());
    for (int block = 0; block < pattern.n_blocks(); ++block) {
      const auto columns = pattern.block_columns(block);
      const auto [found, is_new] =
          vertex_with.try_emplace({{columns.begin(), columns.end()}, pattern.block_size(block), possible[block] != 0},
                                  static_cast<int>(vertices_.size()));
      if (is_new) vertices_.emplace_back();
      Vertex& vertex = vertices_[found->second];
      vertex.blocks.push_back(block);
      vertex.size += pattern.block_size(block);
      vertex.is_eliminable = possible[block];
      vertex_of[block] = found->second;
    }
    for (int block = 0; block < pattern.n_blocks(); ++block)
      for (const int column : pattern.block_columns(block)) {
        const int a = vertex_of[block], b = vertex_of[column];
        if (a == b) continue;
        vertices_[a].neighbours.insert(b);
        vertices_[b].neighbours.insert(a);
      }
  }

  /// Minimum degree: always what is coupled to the fewest unknowns. Of several, one that has lost few neighbours: a
  /// node between two elements waits until the nodes on one side of it are gone.
  std::vector<EliminationStep> eliminate() {
    for (int v = 0; v < static_cast<int>(vertices_.size()); ++v) enqueue(v);
    std::vector<EliminationStep> steps;
    while (!queue_.empty()) {
      const int chosen = std::get<2>(*queue_.begin());
      queue_.erase(queue_.begin());
      Vertex& vertex = vertices_[chosen];
      steps.emplace_back();
      add_unknowns(vertex, steps.back().inner);
      for (const int neighbour : vertex.neighbours) {
        add_unknowns(vertices_[neighbour], steps.back().outer);
        queue_.erase(key(neighbour));
      }
      std::sort(steps.back().outer.begin(), steps.back().outer.end());
      // What it was coupled to becomes coupled.
      for (const int neighbour : vertex.neighbours) {
        auto& others = vertices_[neighbour].neighbours;
        others.insert(vertex.neighbours.begin(), vertex.neighbours.end());
        others.erase(chosen);
        others.erase(neighbour);
        ++vertices_[neighbour].n_eliminated;
      }
      for (const int neighbour : vertex.neighbours) enqueue(neighbour);
    }
    return steps;
  }

 private:
  struct Vertex {
    std::vector<int> blocks;
    std::set<int> neighbours;
    int size = 0;          ///< unknowns
    int outer_size = 0;    ///< those of the neighbours
    int n_eliminated = 0;  ///< former neighbours
    bool is_eliminable = false;
  };

  void enqueue(int v) {
    constexpr int worthwhile = 12;  // unknowns; KLU is as fast with fewer
    constexpr int most_outer = 4;   // per inner one: all of them become coupled
    Vertex& vertex = vertices_[v];
    if (!vertex.is_eliminable || vertex.size < worthwhile) return;
    vertex.outer_size = 0;
    for (const int neighbour : vertex.neighbours) {
      vertex.outer_size += vertices_[neighbour].size;
      if (vertex.outer_size > most_outer * vertex.size) return;
    }
    queue_.insert(key(v));
  }

  using Key = std::tuple<int, int, int>;
  Key key(int v) const { return {vertices_[v].outer_size, vertices_[v].n_eliminated, v}; }

  void add_unknowns(const Vertex& vertex, std::vector<int>& unknowns) const {
    for (const int block : vertex.blocks)
      for (int k = 0; k < pattern_.block_size(block); ++k) unknowns.push_back(pattern_.first(block) + k);
  }

  const BlockMatrix& pattern_;
  std::vector<Vertex> vertices_;
  std::set<Key> queue_;
};

/// The same eliminations in an order (postorder of the elimination tree) in which each follows soon after those that it
/// gets something from: what they leave, and the right-hand sides that they share, are still in the cache then.
std::vector<EliminationStep> in_local_order(std::vector<EliminationStep> steps, int n_unknowns) {
  const auto n_steps = static_cast<int>(steps.size());
  std::vector<int> step_of(n_unknowns, n_steps);
  for (int s = 0; s < n_steps; ++s)
    for (const int unknown : steps[s].inner) step_of[unknown] = s;
  std::vector<std::vector<int>> children(n_steps + 1);  // of the last: what only others than fronts get something from
  for (int s = n_steps - 1; s >= 0; --s) {
    int parent = n_steps;
    for (const int unknown : steps[s].outer) parent = std::min(parent, step_of[unknown]);
    children[parent].push_back(s);  // the first one last, as they are taken from the end
  }
  std::vector<EliminationStep> ordered;
  std::vector<int> path{n_steps};
  while (!path.empty()) {
    std::vector<int>& left = children[path.back()];
    if (!left.empty()) {
      path.push_back(left.back());
      left.pop_back();
      continue;
    }
    if (path.back() < n_steps) ordered.push_back(std::move(steps[path.back()]));
    path.pop_back();
  }
  return ordered;
}

}  // namespace

std::vector<EliminationStep> elimination_order(const BlockMatrix& pattern) {
  return in_local_order(CouplingGraph(pattern).eliminate(), pattern.size());
}

}  // namespace freeplay
