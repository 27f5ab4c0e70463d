#pragma once

#include <memory>
#include <optional>
#include <string>

#include "freeplay/analysis/modes_request.h"
#include "freeplay/analysis/rotor_request.h"
#include "freeplay/analysis/stiction/certificate.h"
#include "freeplay/assembly/assembly.h"
#include "freeplay/base/exit_code.h"
#include "freeplay/deck/spec.h"

namespace freeplay {

/// A job for the heavy half of the program (libfreeplay_engine), which is loaded only when a model that has been read,
/// checked and assembled is about to run.
struct EngineJob {
  ModelSpec model;
  std::shared_ptr<Assembled> assembled;
  std::string model_text;        ///< the model file as read, kept with the results
  std::string output_directory;  ///< exists and is empty, or holds the run to continue
  bool writes = true;            ///< false on all processes of mpirun but the first: there is no output directory
  bool resume = false;           ///< `--continue`: go on from the checkpoint in output_directory
  std::string petsc_options;
  bool quiet = false;
  bool json = false;                        ///< the caller prints the summary of a run itself
  std::optional<ModesRequest> modes;        ///< natural frequencies instead of the analysis of the model
  std::optional<StictionRequest> stiction;  ///< the stiction certificate instead
  std::optional<RotorRequest> rotor;        ///< modes or response of a rotor over its speed instead
};

}  // namespace freeplay
