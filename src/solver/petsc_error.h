#pragma once

#include <petscsys.h>

#include <stdexcept>
#include <string>

namespace freeplay {

/// Turns a PETSc error code into an exception.
inline void check(PetscErrorCode code) {
  if (code == 0) return;
  const char* text = nullptr;
  PetscErrorMessage(code, &text, nullptr);
  throw std::runtime_error(std::string("PETSc: ") + (text ? text : "error " + std::to_string(code)));
}

}  // namespace freeplay
