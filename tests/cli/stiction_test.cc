#include <nlohmann/json.hpp>

#include "cli/deck.h"
#include "freeplay/base/exit_code.h"

namespace freeplay::test {
namespace {

namespace fs = std::filesystem;

const std::string loop = FREEPLAY_SOURCE_DIR "/input/stiction_loop/ex1.yaml";

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

// Protects: the table that people read, and that the picture and the file for programs are there.
TEST(Stiction, PrintsATableAndDrawsAPicture) {
  const ScratchDirectory directory;
  const ProcessResult result = run_freeplay({"stiction", loop, "-o", "out"}, directory.path());
  ASSERT_EQ(result.exit_code, exit_ok) << result.err;
  EXPECT_TRUE(has(result.out, "14.7368 ... 23.4483")) << result.out;
  EXPECT_TRUE(has(result.out, "rest is possible     yes")) << result.out;
  EXPECT_TRUE(has(result.out, "rest is guaranteed   no: slide1, slide2 may begin to slip")) << result.out;
  const std::string picture = read_text(directory / "out/stiction.svg");
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
  EXPECT_NEAR(json["joints"]["slide2"]["friction"][0]["high"].get<double>(), 8.27586, printed);
  EXPECT_NEAR(json["first_possible_slip"].get<double>(), 0.32, printed);
  EXPECT_EQ(json["certain_slip"], "never");
  EXPECT_EQ(json["rest_is_guaranteed"], "no");
}

// Protects: what has no certificate is an input error, and leaves nothing behind.
TEST(Stiction, RefusesWrongInput) {
  const ScratchDirectory directory;
  const std::string other = FREEPLAY_SOURCE_DIR "/input/first_model.yaml";
  const std::vector<std::pair<std::vector<std::string>, std::string>> mistakes{
      {{"stiction", other}, "no joint of this model has friction"},
      {{"stiction", loop, "--scale", "p"}, "there is no load 'p' (possible: gravity, P, S1, S2)"},
      {{"stiction", loop, "--time", "1 m"}, "--time '1 m' is not a time"},
      {{"stiction", loop, "--rigid"}, "it has no beams"},
      {{"stiction", loop, "--set", "bodies.slider1.rigid.velocity=[0, 1 m/s, 0]"}, "moves at the start"},
  };
  for (const auto& [arguments, message] : mistakes) {
    const ProcessResult result = run_freeplay(arguments, directory.path());
    EXPECT_EQ(result.exit_code, exit_input_error) << message;
    EXPECT_TRUE(has(result.err, message)) << result.err;
    EXPECT_FALSE(fs::exists(directory / "results/ex1")) << message;
    EXPECT_FALSE(fs::exists(directory / "results/first_model")) << message;
  }
}

}  // namespace
}  // namespace freeplay::test
