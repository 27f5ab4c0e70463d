#pragma once

// mpirun and srun tell their processes who they are by the environment, so that no MPI library is needed to know it.

namespace freeplay {

struct LaunchedProcess {
  int rank = 0;
  int size = 1;
};

/// This process among those that mpirun or srun has started.
LaunchedProcess launched_process();

/// From now on this process is one of its own, for MPI too.
void leave_launcher();

}  // namespace freeplay
