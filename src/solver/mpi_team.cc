#include "freeplay/solver/mpi_team.h"

#include <petscmat.h>

#include <algorithm>
#include <cstdlib>

#include "petsc_error.h"

namespace freeplay {

MpiTeam::MpiTeam() {
  MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
  MPI_Comm_size(MPI_COMM_WORLD, &size_);
}

void MpiTeam::sum(std::span<double> values) const {
  if (size_ == 1) return;
  MPI_Allreduce(MPI_IN_PLACE, values.data(), static_cast<int>(values.size()), MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}

void MpiTeam::largest(std::span<double> values) const {
  if (size_ == 1) return;
  MPI_Allreduce(MPI_IN_PLACE, values.data(), static_cast<int>(values.size()), MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
}

void MpiTeam::largest(std::span<int> values) const {
  if (size_ == 1) return;
  MPI_Allreduce(MPI_IN_PLACE, values.data(), static_cast<int>(values.size()), MPI_INT, MPI_MAX, MPI_COMM_WORLD);
}

int MpiTeam::sum_before(int number) const {
  int sum = 0;
  MPI_Exscan(&number, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  return rank_ == 0 ? 0 : sum;
}

void MpiTeam::complete(std::span<double> values, const Parts& parts) const {
  if (size_ == 1) return;
  std::vector<int> lengths(size_, 0), firsts(size_, 0);
  for (int k = 0; k < size_; ++k) {
    if (k > 0) firsts[k] = firsts[k - 1] + lengths[k - 1];
    if (k < static_cast<int>(parts.size()))
      for (const Run& run : parts[k]) lengths[k] += run.length;
  }
  sent_.resize(lengths[rank_]);
  received_.resize(firsts.back() + lengths.back());
  double* to = sent_.data();
  if (rank_ < static_cast<int>(parts.size()))
    for (const auto& [first, length] : parts[rank_]) to = std::copy_n(values.data() + first, length, to);
  MPI_Allgatherv(sent_.data(), lengths[rank_], MPI_DOUBLE, received_.data(), lengths.data(), firsts.data(), MPI_DOUBLE,
                 MPI_COMM_WORLD);
  const double* from = received_.data();
  for (const std::vector<Run>& part : parts)
    for (const auto& [first, length] : part) {
      std::copy_n(from, length, values.data() + first);
      from += length;
    }
}

std::vector<int> MpiTeam::share_out(const Graph& graph) const {
  const int n = static_cast<int>(graph.work.size());
  std::vector<int> result(n, 0);
  if (size_ == 1 || n == 0) return result;
  // PETSc wants each process to give a part of the graph, in memory that it frees itself.
  const auto first_of = [&](int rank) { return static_cast<int>(static_cast<long>(n) * rank / size_); };
  const int first = first_of(rank_), last = first_of(rank_ + 1);
  const int begin = graph.row_start[first], end = graph.row_start[last];
  PetscInt *row_start = nullptr, *neighbour = nullptr, *work = nullptr;
  check(PetscMalloc1(last - first + 1, &row_start));
  check(PetscMalloc1(std::max(1, end - begin), &neighbour));
  check(PetscMalloc1(std::max(1, last - first), &work));
  for (int k = first; k <= last; ++k) row_start[k - first] = graph.row_start[k] - begin;
  std::copy_n(graph.neighbour.data() + begin, end - begin, neighbour);
  std::copy_n(graph.work.data() + first, last - first, work);
  Mat adjacency = nullptr;
  MatPartitioning partitioning = nullptr;
  IS parts = nullptr;
  check(MatCreateMPIAdj(PETSC_COMM_WORLD, last - first, n, row_start, neighbour, nullptr, &adjacency));
  check(MatPartitioningCreate(PETSC_COMM_WORLD, &partitioning));
  check(MatPartitioningSetAdjacency(partitioning, adjacency));
  check(MatPartitioningSetVertexWeights(partitioning, work));
  check(MatPartitioningSetFromOptions(partitioning));
  check(MatPartitioningApply(partitioning, &parts));
  const PetscInt* part = nullptr;
  check(ISGetIndices(parts, &part));
  std::copy_n(part, last - first, result.data() + first);
  check(ISRestoreIndices(parts, &part));
  ISDestroy(&parts);
  MatPartitioningDestroy(&partitioning);
  MatDestroy(&adjacency);
  largest(result);
  return result;
}

bool MpiTeam::agreed(bool mine) const {
  if (size_ == 1) return mine;
  int answer = mine ? 1 : 0;
  MPI_Bcast(&answer, 1, MPI_INT, 0, MPI_COMM_WORLD);
  return answer != 0;
}

void MpiTeam::abort(int code) const {
  MPI_Abort(MPI_COMM_WORLD, code);
  std::abort();
}

}  // namespace freeplay
