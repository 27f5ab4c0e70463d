#include <signal.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <thread>

#include "app/deck.h"
#include "app/history.h"
#include "freeplay/base/exit_code.h"
#include "paths.h"

namespace freeplay::test {
namespace {

namespace fs = std::filesystem;
using std::chrono::seconds;

// Would take days: only a signal or --end ends it.
const std::string endless_pendulum =
    "freeplay: 1\n"
    "gravity: [0, -9.81, 0]\n"
    "bodies:\n"
    "  rod: {rigid: {mass: 1 kg, inertia: [0.1, 0.1, 0.1], at: [0.5, 0, 0], points: {tip: [0.5, 0, 0]}}}\n"
    "joints:\n"
    "  pin: {revolute: {between: [ground, rod], at: [0, 0, 0], axis: [0, 0, 1]}}\n"
    "analysis: {dynamic: {end: 1e9 s, step: 1 ms}}\n"
    "output: {every: 50 ms, checkpoint-every: 0.5 s, paraview: {every: 1 s}}\n";

nlohmann::json read_json(const fs::path& file) { return nlohmann::json::parse(file_text(file), nullptr, false); }

/// A run of the endless pendulum into DIR/results.
class EndlessRun {
 public:
  EndlessRun() {
    write_file(directory_ / "pendulum.yaml", endless_pendulum);
    process_.emplace(test::freeplay_program(), std::vector<std::string>{"run", "pendulum.yaml", "-o", "results"},
                     directory_.path());
  }

