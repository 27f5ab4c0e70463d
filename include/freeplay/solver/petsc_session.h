#pragma once

#include <string>

namespace freeplay {

/// PETSc (and MPI) for as long as the object lives. One per process.
class PetscSession {
 public:
  /// `options` as on a PETSc command line, e.g. "-log_view -ksp_type gmres".
  explicit PetscSession(const std::string& options = "");
  ~PetscSession();
  PetscSession(const PetscSession&) = delete;
  PetscSession& operator=(const PetscSession&) = delete;

  /// Options that nobody asked for: most likely misspelt.
  static std::string unused_options();
};

}  // namespace freeplay
