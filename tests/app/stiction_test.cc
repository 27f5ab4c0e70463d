#include <nlohmann/json.hpp>

#include "app/deck.h"
#include "freeplay/base/exit_code.h"
#include "paths.h"

namespace freeplay::test {
namespace {

namespace fs = std::filesystem;

const std::string loop = test::source_directory() + "/input/stiction_loop/ex1.yaml";

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

// Protects: the table that people read, and that the picture and the file for programs are there.
TEST(Stiction, PrintsATableAndDrawsAPicture) {
  const ScratchDirectory directory;
  const ProcessResult result = run_freeplay({"stiction", loop, "-o", "out"}, directory.path());
  ASSERT_EQ(result.exit_code, exit_ok) << result.err;
  EXPECT_TRUE(has(result.out, "14.7368 ... 23.4483")) << result.out;
  EXPECT_TRUE(has(result.out, "rest is possible     yes")) << result.out;
  EXPECT_TRUE(has(result.out, "rest is guaranteed   no: slide1, slide2 may begin to slip")) << result.out;
  const std::string picture = file_text(directory / "out/stiction.svg");
  EXPECT_TRUE(has(picture, "slide2 normal")) << excerpt(picture);
  EXPECT_TRUE(picture.ends_with("</svg>\n"));
  EXPECT_TRUE(fs::exists(directory / "out/stiction.json"));
}

// Protects: the same as JSON, with load factors of one load.
TEST(Stiction, PrintsJson) {
  const ScratchDirectory directory;
  const ProcessResult result = run_freeplay({"stiction", loop, "--json", "--scale", "P"}, directory.path());
  ASSERT_EQ(result.exit_code, exit_ok) << result.err;
  const nlohmann::json json = nlohmann::json::parse(result.out, nullptr, false);
  ASSERT_TRUE(json.is_object()) << excerpt(result.out);
  constexpr double printed = 1e-3;
  EXPECT_NEAR(json["joints"]["slide2"]["friction_force"][0]["high"].get<double>(), 8.27586, printed);
  EXPECT_NEAR(json["first_possible_slip"].get<double>(), 0.32, printed);
  EXPECT_EQ(json["certain_slip"], "never");
  EXPECT_EQ(json["rest_is_guaranteed"], "no");
}

/// Two sliders on a wall and a floor, joined by a rod: planar with `fix`.
std::string sliders(const std::string& fix) {
  return "freeplay: 1\n"
         "gravity: [0, -9.81 m/s^2, 0]\n"
         "bodies:\n"
         "  left: {rigid: {mass: 2 kg, inertia: 1e-3, at: [0, 0.3, 0]" +
         fix +
         "}}\n"
         "  right: {rigid: {mass: 2 kg, inertia: 1e-3, at: [0.4, 0, 0]" +
         fix +
         "}}\n"
         "  rod: {rigid: {mass: 1 kg, inertia: 2e-2, at: [0.2, 0.15, 0], points: {top: [-0.2, 0.15, 0], bottom: [0.2, "
         "-0.15, 0]}" +
         fix +
         "}}\n"
         "frictions: {dry: {coulomb: {static: 0.4, kinetic: 0.3}}}\n"
         "joints:\n"
         "  wall: {prismatic: {between: [ground, left], axis: [0, 1, 0], at: [0, 0.3, 0], friction: {law: dry}}}\n"
         "  floor: {prismatic: {between: [ground, right], axis: [1, 0, 0], at: [0.4, 0, 0], friction: {law: dry}}}\n"
         "  pin1: {revolute: {between: [left, rod.top], axis: [0, 0, 1]}}\n"
         "  pin2: {revolute: {between: [right, rod.bottom], axis: [0, 0, 1]}}\n"
         "loads: {push: {force: {on: right, value: [-5 N, 0, 0]}}}\n"
         "analysis: {dynamic: {end: 1 s}}\n";
}

// Protects: where rest is not possible the picture has neither numbers nor a legend for what is not in it, and the
// table says which larger load would hold it.
TEST(Stiction, RestThatIsNotPossible) {
  const ScratchDirectory directory;
  write_file(directory / "model.yaml", sliders(", fix: [z, rx, ry]"));
  const ProcessResult result =
      run_freeplay({"stiction", "model.yaml", "-o", "out", "--scale", "push"}, directory.path());
  ASSERT_EQ(result.exit_code, exit_ok) << result.err;
  EXPECT_TRUE(has(result.out, "rest is possible     no, but from 1.02365 times the loads on")) << result.out;
  EXPECT_TRUE(has(result.out, "certain slip         at these and all smaller loads")) << result.out;
  const std::string picture = file_text(directory / "out/stiction.svg");
  EXPECT_TRUE(has(picture, "rest is not possible<")) << picture;
  EXPECT_TRUE(has(picture, "no value is possible")) << picture;
  EXPECT_FALSE(has(picture, ">N<")) << picture;
  const nlohmann::json json = nlohmann::json::parse(file_text(directory / "out/stiction.json"), nullptr, false);
  EXPECT_EQ(json["certain_slip"], 0.0);
  EXPECT_FALSE(has(json.dump(), "-0.0")) << json.dump();
}

// Protects: who forgets that a mechanism is planar is told what that does.
TEST(Stiction, TellsOfForcesOutOfThePlane) {
  const ScratchDirectory directory;
  write_file(directory / "model.yaml", sliders(""));
  const ProcessResult result = run_freeplay({"stiction", "model.yaml", "-o", "out"}, directory.path());
  ASSERT_EQ(result.exit_code, exit_ok) << result.err;
  EXPECT_TRUE(has(result.out, "-no limit ... no limit")) << result.out;
  EXPECT_TRUE(has(result.out, "If the mechanism moves in a plane, give its bodies fix: [z, rx, ry]")) << result.out;
}

// Protects: the picture shows gaps between values that are possible.
TEST(Stiction, DrawsGaps) {
  const ScratchDirectory directory;
  const std::string model = test::source_directory() + "/input/stiction_loop/flexible_rod.yaml";
  const ProcessResult result = run_freeplay({"stiction", model, "--rigid", "-o", "out"}, directory.path());
  ASSERT_EQ(result.exit_code, exit_ok) << result.err;
  EXPECT_TRUE(has(result.out, "(with gaps)")) << result.out;
  EXPECT_TRUE(has(file_text(directory / "out/stiction.svg"), "dotted: not possible"));
}

// Protects: who gets no answer is told what is missing, where, and which option buys more search.
TEST(Stiction, TellsWhatIsMissing) {
  const ScratchDirectory directory;
  const ProcessResult result = run_freeplay({"stiction", loop, "-o", "out", "--search", "1e-6"}, directory.path());
  ASSERT_EQ(result.exit_code, exit_ok) << result.err;
  EXPECT_TRUE(has(result.out, "not decided          whether slide1 may slip; the directions of forces in slide"))
      << result.out;
  EXPECT_TRUE(has(result.out, "--search 10 searches ten times as long")) << result.out;
  const nlohmann::json json = nlohmann::json::parse(file_text(directory / "out/stiction.json"), nullptr, false);
  ASSERT_FALSE(json["not_decided"].empty()) << json.dump();
  EXPECT_EQ(json["first_possible_slip"], "not decided");
  EXPECT_EQ(json["first_possible_slip_bounds"].size(), 2u);
}

// Protects: what has no certificate is an input error, and leaves nothing behind.
TEST(Stiction, RefusesWrongInput) {
  const ScratchDirectory directory;
  const std::string other = test::source_directory() + "/input/first_model.yaml";
  const std::vector<std::pair<std::vector<std::string>, std::string>> mistakes{
      {{"stiction", other}, "no joint of this model has friction"},
      {{"stiction", test::source_directory() + "/input/slider_crank/slider_pin_lugre.yaml"},
       "There is a gap in sliderpin"},
      {{"stiction", loop, "--scale", "p"}, "there is no load 'p' (possible: gravity, P, S1, S2)"},
      {{"stiction", loop, "--time", "1 m"}, "--time '1 m' is not a time"},
      {{"stiction", loop, "--rigid"}, "it has no beams"},
      {{"stiction", loop, "--search", "0"}, "--search: give a number above 0"},
      {{"stiction", loop, "--set", "bodies.slider1.rigid.velocity=[0, 1 m/s, 0]"}, "moves at the start"},
  };
  for (const auto& [arguments, message] : mistakes) {
    const ProcessResult result = run_freeplay(arguments, directory.path());
    EXPECT_EQ(result.exit_code, exit_input_error) << message;
    EXPECT_TRUE(has(result.err, message)) << result.err;
    EXPECT_FALSE(fs::exists(directory / "results/ex1-stiction")) << message;
    EXPECT_FALSE(fs::exists(directory / "results/first_model-stiction")) << message;
  }
}

}  // namespace
}  // namespace freeplay::test