  /// Waits until the run has written results and a checkpoint.
  bool is_under_way() {
    const auto deadline = std::chrono::steady_clock::now() + seconds(60);
    while (process_->is_running() && std::chrono::steady_clock::now() < deadline) {
      const bool has_rows = lines_of(file_text(directory_ / "results/history.csv")).size() > 20;
      if (has_rows && fs::exists(directory_ / "results/checkpoint")) return true;
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
    return false;
  }

  ProcessResult end_by(int signal) {
    process_->send(signal);
    return process_->wait(seconds(30));
  }

  ProcessResult wait_after_failure() { return end_by(SIGKILL); }
  const ScratchDirectory& directory() const { return directory_; }
  fs::path results() const { return directory_ / "results"; }

 private:
  ScratchDirectory directory_;
  std::optional<Process> process_;
};

/// The series can be opened in ParaView: the index is complete, and so is every file in it.
void expect_readable_paraview_series(const fs::path& results) {
  const std::string index = file_text(results / "model.pvd");
  EXPECT_NE(index.find("</VTKFile>"), std::string::npos) << index;
  const std::regex file_attribute("file=\"([^\"]+)\"");
  int n_files = 0;
  for (std::sregex_iterator match(index.begin(), index.end(), file_attribute), end; match != end; ++match, ++n_files) {
    const fs::path part = results / (*match)[1].str();
    EXPECT_NE(file_text(part).find("</VTKFile>"), std::string::npos) << part;
  }
  EXPECT_GT(n_files, 0);
}

/// Continues a run for a second of model time and compares it with a run that was never stopped.
void expect_continuation(const EndlessRun& run) {
  const double stopped = read_history(run.results() / "history.csv").last_time();
  const std::string end = std::to_string(std::ceil(stopped) + 1.0) + " s";
  const fs::path& directory = run.directory().path();
  const ProcessResult rest =
      run_freeplay({"run", "pendulum.yaml", "-o", "results", "--continue", "--end", end}, directory, seconds(120));
  ASSERT_EQ(rest.exit_code, exit_ok) << rest.err;
  const ProcessResult whole =
      run_freeplay({"run", "pendulum.yaml", "-o", "whole", "--end", end}, directory, seconds(120));
  ASSERT_EQ(whole.exit_code, exit_ok) << whole.err;
  EXPECT_TRUE(file_text(run.results() / "history.csv") == file_text(directory / "whole/history.csv"));
  expect_readable_paraview_series(run.results());
}

class NumericalFailureDeck : public testing::TestWithParam<fs::path> {};

TEST_P(NumericalFailureDeck, NamesThePlaceAndLeavesReadableResults) {
  const ScratchDirectory directory;
  const Deck deck = read_deck(GetParam());
  expect_failure(deck, run_freeplay({"run", deck.file, "-o", "results"}, directory.path()), exit_numerical_failure);
  const History history = read_history(directory / "results/history.csv");
  ASSERT_TRUE(deck.last_time.has_value());
  EXPECT_GE(history.last_time(), deck.last_time->first);
  EXPECT_LE(history.last_time(), deck.last_time->second);
  EXPECT_TRUE(read_json(directory / "results/summary.json").is_object());
}

INSTANTIATE_TEST_SUITE_P(Deck, NumericalFailureDeck, testing::ValuesIn(deck_files("numerical_failure")),
                         name_of_deck_test);

TEST(Run, InterruptWritesWhatThereIs) {
  EndlessRun run;
  ASSERT_TRUE(run.is_under_way()) << run.wait_after_failure().err;
  const ProcessResult result = run.end_by(SIGINT);
  EXPECT_EQ(result.exit_code, exit_interrupted) << excerpt(result.err);
  const History history = read_history(run.results() / "history.csv");
  EXPECT_EQ(history.columns.front(), "time [s]");
  EXPECT_NO_THROW(history.column("rod.tip.position.x [m]"));
  EXPECT_TRUE(read_json(run.results() / "summary.json").is_object());
  EXPECT_NE(result.out.find("to go on         freeplay run pendulum.yaml -o results --continue\n"), std::string::npos)
      << excerpt(result.out);
  expect_readable_paraview_series(run.results());
}

TEST(Run, KillLeavesReadableFiles) {
  EndlessRun run;
  ASSERT_TRUE(run.is_under_way()) << run.wait_after_failure().err;
  EXPECT_EQ(run.end_by(SIGKILL).signal, SIGKILL);
  EXPECT_GT(read_history(run.results() / "history.csv").rows.size(), 0u);
  expect_readable_paraview_series(run.results());
}

// Protects: a drive that starts from rest has few digits in its first nanoseconds, where 1 - exp(-t) cancels; the step
// control must not ask for more than there are. (It gave up at 4e-8 s.)
TEST(Run, StartsADriveWhoseFirstDigitsCancel) {
  const ScratchDirectory directory;
  const ProcessResult result =
      run_freeplay({"run", test::source_directory() + "/input/slider_crank.yaml", "-o", "out", "--end", "2 s", "--set",
                    "analysis.dynamic.max-steps=300", "--set",
                    "joints.shaft.revolute.drive.angle=${speed} * (t - ${ramp} * (1 - exp(-t / ${ramp})))"},
                   directory.path());
  EXPECT_NE(result.err.find("the limit of 300 steps is reached"), std::string::npos) << excerpt(result.err);
}

TEST(Run, DiskThatIsFullIsNamedAndIsNoCrash) {
  const ScratchDirectory directory;
  write_file(directory / "pendulum.yaml", endless_pendulum);
  // Files may have 200 blocks of 512 bytes; then they cannot be written, as on a full disk.
  const std::string command =
      "trap '' XFSZ; ulimit -f 200; exec " + test::freeplay_program() + " run pendulum.yaml -o results";
  const ProcessResult result = Process("/bin/bash", {"-c", command}, directory.path()).wait(seconds(60));
  EXPECT_EQ(result.exit_code, exit_output_error) << "signal " << result.signal << ": " << excerpt(result.err);
  EXPECT_NE(result.err.find("cannot write"), std::string::npos) << excerpt(result.err);
  EXPECT_NO_THROW(read_history(directory / "results/history.csv").column("rod.tip.position.x [m]"));
}

TEST(Run, ContinuesAnInterruptedRun) {
  EndlessRun run;
  ASSERT_TRUE(run.is_under_way()) << run.wait_after_failure().err;
  ASSERT_EQ(run.end_by(SIGINT).exit_code, exit_interrupted);
  expect_continuation(run);
}

TEST(Run, ContinuesAKilledRun) {
  EndlessRun run;
  ASSERT_TRUE(run.is_under_way()) << run.wait_after_failure().err;
  run.end_by(SIGKILL);
  expect_continuation(run);
}

// Protects: a forgotten --set is named, with the value that differs.
TEST(Run, ContinuesOnlyTheSameModel) {
  const ScratchDirectory directory;
  write_file(directory / "pendulum.yaml", endless_pendulum);
  const std::vector<std::string> run{"run", "pendulum.yaml", "-o", "results", "--end"};
  const auto with = [&](const std::vector<std::string>& more) {
    std::vector<std::string> list = run;
    list.insert(list.end(), more.begin(), more.end());
    return list;
  };
  ASSERT_EQ(run_freeplay(with({"0.1 s", "--set", "bodies.rod.rigid.mass=2 kg"}), directory.path()).exit_code, exit_ok);
  const ProcessResult result = run_freeplay(with({"0.2 s", "--continue"}), directory.path());
  EXPECT_EQ(result.exit_code, exit_input_error);
  EXPECT_NE(result.err.find("then 'bodies.rod.rigid.mass: 2 kg', now 'bodies.rod.rigid.mass: 1 kg'"), std::string::npos)
      << excerpt(result.err);
  EXPECT_NE(result.err.find("the same --set"), std::string::npos) << excerpt(result.err);
  EXPECT_TRUE(result.err.ends_with('\n'));
}

// Protects: a run that was killed before it had anything to continue from begins again.
TEST(Run, ContinuesARunThatHasHardlyBegun) {
  const ScratchDirectory directory;
  write_file(directory / "pendulum.yaml", endless_pendulum);
  fs::create_directory(directory / "results");
  const std::vector<std::string> words{"run", "pendulum.yaml", "-o", "results", "--end", "0.2 s", "--continue"};
  ASSERT_EQ(run_freeplay(words, directory.path()).exit_code, exit_ok);
  EXPECT_EQ(read_history(directory / "results/history.csv").rows.size(), 5u);
  fs::remove(directory / "results/checkpoint");
  const ProcessResult result = run_freeplay(words, directory.path());
  EXPECT_EQ(result.exit_code, exit_input_error);
  EXPECT_NE(result.err.find("there is no checkpoint in 'results'"), std::string::npos) << excerpt(result.err);
}

TEST(Run, TwoRunsDoNotShareADirectory) {
  EndlessRun run;
  ASSERT_TRUE(run.is_under_way()) << run.wait_after_failure().err;
  const ProcessResult second =
      run_freeplay({"run", "pendulum.yaml", "-o", "results", "--continue"}, run.directory().path());
  EXPECT_EQ(second.exit_code, exit_input_error);
  EXPECT_NE(second.err.find("in use"), std::string::npos) << second.err;
}

TEST(Run, ResultsGetANewDirectoryEachTime) {
  const ScratchDirectory directory;
  write_file(directory / "pendulum.yaml", endless_pendulum);
  for (const char* expected : {"results/pendulum", "results/pendulum-2"}) {
    const ProcessResult result = run_freeplay({"run", "pendulum.yaml", "--end", "10 ms", "--quiet"}, directory.path());
    ASSERT_EQ(result.exit_code, exit_ok) << excerpt(result.err);
    EXPECT_EQ(result.out, "");
    EXPECT_TRUE(fs::exists(directory / (std::string(expected) + "/history.csv")));
  }
}

TEST(Run, SettingsChangeTheModel) {
  const ScratchDirectory directory;
  write_file(directory / "pendulum.yaml", endless_pendulum);
  const ProcessResult result = run_freeplay({"run", "pendulum.yaml", "--end", "0.1 s", "-o", "results", "--set",
                                             "gravity=[0, 0, 0]", "--set", "output.every=100 ms"},
                                            directory.path());
  ASSERT_EQ(result.exit_code, exit_ok) << excerpt(result.err);
  const History history = read_history(directory / "results/history.csv");
  ASSERT_EQ(history.rows.size(), 2u);
  EXPECT_EQ(history.column("rod.tip.position.x [m]").back(), 1.0);
}

TEST(Check, DescribesTheModelAndWritesNothing) {
  const ScratchDirectory directory;
  write_file(directory / "pendulum.yaml", endless_pendulum);
  const ProcessResult result = run_freeplay({"check", "pendulum.yaml"}, directory.path());
  EXPECT_EQ(result.exit_code, exit_ok) << excerpt(result.err);
  EXPECT_NE(result.out.find("rod"), std::string::npos) << excerpt(result.out);
  EXPECT_NE(result.out.find("pin"), std::string::npos) << excerpt(result.out);
  fs::remove(directory / "pendulum.yaml");
  EXPECT_TRUE(fs::is_empty(directory.path()));
}

// Protects: what assembly made of the file can be seen: where each body is, how far that is from what was written, and
// warnings. The pendulum is written 0.1 m off its hinge and a quarter turn off its drive.
TEST(Check, TellsWhereBodiesAre) {
  const ScratchDirectory directory;
  write_file(directory / "model.yaml",
             "freeplay: 1\n"
             "ground: {points: {O: [0, 0, 0]}}\n"
             "sections: {s: {circle: {radius: 10 mm}, material: {E: 200 GPa, poisson: 0.3, density: 1000/pi}}}\n"
             "bodies:\n"
             "  p: {rigid: {mass: 1, inertia: 1, at: [100 mm, 0, 0], rotation: {axis: [0, 0, 1], angle: 9}}}\n"
             "  q: {rigid: {mass: 1, inertia: 1}}\n"
             "  b: {beam: {section: s, from: [1, 0, 0], to: [3, 0, 0], fix: {start: [x, y, z, rx, ry, rz]}}}\n"
             "joints:\n"
             "  h: {revolute: {between: [ground.O, p], axis: [0, 0, 1]}}\n"
             "  k: {fixed: {between: [b.end, q]}}\n"
             "analysis: {dynamic: {end: 1 ms}}\n");
  const std::string warning =
      "model.yaml:5:91: warning: bodies.p.rigid.rotation.angle: 9 has no unit and counts as rad, which is more than a "
      "turn: write '9 deg' or '9 rad'\n";
  const ProcessResult result = run_freeplay({"check", "model.yaml"}, directory.path());
  EXPECT_EQ(result.exit_code, exit_ok) << excerpt(result.err);
  for (const std::string& line :
       {std::string("  p                mass 1 kg, inertia (1, 1, 1) kg m^2\n"
                    "                   at (0, 0, 0) m, turned by 155.662 deg about (0, 0, 1); assembly has moved it "
                    "by 0.1 m\n"),
        std::string("                   at (3, 0, 0) m, placed by assembly\n"),
        std::string("  b                beam, mass 0.2 kg, section s, 2 m, 4 elements of degree 3\n"
                    "                   from (1, 0, 0) to (3, 0, 0) m\n"),
        std::string("assembly moved 'p' by 0.1 m to close the joints\n"), warning})
    EXPECT_NE(result.out.find(line), std::string::npos) << line << excerpt(result.out);
  const ProcessResult run = run_freeplay({"run", "model.yaml", "-o", "out"}, directory.path());
  EXPECT_EQ(run.exit_code, exit_ok) << excerpt(run.err);
  EXPECT_NE(run.err.find(warning), std::string::npos) << excerpt(run.err);
  EXPECT_NE(file_text(directory / "out/run.log").find("counts as rad"), std::string::npos);
}

TEST(Check, NamesJointsWithClearanceAndTheirLaws) {
  const ScratchDirectory directory;
  write_file(directory / "ball.yaml",
             "freeplay: 1\n"
             "bodies: {ball: {rigid: {mass: 1, inertia: 0.01, at: [0, 0, 0.2]}}}\n"
             "contacts: {steel: {hertz: {stiffness: 1e9}}}\n"
             "frictions: {dry: {regularised-coulomb: {coefficient: 0.2, velocity: 1 mm/s}}}\n"
             "joints:\n"
             "  rail: {point-on-plane: {between: [ground, ball], at: [0, 0, 0.2], axis: [0, 1, 0],\n"
             "                          friction: {law: dry}}}\n"
             "  floor: {ball-on-plane: {between: [ground, ball], normal: [0, 0, 1], radius: 0.1,\n"
             "                          contact: steel, friction: dry}}\n"
             "analysis: {dynamic: {end: 1 s}}\n");
  const ProcessResult result = run_freeplay({"check", "ball.yaml"}, directory.path());
  EXPECT_EQ(result.exit_code, exit_ok) << excerpt(result.err);
  for (const char* line :
       {"rail             point-on-plane ground - ball, 1 equations, friction dry (regularised-coulomb)\n",
        "floor            ball-on-plane  ground - ball, contact steel (hertz), friction dry "
        "(regularised-coulomb)\n"})
    EXPECT_NE(result.out.find(line), std::string::npos) << excerpt(result.out);
}

/// Sums over elements in another order differ in their last digits.
void expect_same(const History& actual, const History& expected) {
  constexpr double other_sums = 1e-9;
  ASSERT_EQ(actual.columns, expected.columns);
  ASSERT_EQ(actual.rows.size(), expected.rows.size());
  for (size_t row = 0; row < actual.rows.size(); ++row)
    for (size_t column = 0; column < actual.columns.size(); ++column) {
      const double value = expected.rows[row][column];
      ASSERT_NEAR(actual.rows[row][column], value, other_sums * std::max(1.0, std::abs(value)))
          << actual.columns[column] << " at " << expected.rows[row].front() << " s";
    }
}

// Protects: elements shared out to two processes give the same motion, and only one of them writes.
TEST(Run, two_processes_do_the_same_as_one) {
  const ScratchDirectory directory;
  const std::string model = test::source_directory() + "/input/flexible_pendulum.yaml";
  const std::vector<std::string> arguments{"run", model, "--end", "0.05 s", "-o"};
  const auto into = [&](std::vector<std::string> list, const char* results) {
    list.insert(list.end(), arguments.begin(), arguments.end());
    list.push_back(results);
    return list;
  };
  const ProcessResult alone = Process(test::freeplay_program(), into({}, "one"), directory.path()).wait(seconds(60));
  ASSERT_EQ(alone.exit_code, exit_ok) << alone.err;
  const ProcessResult both =
      Process("/usr/bin/env",
              into({"mpirun", "--allow-run-as-root", "--oversubscribe", "-n", "2", test::freeplay_program()}, "two"),
              directory.path())
          .wait(seconds(120));
  ASSERT_EQ(both.exit_code, exit_ok) << both.err;
  expect_same(read_history(directory / "two/history.csv"), read_history(directory / "one/history.csv"));
}

/// `freeplay modes --json` on some processes.
nlohmann::json modes_of(const std::string& model, const char* n_processes, const fs::path& directory) {
  const ProcessResult result =
      Process("/usr/bin/env",
              {"mpirun", "--allow-run-as-root", "--oversubscribe", "-n", n_processes, test::freeplay_program(), "modes",
               test::source_directory() + model, "--json", "-n", "4", "-o", std::string("modes") + n_processes},
              directory)
          .wait(seconds(120));
  EXPECT_EQ(result.exit_code, exit_ok) << result.err;
  // Written once, and not by all of them.
  EXPECT_TRUE(result.out.starts_with("{")) << result.out;
  EXPECT_EQ(result.out.find("\n}"), result.out.rfind("\n}")) << result.out;
  return nlohmann::json::parse(result.out, nullptr, false);
}

// Protects: modes whose factors are shared out to two processes are those of one, without and with damping.
TEST(Run, two_processes_find_the_modes_of_one) {
  constexpr double other_sums = 1e-7;
  for (const char* model : {"/tests/hand_formulas/tip_mass.yaml", "/input/supercritical_rotor.yaml"}) {
    const ScratchDirectory directory;
    const auto alone = modes_of(model, "1", directory.path()), both = modes_of(model, "2", directory.path());
    ASSERT_EQ(both["modes"].size(), 4U) << both;
    for (std::size_t k = 0; k < 4; ++k)
      for (const char* key : {"angular_frequency", "decay_rate"}) {
        const double value = alone["modes"][k][key];
        EXPECT_NEAR(both["modes"][k][key], value, other_sums * std::max(1.0, std::abs(value))) << model << " " << key;
      }
  }
}

// Protects: a package that knows nothing of other processes is not asked to share a model.
TEST(Run, a_chosen_solver_gives_the_same_motion_and_is_for_one_process) {
  const ScratchDirectory directory;
  const std::string model = test::source_directory() + "/input/slider_crank.yaml";
  const auto run = [&](const std::string& solver) {
    const ProcessResult result = run_freeplay(
        {"run", model, "--end", "20 ms", "--set", "analysis.dynamic.solver=" + solver, "-o", solver}, directory.path());
    EXPECT_EQ(result.exit_code, exit_ok) << result.err;
    return read_history(directory / (solver + "/history.csv"));
  };
  const History expected = run("automatic");
  const std::size_t x = std::ranges::find(expected.columns, "rod.end.position.x [m]") - expected.columns.begin();
  ASSERT_LT(x, expected.columns.size());
  for (const char* solver : {"klu", "umfpack", "superlu", "mumps"}) {
    constexpr double other_factors = 1e-9;
    const History actual = run(solver);
    ASSERT_EQ(actual.rows.size(), expected.rows.size());
    EXPECT_NEAR(actual.rows.back()[x], expected.rows.back()[x], other_factors) << solver;
  }
  const ProcessResult both =
      Process("/usr/bin/env",
              {"mpirun", "--allow-run-as-root", "--oversubscribe", "-n", "2", test::freeplay_program(), "run", model,
               "--set", "analysis.dynamic.solver=mumps", "-o", "both"},
              directory.path())
          .wait(seconds(120));
  EXPECT_EQ(both.exit_code, exit_input_error);
  EXPECT_NE(both.err.find("analysis.dynamic.solver: is for one process"), std::string::npos) << both.err;
}

}  // namespace
}  // namespace freeplay::test
