#include "freeplay/solver/mpi_team.h"

#include <mpi.h>

#include <cstdlib>

namespace freeplay {

MpiTeam::MpiTeam() {
  MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
  MPI_Comm_size(MPI_COMM_WORLD, &size_);
}

void MpiTeam::sum(std::span<double> values) const {
  if (size_ == 1) return;
  MPI_Allreduce(MPI_IN_PLACE, values.data(), static_cast<int>(values.size()), MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
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
