#include "freeplay/solver/petsc_session.h"

#include <petscsys.h>

#include <cstdlib>
#include <string>

#include "freeplay/base/diagnostics.h"
#include "petsc_error.h"

namespace freeplay {

PetscSession::PetscSession(const std::string& options) {
  // A single process needs no daemon of Open MPI, whose start takes longer than many a run. Ignored under mpirun.
  setenv("OMPI_MCA_ess_singleton_isolated", "1", 0);
  // All single processes would share one folder for temporary files, and one that ends removes it under the others.
  if (!getenv("OMPI_COMM_WORLD_SIZE")) setenv("OMPI_MCA_orte_create_session_dirs", "0", 0);
  // Some options, such as -log_view, count only if they are there from the beginning.
  if (!options.empty()) {
    const char* given = getenv("PETSC_OPTIONS");
    setenv("PETSC_OPTIONS", ((given ? std::string(given) + " " : "") + options).c_str(), 1);
  }
  if (PetscInitializeNoArguments() != 0)
    throw InputError("--petsc: error: cannot read the options \"" + options + "\"\n");
  check(PetscPopSignalHandler());  // Ctrl-C and failures are handled by the program
  check(PetscPushErrorHandler(PetscReturnErrorHandler, nullptr));
}

PetscSession::~PetscSession() { PetscFinalize(); }

std::string PetscSession::unused_options() {
  PetscInt n = 0;
  char **names = nullptr, **values = nullptr;
  check(PetscOptionsLeftGet(nullptr, &n, &names, &values));
  std::string text;
  for (PetscInt k = 0; k < n; ++k) text += (text.empty() ? "-" : ", -") + std::string(names[k]);
  check(PetscOptionsLeftRestore(nullptr, &n, &names, &values));
  return text;
}

}  // namespace freeplay
