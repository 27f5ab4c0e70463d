#pragma once

// What the integrator needs from a solver of equations. The implementations (PETSc) are in solver/.

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "freeplay/math/block_matrix.h"

namespace freeplay {

/// A system F(u) = 0 with a sparse Jacobian whose pattern never changes.
class NonlinearProblem {
 public:
  virtual ~NonlinearProblem() = default;
  virtual int size() const = 0;
  virtual void residual(std::span<const double> u, std::span<double> r) = 0;
  virtual void jacobian(std::span<const double> u, BlockMatrix& matrix) = 0;
  virtual BlockMatrix make_matrix() const = 0;

  /// Size of the last residual relative to the terms that it is the sum of: round-off is about 1e-16.
  virtual double relative_size() const = 0;
  /// Whether the last residual is of the size that round-off alone can explain: if it falls no more, it is solved.
  virtual bool at_round_off() const { return false; }
};

struct NonlinearReport {
  bool converged = false;
  int iterations = 0;
  int factorisations = 0;
  double relative_residual = 0.0;
  std::string reason;  ///< why it did not converge
};

class NonlinearSolver {
 public:
  virtual ~NonlinearSolver() = default;
  /// Solves for u, starting from its value.
  virtual NonlinearReport solve(NonlinearProblem& problem, std::span<double> u) = 0;
  /// What Newton's method would correct a residual r by, with the Jacobian at hand; false if there is none.
  virtual bool correction(std::span<const double> r, std::span<double> du) = 0;
  /// The equations changed in a way that makes the old factorisation worthless (another step size, say).
  virtual void forget_factorisation() = 0;
  /// Memory of matrix and factors, on this process.
  virtual double bytes() const { return 0.0; }
};

class LinearSolver {
 public:
  virtual ~LinearSolver() = default;
  /// Solves A x = b until the residual is below `tolerance` times b. May use a factorisation of an earlier A of the
  /// same pattern as a preconditioner. Returns false if the matrix is singular to working precision.
  virtual bool solve(BlockMatrix& A, std::span<const double> b, double tolerance, std::span<double> x) = 0;
};

/// Signs of the pivots of a factorisation that keeps to the diagonal. Of a symmetric matrix as many are negative as
/// eigenvalues are (Sylvester); of any matrix, their number changes by one where the determinant changes its sign.
struct Pivots {
  int negative = 0;
  bool singular = false;  ///< a pivot is round-off of its diagonal element
  bool symmetric = true;  ///< the matrix was
};

/// Neighbours of the vertices of a graph, as compressed rows, and how much work each vertex is.
struct Graph {
  std::vector<int> row_start{0}, neighbour, work;
};

/// The processes that share the work of one run. Each of them has the whole state; elements, rows of matrices and
/// factors are shared out. What is said here for all processes must be called by all of them.
class Team {
 public:
  virtual ~Team() = default;
  virtual int rank() const { return 0; }
  virtual int size() const { return 1; }
  /// Adds up what the processes have, the same on all of them.
  virtual void sum(std::span<double>) const {}
  virtual void largest(std::span<double>) const {}
  virtual void largest(std::span<int>) const {}
  /// The sum of the numbers of all processes before this one.
  virtual int sum_before(int) const { return 0; }
  /// Each process gets from the others what they know of a vector.
  virtual void complete(std::span<double>, const Parts&) const {}
  /// The process for each vertex: equal work, and few neighbours elsewhere.
  virtual std::vector<int> share_out(const Graph& graph) const { return std::vector<int>(graph.work.size(), 0); }

  static const Team& alone() {
    static const Team team;
    return team;
  }
};

/// Makes the solvers that an integrator needs.
class SolverFactory {
 public:
  virtual ~SolverFactory() = default;
  virtual const Team& team() const { return Team::alone(); }
  virtual std::unique_ptr<NonlinearSolver> nonlinear(NonlinearProblem& problem, double tolerance,
                                                     int max_iterations) = 0;
  virtual std::unique_ptr<LinearSolver> linear(BlockMatrix& pattern) = 0;
  /// Factorises the matrix anew for every solution, which is as good as its condition allows, whatever the tolerance.
  virtual std::unique_ptr<LinearSolver> direct() = 0;
  virtual Pivots pivots(BlockMatrix& matrix) = 0;
};

}  // namespace freeplay
