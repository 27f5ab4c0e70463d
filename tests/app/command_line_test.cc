#include <unistd.h>

#include <cstdio>
#include <nlohmann/json.hpp>

#include "app/deck.h"
#include "freeplay/base/exit_code.h"
#include "paths.h"

namespace freeplay::test {
namespace {

const std::vector<std::string> commands{"run", "check", "examples", "schema", "reference"};

// The promise of the user manual: the program answers at once. Sanitizers are slower than that.
constexpr double start_up_limit = 0.1;

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

void expect_quick_start(const std::string& what, const ProcessResult& result) {
  std::printf("CPU time of %s: %.3f s\n", what.c_str(), result.cpu_seconds);
  if (!FREEPLAY_SANITIZED) {
    EXPECT_LT(result.cpu_seconds, start_up_limit);
  }
}

/// The exit code of a shell command in which $freeplay is the program.
int shell(const std::string& command) {
  const ScratchDirectory directory;
  return Process("/bin/bash", {"-c", "freeplay='" + test::freeplay_program() + "'; " + command}, directory.path())
      .wait(std::chrono::seconds(60))
      .exit_code;
}

TEST(CommandLine, EveryCommandHasHelpWithAnExample) {
  const ScratchDirectory directory;
  for (const std::string& command : commands) {
    const ProcessResult result = run_freeplay({command, "--help"}, directory.path());
    EXPECT_EQ(result.exit_code, exit_ok);
    EXPECT_TRUE(contains(result.out, "Example")) << excerpt(result.out);
    EXPECT_TRUE(contains(result.out, "  freeplay " + command)) << excerpt(result.out);
    EXPECT_EQ(result.err, "");
  }
}

TEST(CommandLine, HelpOfTheProgramNamesEveryCommandAndStartsQuickly) {
  const ScratchDirectory directory;
  const ProcessResult result = run_freeplay({"--help"}, directory.path());
  EXPECT_EQ(result.exit_code, exit_ok);
  for (const std::string& command : commands)
    EXPECT_TRUE(contains(result.out, "\n  " + command + " ")) << excerpt(result.out);
  EXPECT_TRUE(contains(result.out, "Example")) << excerpt(result.out);
  expect_quick_start("--help", result);
}

TEST(CommandLine, VersionIsThatOfTheProject) {
  const ScratchDirectory directory;
  const ProcessResult result = run_freeplay({"--version"}, directory.path());
  EXPECT_EQ(result.exit_code, exit_ok);
  EXPECT_TRUE(result.out.starts_with("freeplay " FREEPLAY_VERSION "\n")) << excerpt(result.out);
  for (const char* fact : {"\ncommit ", "\nprocessor ", "\nlibraries ", "PETSc 3"})
    EXPECT_TRUE(contains(result.out, fact)) << fact << excerpt(result.out);
}

TEST(CommandLine, CheckAsJsonHasWhatTheTableHas) {
  const ScratchDirectory directory;
  const ProcessResult result = run_freeplay(
      {"check", test::source_directory() + "/input/first_model.yaml", "--set", "parameters.r=40 mm", "--json"},
      directory.path());
  EXPECT_EQ(result.exit_code, exit_ok);
  const nlohmann::json json = nlohmann::json::parse(result.out, nullptr, false);
  ASSERT_TRUE(json.is_object()) << excerpt(result.out);
  EXPECT_EQ(json["ok"], true);
  EXPECT_EQ(json["size"]["mobility"], 1);
  // Half of the crank's radius: the middle of the rod.
  EXPECT_NEAR(json["bodies"]["rod"]["position"][1].get<double>(), 0.02, 1e-9);
  EXPECT_EQ(json["as_written"]["parameters"]["r"], "40 mm");
  EXPECT_EQ(json["columns"]["piston.position.x"], "m");
}

TEST(CommandLine, ErrorsAsJsonHavePlaceKeyAndMessage) {
  const ScratchDirectory directory;
  const std::string file = test::source_directory() + "/tests/bad_input/unknown_joint_type.yaml";
  for (const char* command : {"check", "run", "modes", "stiction"}) {
    const ProcessResult result = run_freeplay({command, file, "--json"}, directory.path());
    EXPECT_EQ(result.exit_code, exit_input_error);
    const nlohmann::json json = nlohmann::json::parse(result.out, nullptr, false);
    ASSERT_TRUE(json.is_object()) << command << excerpt(result.out);
    const nlohmann::json& error = json["errors"][0];
    EXPECT_EQ(error["file"], file);
    EXPECT_EQ(error["key"], "joints.pin.revolut");
    EXPECT_EQ(error["severity"], "error");
    const std::string line = file + ":" + error["line"].dump() + ":" + error["column"].dump() +
                             ": error: " + error["key"].get<std::string>() + ": " + error["message"].get<std::string>();
    EXPECT_TRUE(contains(result.err, line)) << line << excerpt(result.err);
  }
  EXPECT_TRUE(std::filesystem::is_empty(directory.path()));
}

TEST(CommandLine, RunAsJsonIsTheSummary) {
  const ScratchDirectory directory;
  const ProcessResult result = run_freeplay(
      {"run", test::source_directory() + "/input/first_model.yaml", "--end", "4 ms", "-o", "here", "--json"},
      directory.path());
  EXPECT_EQ(result.exit_code, exit_ok);
  EXPECT_EQ(result.out, file_text(directory / "here/summary.json"));
}

TEST(CommandLine, ExamplesAreCopiedAndNothingIsOverwritten) {
  const ScratchDirectory directory;
  EXPECT_EQ(run_freeplay({"examples", "models"}, directory.path()).exit_code, exit_ok);
  EXPECT_EQ(file_text(directory / "models/first_model.yaml"),
            file_text(test::source_directory() + "/input/first_model.yaml"));
  EXPECT_TRUE(std::filesystem::exists(directory / "models/stiction_loop/ex1.yaml"));
  const ProcessResult again = run_freeplay({"examples", "models"}, directory.path());
  EXPECT_EQ(again.exit_code, exit_input_error);
  EXPECT_TRUE(contains(again.err, "nothing is overwritten")) << excerpt(again.err);
}

TEST(CommandLine, ManualPageAndCompletionKnowEveryCommandOfTheHelp) {
  const ScratchDirectory directory;
  const std::string manual = run_freeplay({"man"}, directory.path()).out;
  const std::string completion = run_freeplay({"completion"}, directory.path()).out;
  for (const std::string& command : commands) {
    EXPECT_TRUE(contains(manual, ".SS freeplay " + command + "\n"));
    EXPECT_TRUE(contains(completion, "    " + command + ") options="));
  }
  EXPECT_TRUE(contains(manual, "\\fB\\-\\-continue\\fR"));
  EXPECT_FALSE(contains(run_freeplay({"--help"}, directory.path()).out, "completion"));
  EXPECT_EQ(
      shell("$freeplay completion > c && source ./c && COMP_WORDS=(freeplay run --con) COMP_CWORD=2 && _freeplay && "
            "[[ ${COMPREPLY[0]} == --continue ]]"),
      exit_ok);
}

TEST(CommandLine, SchemaIsJsonAndStartsQuickly) {
  const ScratchDirectory directory;
  const ProcessResult result = run_freeplay({"schema"}, directory.path());
  EXPECT_EQ(result.exit_code, exit_ok);
  const nlohmann::json schema = nlohmann::json::parse(result.out, nullptr, false);
  ASSERT_TRUE(schema.is_object()) << excerpt(result.out);
  EXPECT_TRUE(schema.contains("$schema"));
  EXPECT_TRUE(schema["properties"].contains("bodies"));
  expect_quick_start("schema", result);
}

TEST(CommandLine, ReferenceIsTheManualOfTheModelFile) {
  const ScratchDirectory directory;
  const ProcessResult result = run_freeplay({"reference"}, directory.path());
  EXPECT_EQ(result.exit_code, exit_ok);
  EXPECT_TRUE(result.out == file_text(test::source_directory() + "/doc/input.md"))
      << "doc/input.md is not current: build/freeplay reference > doc/input.md";
}

TEST(CommandLine, InputErrorIsFoundQuickly) {
  const ScratchDirectory directory;
  const ProcessResult result =
      run_freeplay({"run", test::source_directory() + "/tests/bad_input/unknown_joint_type.yaml"}, directory.path());
  EXPECT_EQ(result.exit_code, exit_input_error);
  expect_quick_start("an input error", result);
}

TEST(CommandLine, WrongCommandLinesAreInputErrors) {
  const ScratchDirectory directory;
  const std::vector<std::vector<std::string>> wrong{
      {},
      {"rnu"},
      {"run"},
      {"run", "a.yaml", "b.yaml"},
      {"run", "a.yaml", "--nonsense"},
      {"run", "a.yaml", "--continue"},
      {"run", "a.yaml", "--set"},
      {"run", "a.yaml", "--set", "no-equals-sign"},
      {"run", "a.yaml", "--set", "=1"},
      {"schema", "a.yaml"},
  };
  for (const std::vector<std::string>& arguments : wrong) {
    const ProcessResult result = run_freeplay(arguments, directory.path());
    EXPECT_EQ(result.exit_code, exit_input_error) << testing::PrintToString(arguments);
    EXPECT_EQ(result.out, "");
    EXPECT_NE(result.err, "");
  }
  EXPECT_TRUE(std::filesystem::is_empty(directory.path()));
}

TEST(CommandLine, WrongCommandGetsASuggestion) {
  const ScratchDirectory directory;
  EXPECT_TRUE(contains(run_freeplay({"chekc"}, directory.path()).err, "did you mean 'check'?"));
}

TEST(CommandLine, ClosedStreamsAreNoCrash) {
  EXPECT_EQ(shell("set -o pipefail; $freeplay schema | head -1 >/dev/null"), exit_ok);
  EXPECT_EQ(shell("set -o pipefail; $freeplay --help | true"), exit_ok);
  EXPECT_EQ(shell("$freeplay schema >&- 2>&-"), exit_ok);
  EXPECT_EQ(shell("$freeplay check missing.yaml <&- >&- 2>&-"), exit_input_error);
}

TEST(CommandLine, FullDiskIsReported) {
  ASSERT_EQ(access("/dev/full", W_OK), 0);
  EXPECT_NE(shell("$freeplay schema >/dev/full 2>/dev/null"), exit_ok);
}

}  // namespace
}  // namespace freeplay::test
