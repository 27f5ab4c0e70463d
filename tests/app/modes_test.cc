#include <cmath>
#include <nlohmann/json.hpp>

#include "app/deck.h"
#include "freeplay/base/exit_code.h"

namespace freeplay::test {
namespace {

namespace fs = std::filesystem;

const std::string pendulum =
    "freeplay: 1\n"
    "gravity: [0, -9.81, 0]\n"
    "bodies: {rod: {rigid: {mass: 1 kg, inertia: 0.1, at: [0, -0.5, 0]}}}\n"
    "joints: {pin: {revolute: {between: [ground, rod], at: [0, 0, 0], axis: [0, 0, 1]}}}\n"
    "analysis: {static: {}}\n";

class ModesCommand : public testing::Test {
 protected:
  ModesCommand() { write_file(directory_ / "pendulum.yaml", pendulum); }
  ProcessResult modes(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {"modes", "pendulum.yaml"});
    return run_freeplay(arguments, directory_.path());
  }
  ScratchDirectory directory_;
};

// Protects: a program that reads standard output gets JSON and nothing else, the same as in modes.json.
TEST_F(ModesCommand, PrintsJson) {
  const ProcessResult result = modes({"--static", "--json", "-o", "out"});
  ASSERT_EQ(result.exit_code, exit_ok) << result.err;
  EXPECT_EQ(result.err, "");
  const nlohmann::json json = nlohmann::json::parse(result.out, nullptr, false);
  ASSERT_TRUE(json.is_object()) << excerpt(result.out);
  EXPECT_EQ(json["about"], "static");
  ASSERT_EQ(json["modes"].size(), 1u);
  const nlohmann::json& mode = json["modes"][0];
  const double expected = std::sqrt(9.81 * 0.5 / (0.1 + 0.25));
  EXPECT_EQ(mode["number"], 1);
  EXPECT_EQ(mode["kind"], "vibration");
  EXPECT_EQ(mode["body"], "rod");
  constexpr double exact = 1e-8;
  EXPECT_NEAR(mode["angular_frequency"].get<double>(), expected, exact);
  EXPECT_NEAR(mode["frequency_hz"].get<double>(), expected / (2.0 * std::acos(-1.0)), exact);
  EXPECT_EQ(nlohmann::json::parse(file_text(directory_ / "out/modes.json"), nullptr, false), json);
}

// Protects: a title in another encoding costs nobody the result.
TEST_F(ModesCommand, PrintsJsonOfATitleThatIsNotUtf8) {
  write_file(directory_ / "pendulum.yaml", pendulum +
                                               "title: Pen\xff"
                                               "dulum\n");
  const ProcessResult result = modes({"--static", "--json", "-o", "out"});
  ASSERT_EQ(result.exit_code, exit_ok) << result.err;
  EXPECT_TRUE(nlohmann::json::parse(result.out, nullptr, false).is_object()) << excerpt(result.out);
}

// Protects: without -o the results are in a directory that says what they are, and only what was asked for is written.
TEST_F(ModesCommand, NamesItsResultsAndWritesNoPicturesUnasked) {
  for (const char* expected : {"results/pendulum-modes", "results/pendulum-modes-2"}) {
    const ProcessResult result = modes({"--static"});
    ASSERT_EQ(result.exit_code, exit_ok) << result.err;
    EXPECT_NE(result.out.find(std::string(expected) + "\n"), std::string::npos) << result.out;
    EXPECT_TRUE(fs::exists(directory_.path() / expected / "modes.json"));
    EXPECT_FALSE(fs::exists(directory_.path() / expected / "mode_01"));
  }
}

// Protects: what a user of ParaView opens is there and complete.
TEST_F(ModesCommand, WritesAnAnimationOfEachMode) {
  const ProcessResult result = modes({"--static", "--paraview", "-o", "out"});
  ASSERT_EQ(result.exit_code, exit_ok) << result.err;
  EXPECT_NE(result.out.find("vibration"), std::string::npos) << result.out;
  const fs::path folder = directory_.path() / "out/mode_01";
  const std::string index = file_text(folder / "model.pvd");
  EXPECT_NE(index.find("</VTKFile>"), std::string::npos);
  const std::regex file_attribute("file=\"([^\"]+)\"");
  int n_files = 0;
  for (std::sregex_iterator match(index.begin(), index.end(), file_attribute), end; match != end; ++match, ++n_files)
    EXPECT_NE(file_text(folder / (*match)[1].str()).find("</VTKFile>"), std::string::npos);
  EXPECT_GE(n_files, 24);
}

// Protects: a model without stiffness is an input error that says what to do.
TEST_F(ModesCommand, SaysWhenNothingIsElastic) {
  const ProcessResult result = modes({"--json"});
  EXPECT_EQ(result.exit_code, exit_input_error);
  EXPECT_EQ(result.out, "");
  EXPECT_NE(result.err.find("--static"), std::string::npos) << result.err;
}

// Protects: wrong options are input errors and leave nothing behind.
TEST_F(ModesCommand, RefusesWrongOptions) {
  const std::vector<std::vector<std::string>> wrong{
      {"-n", "0"},
      {"--axis", "z"},
      {"--at-speed", "5 m"},
      {"--at-speed", "0"},
      {"--at-speed", "fast"},
      {"--at-speed", "5", "--static"},
      {"--at-speed", "5", "--axis", "w"},
      {"--at-speed", "5", "--axis", "0, 0, 0"},
      {"--end", "1 s"},
  };
  for (const std::vector<std::string>& arguments : wrong) {
    const ProcessResult result = modes(arguments);
    EXPECT_EQ(result.exit_code, exit_input_error) << testing::PrintToString(arguments);
    EXPECT_EQ(result.out, "");
    EXPECT_NE(result.err, "");
  }
  EXPECT_FALSE(fs::exists(directory_.path() / "results"));
}

// Protects: units of the speed, and the axis taken from the joint.
TEST_F(ModesCommand, TakesTheSpeedInAnyUnit) {
  const ProcessResult result = modes({"--at-speed", "60 rpm", "--json", "-o", "out", "--set", "gravity=[0, 0, -9.81]"});
  ASSERT_EQ(result.exit_code, exit_ok) << result.err;
  const nlohmann::json json = nlohmann::json::parse(result.out, nullptr, false);
  constexpr double round_off = 1e-12;
  EXPECT_NEAR(json["speed"].get<double>(), 2.0 * std::acos(-1.0), round_off);
  EXPECT_EQ(json["axis"], nlohmann::json::parse("[0, 0, 1]"));
}

}  // namespace
}  // namespace freeplay::test
