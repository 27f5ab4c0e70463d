#include <signal.h>

#include <map>
#include <nlohmann/json.hpp>
#include <thread>

#include "app/deck.h"
#include "freeplay/base/exit_code.h"
#include "paths.h"

namespace freeplay::test {
namespace {

namespace fs = std::filesystem;
using std::chrono::seconds;

// Whatever remembers something: a contact and a joint with bristles, a joint with true stick, a beam.
const std::string model = R"yaml(freeplay: 1
gravity: [0, 0, -9.81]
sections: {s: {stiffness: {axial: 1e5, shear: 4e4, bending: 5, torsion: 4}, mass: 1, rotary: [0.001, 0.001, 0.002]}}
frictions:
  bristles: {lugre: {static: 0.4, kinetic: 0.3, sigma0: 1e5, sigma1: 100, stribeck-velocity: 0.01}}
  dry: {coulomb: {static: 0.5, kinetic: 0.3}}
contacts: {rubber: {flores: {stiffness: 1e6, restitution: 0.7}}}
ground: {points: {far: [-1, 6, 0]}}
bodies:
  ball: {rigid: {mass: 1 kg, inertia: 0.004, at: [0, 0, 0.11], velocity: [1, 0, 0]}}
  arm: {rigid: {mass: 1 kg, inertia: 0.1, at: [0.5, 3, 1]}}
  belt: {rigid: {mass: 1 kg, inertia: 0.1, at: [0, 6, 0]}}
  block: {rigid: {mass: 1 kg, inertia: 0.1, at: [0, 6, 0.1]}}
  rope: {beam: {section: s, from: [0, 9, 0], to: [1, 9, 0], elements: 3}}
joints:
  floor: {ball-on-plane: {between: [ground, ball], normal: [0, 0, 1], radius: 0.1, contact: rubber, friction: bristles}}
  pin: {revolute: {between: [ground, arm], at: [0, 3, 1], axis: [0, 1, 0], friction: {law: bristles, radius: 0.05}}}
  track: {prismatic: {between: [ground, belt], at: [0, 6, 0], axis: [1, 0, 0]}}
  top: {prismatic: {between: [belt, block], at: [0, 6, 0.05], axis: [1, 0, 0], friction: {law: dry}}}
  hook: {spherical: {between: [ground, rope.start]}}
springs:
  shaker: {translational: {between: [ground.far, belt], stiffness: 500, free-length: 1.2}}
  pull: {translational: {between: [ground.far, block], stiffness: 20, free-length: 1}}
analysis: {dynamic: {end: 0.8 s}}
output: {every: 1 ms, checkpoint-every: 1 ms, paraview: {every: 50 ms}}
)yaml";

/// All that must not depend on whether a run was interrupted, by the name of the file.
std::map<std::string, std::string> contents(const fs::path& results) {
  std::map<std::string, std::string> files;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(results))
    if (entry.is_regular_file()) files[fs::relative(entry.path(), results).string()] = file_text(entry.path());
  files.erase("run.log");
  files.erase("checkpoint");
  nlohmann::json summary = nlohmann::json::parse(files["summary.json"]);
  summary.erase("seconds");
  summary.erase("results");
  files["summary.json"] = summary.dump();
  return files;
}

class Continue : public testing::Test {
 protected:
  Continue() {
    write_file(directory_ / "model.yaml", model);
    EXPECT_EQ(run({"-o", "whole"}).exit_code, exit_ok);
  }

  ProcessResult run(std::vector<std::string> words) {
    words.insert(words.begin(), {"run", "model.yaml", "--quiet"});
    return run_freeplay(words, directory_.path(), seconds(120));
  }

  void end_after_first_checkpoint(int signal) {
    Process process(freeplay_program(), {"run", "model.yaml", "--quiet", "-o", "results"}, directory_.path());
    while (process.is_running() && !fs::exists(directory_ / "results/checkpoint"))
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    process.send(signal);
    process.wait(seconds(30));
  }

  void expect_same_files() {
    const auto found = contents(directory_ / "results"), expected = contents(directory_ / "whole");
    for (const auto& [name, content] : expected) {
      ASSERT_TRUE(found.contains(name)) << name;
      EXPECT_TRUE(found.at(name) == content) << name << " differs";
    }
    EXPECT_EQ(found.size(), expected.size());
  }

  ScratchDirectory directory_;
};

// Protects: a run that was stopped and continued, twice, has the same files as one that was not, byte for byte: history
// in both forms, events, pictures, counts and extremes of the summary.
TEST_F(Continue, AfterTheStepLimitLeadsToTheSameFiles) {
  const auto steps =
      nlohmann::json::parse(file_text(directory_ / "whole/summary.json"))["steps"]["accepted"].get<int>();
  ASSERT_GT(steps, 2000);  // so that there are points to continue from
  const std::string limit = "analysis.dynamic.max-steps=";
  EXPECT_EQ(run({"-o", "results", "--set", limit + "500"}).exit_code, exit_numerical_failure);
  EXPECT_EQ(run({"-o", "results", "--continue", "--set", limit + "1300"}).exit_code, exit_numerical_failure);
  ASSERT_EQ(run({"-o", "results", "--continue"}).exit_code, exit_ok);
  // The limit is not part of the result.
  expect_same_files();
}

TEST_F(Continue, AfterCtrlCLeadsToTheSameFiles) {
  end_after_first_checkpoint(SIGINT);
  ASSERT_EQ(run({"-o", "results", "--continue"}).exit_code, exit_ok);
  expect_same_files();
}

TEST_F(Continue, AfterAKillLeadsToTheSameFiles) {
  end_after_first_checkpoint(SIGKILL);
  ASSERT_EQ(run({"-o", "results", "--continue"}).exit_code, exit_ok);
  expect_same_files();
}

// Protects: without history.nc, which some remove to save space, a run goes on; the file then has the digits of the
// CSV.
TEST_F(Continue, MakesALostNetcdfFileAnew) {
  end_after_first_checkpoint(SIGKILL);
  fs::remove(directory_ / "results/history.nc");
  ASSERT_EQ(run({"-o", "results", "--continue"}).exit_code, exit_ok);
  EXPECT_TRUE(file_text(directory_ / "results/history.csv") == file_text(directory_ / "whole/history.csv"));
  EXPECT_EQ(fs::file_size(directory_ / "results/history.nc"), fs::file_size(directory_ / "whole/history.nc"));
  EXPECT_NE(file_text(directory_ / "results/run.log").find("made anew"), std::string::npos);
}

// Protects: a run that was killed between its last row and its summary gets the summary.
TEST_F(Continue, WritesAMissingSummary) {
  fs::remove(directory_ / "whole/summary.json");
  EXPECT_EQ(run({"-o", "whole", "--continue"}).exit_code, exit_ok);
  EXPECT_TRUE(fs::exists(directory_ / "whole/summary.json"));
  EXPECT_EQ(run({"-o", "whole", "--continue"}).exit_code, exit_input_error);
}

}  // namespace
}  // namespace freeplay::test
