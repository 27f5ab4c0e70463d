#pragma once

#include <memory>
#include <string>

#include "freeplay/assembly/assembly.h"
#include "freeplay/model/spec.h"

namespace freeplay {

/// A job for the heavy half of the program (libfreeplay_engine), which is loaded only when a model that has been read,
/// checked and assembled is about to run.
struct EngineJob {
  ModelSpec model;
  std::shared_ptr<Assembled> assembled;
  std::string model_text;        ///< the model file as read, kept with the results
  std::string output_directory;  ///< exists and is empty, or holds the run to continue
  bool resume = false;           ///< `--continue`: go on from the checkpoint in output_directory
  std::string petsc_options;
  bool quiet = false;
};

/// Exit codes of the program; 70 and 74 as in sysexits.h.
enum ExitCode {
  exit_ok = 0,
  exit_input_error = 2,
  exit_numerical_failure = 3,
  exit_internal_error = 70,
  exit_output_error = 74,
  exit_interrupted = 130
};

}  // namespace freeplay

/// The one symbol the light program looks up in the engine. Never throws; prints its own messages; returns an ExitCode.
extern "C" int freeplay_engine_main(const freeplay::EngineJob* job);
