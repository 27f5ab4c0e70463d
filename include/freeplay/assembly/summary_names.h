#pragma once

#include <string>
#include <vector>

#include "freeplay/deck/spec.h"
#include "freeplay/mechanics/model.h"

namespace freeplay {

/// Paths of the numbers in summary.json, such as `steps.accepted`. Energies, work and losses have the names of the
/// columns of the history.
std::vector<std::string> summary_numbers(const Model& model, AnalysisSpec::Kind analysis);

}  // namespace freeplay
