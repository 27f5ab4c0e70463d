#pragma once

#include <gtest/gtest.h>

#include <string>

#include "freeplay/base/diagnostics.h"
#include "freeplay/deck/model_file.h"

namespace freeplay::test {

/// A section of steel.
inline const std::string rod = "{material: {E: 200 GPa, G: 80 GPa, density: 8000 kg/m^3}, circle: {radius: 1 cm}}";

/// What reading says is wrong.
inline std::string errors(const std::string& text) {
  try {
    read_model_text(text, "m");
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

/// resolved.yaml gives the same resolved.yaml again.
inline void expect_reads_back(const ModelSpec& model) {
  EXPECT_EQ(read_model_text(model.resolved, "resolved").resolved, model.resolved);
}

}  // namespace freeplay::test
