#include <nlohmann/json.hpp>

#include "app/deck.h"
#include "freeplay/base/exit_code.h"

namespace freeplay::test {
namespace {

namespace fs = std::filesystem;

/// A rigid rotor on even springs of 1000 rad/s^2 per mass: bending at 31.6 rad/s.
const std::string rotor =
    "freeplay: 1\n"
    "bodies: {disk: {rigid: {mass: 2 kg, inertia: [0.01, 0.01, 0.02], at: [0, 0, 0]}}}\n"
    "joints: {flat: {planar: {between: [ground, disk], at: [0, 0, 0], axis: [0, 0, 1]}}}\n"
    "springs: {film: {bearing-coefficients: {between: [ground, disk], at: [0, 0, 0], axis: [0, 0, 1], stiffness: [[2 "
    "kN/m, 0], [0, 2 "
    "kN/m]], damping: [[2, 0], [0, 2]]}}}\n"
    "loads: {push: {force: {on: disk, value: [1 N, 0, 0]}}, other: {force: {on: disk, value: [0, 1 N, 0]}}}\n"
    "analysis: {static: {}}\n";

class RotorCommands : public testing::Test {
 protected:
  RotorCommands() { write_file(directory_ / "rotor.yaml", rotor); }
  ProcessResult freeplay(const std::string& command, std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {command, "rotor.yaml"});
    return run_freeplay(arguments, directory_.path());
  }
  void expect_complaint(const std::string& command, const std::vector<std::string>& arguments,
                        const std::string& message) {
    const ProcessResult result = freeplay(command, arguments);
    EXPECT_EQ(result.exit_code, exit_input_error);
    EXPECT_NE(result.err.find(message), std::string::npos) << result.err;
    const fs::path results = directory_.path() / "results";
    EXPECT_TRUE(!fs::exists(results) || fs::is_empty(results));
  }
  ScratchDirectory directory_;
};

// Protects: JSON on standard output and nothing else, the same in the file; the columns of campbell.csv that plots
// read.
TEST_F(RotorCommands, CampbellWritesWhatItPrints) {
  const ProcessResult result =
      freeplay("campbell", {"--speed", "0 .. 50 rad/s", "--points", "6", "-n", "2", "--json", "--quiet"});
  ASSERT_EQ(result.exit_code, exit_ok) << result.err;
  EXPECT_EQ(result.err, "");
  const nlohmann::json json = nlohmann::json::parse(result.out, nullptr, false);
  ASSERT_TRUE(json.is_object()) << excerpt(result.out);
  const fs::path results = directory_.path() / "results/rotor-campbell";
  EXPECT_EQ(nlohmann::json::parse(file_text(results / "campbell.json"), nullptr, false), json);
  EXPECT_EQ(json["speeds"].size(), 6u);
  EXPECT_EQ(json["rotor"], nlohmann::json::array({"disk"}));
  ASSERT_EQ(json["critical_speeds"].size(), 2u);
  constexpr double damped = 31.6188;  // sqrt(k/m - (c/2m)^2)
  for (const auto& critical : json["critical_speeds"]) EXPECT_NEAR(critical["speed"].get<double>(), damped, 1e-4);
  EXPECT_TRUE(json["stability_limit"].is_null());
  const std::string csv = file_text(results / "campbell.csv");
  EXPECT_TRUE(csv.starts_with("speed [rad/s],mode1.frequency [Hz],mode1.damping_ratio,mode1.whirl,mode2.frequency"))
      << excerpt(csv);
  EXPECT_EQ(std::ranges::count(csv, '\n'), 7);
}

// Protects: the table for people: rotor, notes, critical speeds, stability, where the results are.
TEST_F(RotorCommands, CampbellTable) {
  const ProcessResult result = freeplay("campbell", {"--speed", "0 rpm .. 500 rpm", "-o", "out"});
  ASSERT_EQ(result.exit_code, exit_ok) << result.err;
  for (const char* part : {"rotor: disk; axis of 'film' (0, 0, 1)", "critical speeds", "301.9", "forward", "backward",
                           "stable at all these speeds", "results          out", "look at it       freeplay report out",
                           "plot             freeplay plot out --campbell"})
    EXPECT_NE(result.out.find(part), std::string::npos) << part << "\n" << result.out;
  EXPECT_NE(result.err.find("note: loads are left out: push, other"), std::string::npos) << result.err;
}

// Protects: response to unbalance and to a load.
TEST_F(RotorCommands, Response) {
  const ProcessResult unbalance =
      freeplay("response", {"--speed", "0 .. 1000 rpm", "--unbalance", "disk: 10 g*mm at 90 deg", "-o", "u", "--json"});
  ASSERT_EQ(unbalance.exit_code, exit_ok) << unbalance.err;
  const nlohmann::json json = nlohmann::json::parse(unbalance.out, nullptr, false);
  EXPECT_EQ(json["response_to"], "unbalance");
  EXPECT_EQ(json["speed"].size(), 201u);
  EXPECT_TRUE(
      file_text(directory_ / "u/response.csv").starts_with("speed [rad/s],frequency [Hz],disk.displacement [m],"));
  const ProcessResult load = freeplay("response", {"--load", "push", "--frequency", "0.01 Hz .. 10 Hz", "--points", "3",
                                                   "-o", "l", "--json", "--quiet"});
  ASSERT_EQ(load.exit_code, exit_ok) << load.err;
  const nlohmann::json of_load = nlohmann::json::parse(load.out, nullptr, false);
  EXPECT_NEAR(of_load["quantities"][0]["amplitude_x"][0].get<double>(), 1.0 / 2000.0, 1e-8);
}

// Protects: reports and pictures from the results, and that the report is what --report makes of them.
TEST_F(RotorCommands, CanBeLookedAt) {
  const ProcessResult campbell =
      freeplay("campbell", {"--speed", "0 .. 500 rpm", "--points", "21", "-o", "c", "--report"});
  ASSERT_EQ(campbell.exit_code, exit_ok) << campbell.err;
  EXPECT_NE(campbell.out.find("report           c/report.html"), std::string::npos) << campbell.out;
  EXPECT_EQ(campbell.out.find("freeplay report"), std::string::npos) << "it is there already";
  const ProcessResult response =
      freeplay("response", {"--load", "push", "--frequency", "0.1 Hz .. 10 Hz", "-o", "r", "--report"});
  ASSERT_EQ(response.exit_code, exit_ok) << response.err;
  for (const char* name : {"c", "r"}) {
    const std::string page = file_text((directory_.path() / name / "report.html").string());
    EXPECT_NE(page.find("freeplay-data"), std::string::npos);
    EXPECT_GT(fs::file_size(directory_.path() / name / "modes.bin"), 0u);
  }
  for (const auto& [results, option] : {std::pair{"c", "--campbell"}, {"r", "--response"}}) {
    const ProcessResult plot =
        run_freeplay({"plot", results, option, "-o", std::string(results) + ".svg"}, directory_.path());
    EXPECT_EQ(plot.exit_code, exit_ok) << plot.err;
  }
  EXPECT_NE(file_text(directory_ / "r.svg").find("frequency [Hz]"), std::string::npos) << "not over the only speed";
}

// Protects: kind errors, and no results directory for them.
TEST_F(RotorCommands, Complaints) {
  expect_complaint("campbell", {}, "--speed is missing: give a range");
  expect_complaint("campbell", {"--speed", "10 .. 5 rpm"}, "is not a range of angular velocities");
  expect_complaint("campbell", {"--speed", "0 m .. 5 m"}, "is not a range of angular velocities");
  expect_complaint("campbell", {"--speed", "0 .. 5 rpm", "--joint", "fillm"}, "did you mean 'film'");
  expect_complaint("response", {"--speed", "0 .. 5 rpm"}, "the rotor has no unbalance");
  expect_complaint("response", {"--speed", "0 .. 5 rpm", "--unbalance", "disk 5"},
                   "is not PLACE: MASS*LENGTH at ANGLE");
  expect_complaint("response", {"--speed", "0 .. 5 rpm", "--unbalance", "disk: 5 kg"}, "is not PLACE: MASS*LENGTH");
  expect_complaint("response", {"--load", "push"}, "--load needs --frequency");
  expect_complaint("response", {"--load", "pusch", "--frequency", "1 Hz"}, "did you mean 'push'");
  expect_complaint("response", {}, "nothing to respond to");
}

}  // namespace
}  // namespace freeplay::test
