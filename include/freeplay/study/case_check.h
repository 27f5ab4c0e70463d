#pragma once

#include <vector>

#include "freeplay/model/spec.h"
#include "freeplay/study/study.h"

namespace freeplay {

/// The models of all cases. Throws InputError if one is not valid, or if a parameter is varied that the model does not
/// have.
std::vector<ModelSpec> read_case_models(const Study& study, const std::vector<StudyCase>& cases);

/// Assembles the models of all cases and looks for what the results need in them: columns, joints. Throws InputError.
void check_case_models(const Study& study, const std::vector<StudyCase>& cases, const std::vector<ModelSpec>& models);

}  // namespace freeplay
