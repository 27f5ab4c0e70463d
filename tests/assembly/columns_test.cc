#include "freeplay/assembly/columns.h"

#include <gtest/gtest.h>

#include "base/file_testing.h"
#include "freeplay/assembly/assembly.h"
#include "freeplay/deck/model_file.h"

namespace freeplay {
namespace {

// Protects: stars at any place, several of them, and that the whole name has to fit.
TEST(HistoryNames, patterns) {
  EXPECT_TRUE(fits("crank.position.x", "crank.position.x"));
  EXPECT_TRUE(fits("crank.position.x", "*"));
  EXPECT_TRUE(fits("crank.position.x", "crank.*"));
  EXPECT_TRUE(fits("crank.position.x", "*.x"));
  EXPECT_TRUE(fits("crank.position.x", "*.position.*"));
  EXPECT_TRUE(fits("crank.position.x", "c*k.*tion*.x"));
  EXPECT_TRUE(fits("a.b.b", "a*.b"));
  EXPECT_TRUE(fits("ab", "a*b"));
  EXPECT_FALSE(fits("crank.position.x", "crank.position"));
  EXPECT_FALSE(fits("crank.position.x", "position*"));
  EXPECT_FALSE(fits("crank.position.x", "*.y"));
  EXPECT_FALSE(fits("aba", "ab*ba"));
  EXPECT_FALSE(fits("a", ""));
}

std::string model_with_columns(const std::string& columns) {
  return "freeplay: 1\n"
         "bodies: {ball: {rigid: {mass: 1, inertia: 1, free: true}}}\n"
         "analysis: {dynamic: {end: 1}}\n"
         "output: {columns: " +
         columns + "}\n";
}

// Protects: the chosen columns stand in the order of the file, each once, and the time is always the first.
TEST(HistoryNames, selection_keeps_the_order_and_the_time) {
  const ModelSpec spec =
      read_model_text(model_with_columns("[energy.kinetic, \"*.position.z\", \"ball.position.*\"]"), "test.yaml");
  const Assembled assembled = assemble(spec);
  const auto columns = history_columns(assembled, spec.analysis.kind);
  Diagnostics diagnostics;
  std::vector<std::string> names;
  for (const std::size_t k : select_columns(columns, *spec.output.columns, diagnostics))
    names.push_back(columns[k].name);
  EXPECT_FALSE(diagnostics.has_errors());
  EXPECT_EQ(names, (std::vector<std::string>{"time", "ball.position.x", "ball.position.y", "ball.position.z",
                                             "energy.kinetic"}));
}

// Protects: a pattern without a column is found before the run, at its place, with the name that was meant.
TEST(HistoryNames, pattern_without_column_is_an_error) {
  const std::string message = message_of<InputError>(
      [] { assemble(read_model_text(model_with_columns("[\"energy.*\", ball.positon.x]"), "test.yaml")); });
  EXPECT_TRUE(contains(message,
                       "test.yaml:4:32: error: output.columns.1: 'ball.positon.x' fits no column, did you "
                       "mean 'ball.position.x'?"));
}

}  // namespace
}  // namespace freeplay
