#pragma once

#include <vector>

#include "freeplay/analysis/study/study.h"
#include "freeplay/deck/spec.h"

namespace freeplay {

/// Compares a study with its model file: the parameters that are varied. If there is already something wrong with the
/// study, also what the results need, as far as it can be known, so that all mistakes are told at once.
void check_with_model(const Study& study, Diagnostics& diagnostics);

/// The models of all cases. Throws InputError if one is not valid.
std::vector<ModelSpec> read_case_models(const Study& study, const std::vector<StudyCase>& cases);

/// Assembles the models of all cases and looks for what the results need in them: columns, joints. Throws InputError.
void check_case_models(const Study& study, const std::vector<StudyCase>& cases, const std::vector<ModelSpec>& models);

}  // namespace freeplay
