#pragma once

namespace freeplay {

/// Exit codes of the program; 70 and 74 as in sysexits.h.
enum ExitCode {
  exit_ok = 0,
  exit_differs = 1,  ///< `freeplay bench`: a value is not the published one
  exit_input_error = 2,
  exit_numerical_failure = 3,
  exit_internal_error = 70,
  exit_output_error = 74,
  exit_interrupted = 130
};

}  // namespace freeplay
