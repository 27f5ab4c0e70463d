#include <csignal>
#include <nlohmann/json.hpp>
#include <regex>
#include <thread>

#include "app/deck.h"
#include "freeplay/base/exit_code.h"
#include "paths.h"

namespace freeplay::test {
namespace {

const std::string models = test::source_directory() + "/input/";

/// The text behind a label of the closing table; empty if there is no such line.
std::string entry(const std::string& table, const std::string& label) {
  for (const std::string& line : lines_of(table))
    if (line.starts_with("  " + label + " ")) return line.substr(std::min<std::size_t>(line.size(), 19));
  return "";
}

// Protects: the end of a run says how exact it was, and commands that work as they are printed.
TEST(RunOutput, ClosingTableSaysHowExactAndHowToGoOn) {
  const ScratchDirectory directory;
  const ProcessResult run =
      run_freeplay({"run", models + "first_model.yaml", "--end", "0.2 s", "-o", "with space"}, directory.path());
  ASSERT_EQ(run.exit_code, exit_ok) << run.err;
  EXPECT_LE(lines_of(run.out).size(), 11u);
  EXPECT_TRUE(contains(entry(run.out, "steps ruled by"), " %)"));
  EXPECT_TRUE(contains(entry(run.out, "accuracy"), "tolerance 0.0001"));
  EXPECT_TRUE(contains(entry(run.out, "energy balance"), "of the largest energy"));
  EXPECT_TRUE(contains(entry(run.out, "numerical loss"), "of the largest energy"));
  EXPECT_EQ(entry(run.out, "warnings"), "");
  // The end is not that of the file.
  EXPECT_EQ(entry(run.out, "how exact?"), "freeplay verify 'with space/resolved.yaml'");
  const std::string look = entry(run.out, "look at it");
  ASSERT_TRUE(look.starts_with("freeplay ")) << run.out;
  EXPECT_EQ(Process("/bin/bash", {"-c", "'" + test::freeplay_program() + "' " + look.substr(9)}, directory.path())
                .wait(std::chrono::seconds(60))
                .exit_code,
            exit_ok);
  const ProcessResult plain = run_freeplay({"run", models + "two_masses.yaml"}, directory.path());
  EXPECT_EQ(entry(plain.out, "how exact?"), "freeplay verify " + models + "two_masses.yaml");
}

// Protects: warnings are counted, and summary.json has them.
TEST(RunOutput, WarningsAreCounted) {
  const ScratchDirectory directory;
  const ProcessResult run =
      run_freeplay({"run", models + "stiction_loop/ex2c.yaml", "--end", "0.1 s", "-o", "loop"}, directory.path());
  ASSERT_EQ(run.exit_code, exit_ok) << run.err;
  const nlohmann::json summary = nlohmann::json::parse(file_text(directory / "loop/summary.json"));
  ASSERT_GT(summary["warnings"].size(), 0u);
  EXPECT_TRUE(entry(run.out, "warnings").starts_with(std::to_string(summary["warnings"].size()) + ", "));
  EXPECT_TRUE(contains(run.err, summary["warnings"][0].get<std::string>()));
}

// Protects: progress tells what makes the steps small, what the contacts do, and a remaining time.
TEST(RunOutput, ProgressNamesContactsAndWhatRulesTheStep) {
  const ScratchDirectory directory;
  Process run("/bin/bash",
              {"-c", "exec '" + test::freeplay_program() + "' run " + models +
                         "supercritical_rotor.yaml --end '100 s' -o rotor 2>progress.txt"},
              directory.path());
  const auto progress = [&] { return file_text(directory / "progress.txt"); };
  for (int tenths = 0; tenths < 1000 && run.is_running() && progress().find("ETA ") == std::string::npos; ++tenths)
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  run.send(SIGINT);
  EXPECT_EQ(run.wait(std::chrono::seconds(60)).exit_code, exit_interrupted);
  const std::regex line(R"( *[0-9.]+%  t \S+ s  dt \S+ s for (contact T|friction of T|motion of \w+|output|max-step)  )"
                        R"(free/stick/slip ([01])/([01])/([01])  energy \S+ J  ETA \S+)");
  const std::string first = progress().substr(0, progress().find('\n'));
  std::smatch counts;
  ASSERT_TRUE(std::regex_match(first, counts, line)) << first;
  EXPECT_EQ(std::stoi(counts[2]) + std::stoi(counts[3]) + std::stoi(counts[4]), 1) << first;
}

}  // namespace
}  // namespace freeplay::test
