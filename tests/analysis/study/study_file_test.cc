#include <gtest/gtest.h>

#include <cstdlib>

#include "base/file_testing.h"
#include "freeplay/analysis/study/study.h"
#include "freeplay/base/diagnostics.h"

namespace freeplay {
namespace {

class StudyFile : public testing::Test {
 protected:
  StudyFile() { write_file(directory_ / "model.yaml", "freeplay: 1\n"); }
  Study read(const std::string& vary, const std::string& results = "{x: {value: {column: a.x}}}",
             const std::string& more = "") {
    write_file(directory_ / "study.yaml", "model: model.yaml\nvary:\n" + vary + "\nresults: " + results + "\n" + more);
    return read_study((directory_ / "study.yaml").string());
  }
  std::string problem(const std::string& vary, const std::string& results = "{x: {value: {column: a.x}}}",
                      const std::string& more = "") {
    return message_of<InputError>([&] { read(vary, results, more); });
  }
  TemporaryDirectory directory_;
};

// Protects: items are combined in every way, the last fastest, and names tell the cases apart.
TEST_F(StudyFile, CombinesItems) {
  const auto cases = study_cases(read("  - {parameters.L: [50 cm, 1 m]}\n  - {analysis.dynamic.end: [1, 2, 3]}"));
  ASSERT_EQ(cases.size(), 6u);
  EXPECT_EQ(cases[0].run.name, "L=50cm_analysis.dynamic.end=1");
  EXPECT_EQ(cases[1].run.name, "L=50cm_analysis.dynamic.end=2");
  EXPECT_EQ(cases[5].run.name, "L=1m_analysis.dynamic.end=3");
  EXPECT_EQ(cases[5].run.settings, (std::vector<std::string>{"parameters.L=1 m\n", "analysis.dynamic.end=3\n"}));
}

// Protects: places in one item change together.
TEST_F(StudyFile, PairsPlacesOfAnItem) {
  const auto cases = study_cases(read("  - {parameters.a: [1, 2], parameters.b: [3 mm, 4 mm]}"));
  ASSERT_EQ(cases.size(), 2u);
  EXPECT_EQ(cases[1].cells, (std::vector<std::string>{"2", "0.004"}));
}

// Protects: numbers of one dimension are SI numbers in the table; words and mixtures stay as they are written.
TEST_F(StudyFile, TableHasSiNumbers) {
  const Study study = read("  - {parameters.F: [1 kN, 500 N], parameters.w: [fast, 1 m]}");
  EXPECT_EQ(varied_columns(study), (std::vector<std::string>{"F [N]", "w"}));
  EXPECT_EQ(study_cases(study)[0].cells, (std::vector<std::string>{"1000", "fast"}));
  EXPECT_EQ(study_cases(study)[1].cells, (std::vector<std::string>{"500", "1 m"}));
}

// Protects: ranges have both ends exactly, and equal differences or ratios.
TEST_F(StudyFile, Ranges) {
  const auto linear = study_cases(read("  - {parameters.a: {from: 1 mm, to: 2 mm, count: 3}}"));
  ASSERT_EQ(linear.size(), 3u);
  EXPECT_EQ(linear[1].run.settings[0], "parameters.a=0.0015 m");
  EXPECT_EQ(linear[2].cells[0], "0.002");
  const auto log = study_cases(read("  - {parameters.a: {from: 1e3, to: 1e9, count: 7, scale: log}}"));
  ASSERT_EQ(log.size(), 7u);
  EXPECT_EQ(log[1].run.settings[0], "parameters.a=10000");
  EXPECT_EQ(log[6].run.name, "a=1e+09");
}

// Protects: ranges of numbers of any size. The smallest of all are no mistake, and what is between numbers that are too
// far apart is one that is told.
TEST_F(StudyFile, RangesOfExtremeNumbers) {
  const auto small = study_cases(read("  - {parameters.a: {from: 1e-320, to: 3e-320, count: 3}}"));
  ASSERT_EQ(small.size(), 3u);
  constexpr double spacing = 4.95e-324;  // of the smallest numbers
  EXPECT_NEAR(std::strtod(small[1].cells[0].c_str(), nullptr), 2e-320, 2.0 * spacing);
  const auto log = study_cases(read("  - {parameters.a: {from: 1e-200, to: 1e-180, count: 3, scale: log}}"));
  EXPECT_EQ(log[1].run.name, "a=1e-190");
  const std::string too_far = "is too far from 'from'";
  EXPECT_TRUE(contains(problem("  - {parameters.a: {from: -1e308, to: 1e308, count: 3}}"), too_far));
  EXPECT_TRUE(contains(problem("  - {parameters.a: {from: 1e-200, to: 1e200, count: 3, scale: log}}"), too_far));
  EXPECT_TRUE(contains(problem("  - {parameters.a: {from: 1e200, to: 1e-200, count: 3, scale: log}}"), too_far));
}

// Protects: values may be tables; labels name them.
TEST_F(StudyFile, TablesAndLabels) {
  const Study study =
      read("  - {label: [soft, hard], contacts.c: [{linear: {stiffness: 1}}, {hertz: {stiffness: 2}}]}");
  const auto cases = study_cases(study);
  EXPECT_EQ(cases[0].run.name, "soft");
  EXPECT_EQ(cases[0].run.settings[0], "contacts.c=linear:\n  stiffness: 1\n");
  EXPECT_EQ(cases[1].cells, (std::vector<std::string>{"hard", "{hertz: {stiffness: 2}}"}));
  EXPECT_EQ(varied_columns(study).front(), "label");
}

// Protects: two cases never share a directory, and no name leads out of the directory of the study.
TEST_F(StudyFile, NamesAreUniqueAndHarmless) {
  const auto cases = study_cases(read("  - {label: [../x, '../x', '.'], parameters.a: [1, 2, 3]}"));
  EXPECT_EQ(cases[0].run.name, "case..-x");
  EXPECT_EQ(cases[1].run.name, "case..-x-2");
  EXPECT_EQ(cases[2].run.name, "case.");
}

// Protects: mistakes are named with their place and the remedy.
TEST_F(StudyFile, NamesMistakes) {
  EXPECT_TRUE(contains(problem("  - {parameters.a: [1, 2], parameters.b: [3]}"), "need equally many"));
  EXPECT_TRUE(contains(problem("  - {parameters.a: [1, 2], parameters.b: [3]}"), "study.yaml:3:28: error: vary.0"));
  EXPECT_TRUE(contains(problem("  - {parameters.a: 3}"), "must be a list of values, or a range"));
  EXPECT_TRUE(contains(problem("  - {parameters.a: {from: 1, to: 2, cuont: 3}}"), "did you mean 'count'"));
  EXPECT_TRUE(contains(problem("  - {parameters.a: {from: 1 m, to: 2 s, count: 3}}"), "dimension of 'from'"));
  EXPECT_TRUE(contains(problem("  - {parameters.a: {from: 0, to: 2, count: 3, scale: log}}"), "neither of them 0"));
  EXPECT_TRUE(contains(problem("  - {parameters.a: [1]}\n  - {parameters.a: [2]}"), "varied twice, first in line 3"));
  EXPECT_TRUE(contains(problem("  - {label: [x], parameters.a: [1, 2]}"), "2 values but 1 labels"));
  EXPECT_TRUE(contains(problem("  - {parameters.a: []}"), "at least one value"));
  EXPECT_TRUE(contains(problem("  - {parameters.a: [1]}", "{x: {vlaue: {column: a}}}"), "did you mean 'value'"));
  EXPECT_TRUE(contains(problem("  - {parameters.a: [1]}", "{x: {mode: {number: 1}}}"), "add the key 'modes: N'"));
  EXPECT_TRUE(contains(problem("  - {parameters.a: [1]}", "{x: {mode: {number: 3}}}", "modes: 2"), "only 2 modes"));
  EXPECT_TRUE(contains(problem("  - {parameters.a: [1]}", "{x: {critical-speed: {}}}"), "which a study does not run"));
  EXPECT_TRUE(contains(problem("  - {parameters.a: {from: 1, to: 9, count: 1000}}\n"
                               "  - {parameters.b: {from: 1, to: 9, count: 1000}}"),
                       "at most 100000"));
}

}  // namespace
}  // namespace freeplay
