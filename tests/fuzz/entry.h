#pragma once

#include <string>

/// What the fuzzers and the test of their corpus call with the text of a file. Everything that is not an outcome is a
/// mistake of the program: another exception, a crash, a leak, seconds of work.
namespace freeplay::fuzz {

enum class Outcome {
  refused,  ///< InputError: the text is no valid model
  failed,   ///< NumericalFailure: valid, but cannot be computed
  skipped,  ///< valid, but too large for a fuzzer
  done,
};

/// Reads a model; text with the main key of a study, a benchmark or a tolerance test set is read as such.
Outcome read(const std::string& text);

/// `freeplay check`
Outcome check(const std::string& text);

/// `freeplay run` for a few steps, and `freeplay modes`; results go to a temporary folder in memory.
Outcome run(const std::string& text);

}  // namespace freeplay::fuzz
