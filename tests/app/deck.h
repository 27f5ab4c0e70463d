#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <optional>
#include <regex>
#include <string>
#include <utility>
#include <vector>

#include "app/process.h"

namespace freeplay::test {

/// A model file that must fail. Its first lines say how: `# expect: <regular expression>` for what standard error must
/// have in some line, `# last-time: <from> <to>` for the time [s] of the last row of history.csv.
struct Deck {
  std::filesystem::path file;
  std::vector<std::pair<std::string, std::regex>> expected;  ///< as written, and ready to use
  std::optional<std::pair<double, double>> last_time;
};

Deck read_deck(const std::filesystem::path& file);

/// All model files of a folder below tests/, in alphabetical order.
std::vector<std::filesystem::path> deck_files(const std::string& folder);

/// The name of a test that has a model file as its parameter.
std::string name_of_deck_test(const testing::TestParamInfo<std::filesystem::path>& info);

/// Starts the built program and waits for its end.
ProcessResult run_freeplay(const std::vector<std::string>& arguments, const std::filesystem::path& directory,
                           std::chrono::seconds limit = std::chrono::seconds(60));

/// Lines of a text, without their ends.
std::vector<std::string> lines_of(const std::string& text);

/// The beginning of a text, for the messages of failed tests.
std::string excerpt(const std::string& text);

/// Every expected expression is found, every line with `error:` was expected, and the program ended by itself.
void expect_failure(const Deck& deck, const ProcessResult& result, int exit_code);

}  // namespace freeplay::test
