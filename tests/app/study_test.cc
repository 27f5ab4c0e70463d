#include <signal.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <thread>

#include "app/deck.h"
#include "freeplay/base/exit_code.h"
#include "paths.h"

namespace freeplay::test {
namespace {

namespace fs = std::filesystem;
using std::chrono::seconds;

// Falls freely: z = -g t^2/2, which the scheme integrates exactly.
const std::string stone =
    "freeplay: 1\n"
    "parameters: {g: 10 m/s^2, T: 1 s}\n"
    "gravity: [0, 0, \"-${g}\"]\n"
    "bodies: {stone: {rigid: {mass: 1 kg, inertia: 1, free: true}}}\n"
    "analysis: {dynamic: {end: \"${T}\", step: 10 ms}}\n"
    "output: {every: 10 ms}\n";

const std::string study =
    "model: stone.yaml\n"
    "vary:\n"
    "  - {parameters.g: [10 m/s^2, 2 m/s^2]}\n"
    "  - {parameters.T: [500 ms, 1 s]}\n"
    "results:\n"
    "  depth: {value: {column: stone.position.z}}\n"
    "  one_metre: {crossing: {column: stone.position.z, level: -1 m}}\n";

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

class StudyCommand : public testing::Test {
 protected:
  StudyCommand() {
    write_file(directory_ / "stone.yaml", stone);
    write_file(directory_ / "fall.yaml", study);
  }
  void change(const std::string& file, const std::string& from, const std::string& to) {
    std::string text = file_text(directory_ / file);
    const std::size_t place = text.find(from);
    ASSERT_NE(place, std::string::npos) << from;
    write_file(directory_ / file, text.replace(place, from.size(), to));
  }
  ProcessResult run(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "study");
    return run_freeplay(arguments, directory_.path());
  }
  std::vector<std::string> table() { return lines_of(file_text(directory_ / "out/study.csv")); }
  /// Without the time that the case took.
  static std::string without_seconds(std::string row) {
    const std::size_t last = row.rfind(','), before = row.rfind(',', last - 1);
    return row.erase(before, last - before);
  }
  ScratchDirectory directory_;
};

// Protects: every combination is a row with what was varied and what was wanted, and a result that a case has not is
// empty, with the reason.
TEST_F(StudyCommand, MakesATable) {
  const ProcessResult result = run({"fall.yaml", "-o", "out", "-j", "2"});
  ASSERT_EQ(result.exit_code, exit_ok) << result.err;
  EXPECT_TRUE(has(result.out, "4 of 4 done, 0 of them failed")) << result.out;
  EXPECT_TRUE(has(result.err, "4/4  ")) << result.err;
  const std::vector<std::string> rows = table();
  ASSERT_EQ(rows.size(), 5u);
  EXPECT_EQ(rows[0], "case,g [m/s^2],T [s],depth [m],one_metre [s],exit_code,seconds,message");
  EXPECT_TRUE(rows[2].starts_with("g=10m-s-2_T=1s,10,1,-5,0.44")) << rows[2];
  EXPECT_EQ(without_seconds(rows[3]), "g=2m-s-2_T=500ms,2,0.5,-0.25,,0,one_metre: the level is never crossed");
  EXPECT_TRUE(fs::exists(directory_ / "out/g=2m-s-2_T=1s/history.csv"));
}

// Protects: what is done is not done again, what is half done is, and more values and results may be added.
TEST_F(StudyCommand, GoesOn) {
  ASSERT_EQ(run({"fall.yaml", "-o", "out"}).exit_code, exit_ok);
  const auto written = fs::last_write_time(directory_ / "out/g=10m-s-2_T=1s/history.csv");
  fs::remove(directory_ / "out/g=2m-s-2_T=1s/case.json");  // as if killed before its end
  write_file(directory_ / "out/g=2m-s-2_T=1s/history.csv", "rubbish");
  change("fall.yaml", "2 m/s^2]", "2 m/s^2, 4 m/s^2]");
  change("fall.yaml", "results:\n", "results:\n  speed: {minimum: {column: stone.velocity.z}}\n");
  const ProcessResult result = run({"fall.yaml", "-o", "out", "--continue"});
  ASSERT_EQ(result.exit_code, exit_ok) << result.err;
  EXPECT_TRUE(has(result.err, "3/3  ")) << result.err;
  EXPECT_TRUE(has(result.out, "6 of 6 done")) << result.out;
  EXPECT_EQ(fs::last_write_time(directory_ / "out/g=10m-s-2_T=1s/history.csv"), written);
  const std::vector<std::string> rows = table();
  ASSERT_EQ(rows.size(), 7u);
  EXPECT_TRUE(rows[4].starts_with("g=2m-s-2_T=1s,2,1,-2,-1,,0,")) << rows[4];
}

// Protects: results of a changed model are never mixed with old ones; nothing is overwritten without --continue.
TEST_F(StudyCommand, RefusesToMixModels) {
  ASSERT_EQ(run({"fall.yaml", "-o", "out"}).exit_code, exit_ok);
  const std::string before = file_text(directory_ / "out/study.csv");
  EXPECT_EQ(run({"fall.yaml", "-o", "out"}).exit_code, exit_input_error);
  change("stone.yaml", "mass: 1 kg", "mass: 2 kg");
  const ProcessResult result = run({"fall.yaml", "-o", "out", "--continue"});
  EXPECT_EQ(result.exit_code, exit_input_error);
  EXPECT_TRUE(has(result.err, "results of another model")) << result.err;
  EXPECT_EQ(file_text(directory_ / "out/study.csv"), before);
}

// Protects: a case that fails numerically is a row with its message, and the study goes on.
TEST_F(StudyCommand, GoesOnAfterFailures) {
  change("stone.yaml", "step: 10 ms", "step: 10 ms, max-steps: 60");
  const ProcessResult result = run({"fall.yaml", "-o", "out"});
  EXPECT_EQ(result.exit_code, exit_ok) << result.err;
  EXPECT_TRUE(has(result.out, "4 of 4 done, 2 of them failed")) << result.out;
  const std::vector<std::string> rows = table();
  ASSERT_EQ(rows.size(), 5u);
  EXPECT_TRUE(has(rows[2], ",10,1,,,3,")) << rows[2];
  EXPECT_FALSE(rows[2].ends_with(",")) << rows[2];
  EXPECT_TRUE(has(rows[3], ",2,0.5,-0.25,,0,")) << rows[3];
  EXPECT_TRUE(has(run({"fall.yaml", "-o", "out", "--continue"}).out, "4 of 4 done, 2 of them failed"));
}

// Protects: mistakes in the study, in its model and in what it wants of it are found before anything runs.
TEST_F(StudyCommand, ChecksBeforeItRuns) {
  struct Mistake {
    const char *file, *from, *to, *message;
  };
  const std::vector<Mistake> mistakes{
      {"fall.yaml", "parameters.g", "parameters.gg", "has no parameter 'gg', did you mean 'g'"},
      {"fall.yaml", "1 s]", "-1 s]", "the model of case 'g=10m-s-2_T=-1s' is not valid"},
      {"fall.yaml", "1 s]", "1 kg]", "fall.yaml:3:5: error: vary"},
      {"fall.yaml", "column: stone.position.z}", "column: stone.positon.z}", "did you mean 'stone.position.z'"},
      {"fall.yaml", "stone.yaml", "pebble.yaml", "fall.yaml:1:8: error: there is no model file pebble.yaml"},
      {"fall.yaml", "results:", "reslts:", "did you mean 'results'"},
      {"fall.yaml", "level: -1 m", "level: -1 kg", "results.one_metre: the level is a mass [kg], the column"},
      {"fall.yaml", "results:\n", "results:\n  n: {events: {kind: slp}}\n", "did you mean 'slip'"},
      {"fall.yaml", "results:\n", "results:\n  n: {events: {kind: slip, joint: pin}}\n", "has no joint 'pin'"},
      {"fall.yaml", "results:\n", "results:\n  n: {maximum: {sum: [stone.position.x, stone.velocity.x]}}\n",
       "have different units"},
      {"fall.yaml", "results:\n", "results:\n  n: {summary: {key: steps.acepted}}\n",
       "results.n: summary.json of case 'g=10m-s-2_T=500ms' has no number 'steps.acepted', did you mean "
       "'steps.accepted'?"},
      {"stone.yaml", "mass: 1 kg", "mass: -1 kg", "stone.yaml:4:"},
  };
  for (const Mistake& mistake : mistakes) {
    write_file(directory_ / "stone.yaml", stone);
    write_file(directory_ / "fall.yaml", study);
    change(mistake.file, mistake.from, mistake.to);
    const ProcessResult result = run({"fall.yaml", "-o", "out"});
    EXPECT_EQ(result.exit_code, exit_input_error) << mistake.message;
    EXPECT_TRUE(has(result.err, mistake.message)) << result.err;
    EXPECT_FALSE(fs::exists(directory_ / "out")) << mistake.message;
  }
}

void collect_numbers(const nlohmann::json& json, const std::string& path, std::vector<std::string>& names) {
  if (json.is_number()) names.push_back(path);
  if (!json.is_object()) return;
  for (const auto& [key, value] : json.items()) collect_numbers(value, path.empty() ? key : path + "." + key, names);
}

// Protects: every number that summary.json has is one that a study may ask for, whatever the analysis.
TEST_F(StudyCommand, KnowsTheNumbersOfTheSummary) {
  for (const std::string analysis : {"dynamic: {end: 1 ms}", "static: {}", "kinematic: {end: 1 ms, step: 1 ms}"}) {
    const ScratchDirectory directory;
    const bool is_dynamic = analysis.starts_with("dyn");  // only then joints may touch and stick
    std::string text = "freeplay: 1\ngravity: [0, -1, 0]\nparameters: {m: 1}\n";
    if (is_dynamic)
      text +=
          "contacts: {soft: {linear: {stiffness: 1 kN/m}}}\n"
          "frictions:\n"
          "  dry: {coulomb: {static: 0.2, kinetic: 0.1}}\n"
          "  smooth: {regularised-coulomb: {coefficient: 0.3, velocity: 1 mm/s}}\n";
    text += "bodies:\n  b: {rigid: {mass: \"${m}\", inertia: 1, at: [0, -1, 0]}}\n";
    if (is_dynamic) text += "  ball: {rigid: {mass: 1, inertia: 1, at: [5, 0.1, 0]}}\n";
    text += "joints:\n  pin: {revolute: {between: [ground, b], at: [0, 0, 0], axis: [0, 0, 1]";
    if (analysis.starts_with("kin")) text += ", drive: {angle: t}";
    if (is_dynamic)
      text +=
          ", friction: {law: dry, radius: 10 mm}}}\n"
          "  floor: {ball-on-plane: {between: [ground, ball], normal: [0, 1, 0], radius: 0.1, contact: soft, "
          "friction: smooth";
    write_file(directory / "model.yaml", text + "}}\nanalysis: {" + analysis + "}\n");
    ASSERT_EQ(run_freeplay({"run", "model.yaml", "-o", "out"}, directory.path()).exit_code, exit_ok);
    std::vector<std::string> names;
    collect_numbers(nlohmann::json::parse(file_text(directory / "out/summary.json"), nullptr, false), "", names);
    ASSERT_GT(names.size(), 10u);
    for (const char* name : {"joint_use.pin.stick_fraction", "joint_use.floor.largest_contact_force.value"})
      EXPECT_EQ(std::ranges::count(names, name), is_dynamic ? 1 : 0) << name;
    text = "model: model.yaml\nvary: [{parameters.m: [1, 2]}]\nresults:\n";
    for (std::size_t k = 0; k < names.size(); ++k)
      text += "  n" + std::to_string(k) + ": {summary: {key: " + names[k] + "}}\n";
    write_file(directory / "study.yaml", text);
    const ProcessResult result = run_freeplay({"study", "study.yaml", "--list"}, directory.path());
    EXPECT_EQ(result.exit_code, exit_ok) << result.err;
  }
}

// Protects: mistakes of all kinds, in the study and against its model, are told at once.
TEST_F(StudyCommand, TellsAllMistakesAtOnce) {
  change("fall.yaml", "parameters.g", "parameters.gg");
  change("fall.yaml", "stone.position.z}", "stone.positon.z}");
  change("fall.yaml", "level: -1 m", "level: -1 kg");
  change("fall.yaml", "results:\n", "results:\n  n: {events: {kind: slp}}\n");
  const ProcessResult result = run({"fall.yaml", "--list"});
  EXPECT_EQ(result.exit_code, exit_input_error);
  for (const char* message :
       {"has no parameter 'gg'", "did you mean 'stone.position.z'", "the level is a mass [kg]", "did you mean 'slip'"})
    EXPECT_TRUE(has(result.err, message)) << message << "\n" << result.err;
}

// Protects: --list shows the cases and leaves nothing behind.
TEST_F(StudyCommand, ListsCases) {
  const ProcessResult result = run({"fall.yaml", "--list"});
  EXPECT_EQ(result.exit_code, exit_ok) << result.err;
  EXPECT_TRUE(has(result.out, "--set \"parameters.g=10 m/s^2\"")) << result.out;
  EXPECT_TRUE(has(result.out, "4 cases")) << result.out;
  EXPECT_FALSE(fs::exists(directory_ / "results"));
}

// Protects: an interrupted study keeps what is done, says how to go on, and can.
TEST_F(StudyCommand, EndsInGoodOrderWhenInterrupted) {
  change("fall.yaml", "[500 ms, 1 s]", "[500 ms, 1000000 s]");
  Process process(test::freeplay_program(), {"study", "fall.yaml", "-o", "out", "-j", "1"}, directory_.path());
  for (int i = 0; i < 2000 && !fs::exists(directory_ / "out/g=10m-s-2_T=1000000s/history.csv"); ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  process.send(SIGINT);
  const ProcessResult result = process.wait(seconds(60));
  EXPECT_EQ(result.exit_code, exit_interrupted) << result.err;
  EXPECT_TRUE(has(result.out, "1 of 4 done")) << result.out;
  EXPECT_TRUE(has(result.out, "freeplay study fall.yaml -o out --continue")) << result.out;
  EXPECT_EQ(table().size(), 2u);
  change("fall.yaml", "1000000 s", "1 s");
  const ProcessResult rest = run({"fall.yaml", "-o", "out", "--continue"});
  EXPECT_EQ(rest.exit_code, exit_ok) << rest.err;
  EXPECT_TRUE(has(rest.out, "4 of 4 done")) << rest.out;
}

// Protects: processes of mpirun share the cases out, and together make one whole table.
TEST_F(StudyCommand, SharesCasesUnderMpirun) {
  const ProcessResult result = Process("/usr/bin/env",
                                       {"mpirun", "--allow-run-as-root", "--oversubscribe", "-n", "2",
                                        test::freeplay_program(), "study", "fall.yaml", "-o", "out"},
                                       directory_.path())
                                   .wait(seconds(120));
  ASSERT_EQ(result.exit_code, exit_ok) << result.err;
  const std::vector<std::string> rows = table();
  ASSERT_EQ(rows.size(), 5u);
  EXPECT_EQ(std::count_if(rows.begin(), rows.end(), [](const std::string& row) { return has(row, ",0,"); }), 4);
}

}  // namespace
}  // namespace freeplay::test
