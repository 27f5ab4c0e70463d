#pragma once

#include "freeplay/analysis/observer.h"
#include "freeplay/results/engine_job.h"

namespace freeplay {

/// What a run that has ended came to.
struct RunOutcome {
  double reached = 0.0;  ///< time [s], or load factor
  double seconds = 0.0;  ///< that it took
  int n_warnings = 0;
};

/// The short table at the end of a run: how far it came and how exact it is.
std::string closing_table(const EngineJob& job, const RunOutcome& outcome, const RunStatistics& statistics,
                          const Ledger& ledger);

}  // namespace freeplay
