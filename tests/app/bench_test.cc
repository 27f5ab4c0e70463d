#include <nlohmann/json.hpp>

#include "app/deck.h"
#include "freeplay/base/exit_code.h"

namespace freeplay::test {
namespace {

namespace fs = std::filesystem;

// Falls freely: z = -g t^2/2, which the scheme integrates exactly.
const std::string stone =
    "freeplay: 1\n"
    "gravity: [0, 0, -10]\n"
    "bodies: {stone: {rigid: {mass: 1 kg, inertia: 1, free: true}}}\n"
    "analysis: {dynamic: {end: 1 s, step: 10 ms}}\n"
    "output: {every: 10 ms}\n";

const std::string good =
    "title: Falling stone\n"
    "runs: {fall: {model: stone.yaml}}\n"
    "quantities:\n"
    "  - {quantity: depth, run: fall, measure: {value: {column: stone.position.z, at: 1 s}}, published: -500 cm,\n"
    "     relative-tolerance: 0.001, source: Galilei}\n";

const std::string different =
    "title: Falling stone, on the Moon\n"
    "runs: {fall: {model: ../galilei/stone.yaml, end: 0.5 s}}\n"
    "quantities:\n"
    "  - {quantity: speed, run: fall, measure: {maximum: {norm: [stone.velocity.z]}}, published: 0.8 m/s,\n"
    "     tolerance: 0.01 m/s}\n"
    "  - {quantity: depth, run: fall, measure: {value: {column: stone.positon.z, at: 0.5 s}}, published: 1 m,\n"
    "     tolerance: 0.01 m}\n";

class BenchCommand : public testing::Test {
 protected:
  BenchCommand() {
    write("galilei/stone.yaml", stone);
    write("galilei/bench.yaml", good);
    write("scott/bench.yaml", different);
    fs::create_directories(directory_ / "benchmarks/chain");  // a folder without bench.yaml is none
  }
  void write(const std::string& name, const std::string& text) {
    const fs::path file = directory_.path() / "benchmarks" / name;
    fs::create_directories(file.parent_path());
    write_file(file, text);
  }
  ProcessResult bench(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "bench");
    return run_freeplay(arguments, directory_.path());
  }
  ScratchDirectory directory_;
};

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

// Protects: a value that agrees is shown in the unit of the published one, and the program leaves nothing behind.
TEST_F(BenchCommand, ComparesWithWhatIsPublished) {
  const ProcessResult result = bench({"galilei"});
  EXPECT_EQ(result.exit_code, exit_ok) << result.err;
  EXPECT_TRUE(has(result.out, "-500 cm")) << result.out;
  EXPECT_TRUE(has(result.out, "-500.00 cm")) << result.out;
  EXPECT_TRUE(has(result.out, "agrees within 0.1 %")) << result.out;
  EXPECT_FALSE(has(result.out, "speed")) << result.out;
  EXPECT_FALSE(fs::exists(directory_ / "results"));
}

// Protects: events are counted, and the run that is under way is named.
TEST_F(BenchCommand, CountsEvents) {
  write("galilei/bench.yaml",
        "title: Falling stone\n"
        "runs: {fall: {model: stone.yaml}}\n"
        "quantities:\n"
        "  - {quantity: impacts, run: fall, measure: {events: {kind: touch}}, published: 0, tolerance: 0.5}\n");
  const ProcessResult result = bench({"galilei"});
  EXPECT_EQ(result.exit_code, exit_ok) << result.err;
  EXPECT_TRUE(has(result.out, "impacts   0          0         agrees within 0.5")) << result.out;
  EXPECT_TRUE(has(result.err, "galilei: running fall")) << result.err;
}

// Protects: all benchmarks run if none is named; what differs and what cannot be found are said and counted.
TEST_F(BenchCommand, SaysWhatDiffers) {
  const ProcessResult result = bench({});
  EXPECT_EQ(result.exit_code, exit_differs) << result.err;
  EXPECT_TRUE(has(result.out, "agrees within 0.1 %")) << result.out;
  EXPECT_TRUE(has(result.out, "differs by 4.2 m/s (tolerance 0.01 m/s)")) << result.out;
  EXPECT_TRUE(has(result.out, "did you mean 'stone.position.z'")) << result.out;
}

// Protects: programs read the same from JSON, and results are kept where the user wants them.
TEST_F(BenchCommand, PrintsJsonAndKeepsResults) {
  const ProcessResult result = bench({"galilei", "--json", "-o", "kept"});
  ASSERT_EQ(result.exit_code, exit_ok) << result.err;
  const nlohmann::json json = nlohmann::json::parse(result.out, nullptr, false);
  ASSERT_TRUE(json.is_array()) << excerpt(result.out);
  EXPECT_EQ(json[0]["benchmark"], "galilei");
  const nlohmann::json& depth = json[0]["quantities"][0];
  EXPECT_EQ(depth["unit"], "m");
  EXPECT_EQ(depth["source"], "Galilei");
  EXPECT_TRUE(depth["agrees"].get<bool>());
  constexpr double exact = 1e-9;
  EXPECT_NEAR(depth["computed"].get<double>(), -5.0, exact);
  EXPECT_TRUE(fs::exists(directory_ / "kept/galilei/fall/history.csv"));
}

// Protects: the benchmarks are found from elsewhere when the user says where they are.
TEST_F(BenchCommand, TakesADirectory) {
  const fs::path elsewhere = directory_.path() / "elsewhere";
  fs::create_directories(elsewhere);
  const ProcessResult result = run_freeplay({"bench", "galilei", "--directory", "../benchmarks"}, elsewhere);
  EXPECT_EQ(result.exit_code, exit_ok) << result.err;
}

// Protects: mistakes are found before anything runs, with place and remedy.
TEST_F(BenchCommand, RefusesWrongFiles) {
  const std::vector<std::pair<std::string, std::string>> mistakes{
      {"run: fall", "there is no run 'fell', did you mean 'fall'"},
      {"relative-tolerance: 0.001", "needs exactly one of 'tolerance' and 'relative-tolerance'"},
      {"model: stone.yaml", "there is no model file"},
      {"column: stone.position.z, ", "needs exactly one of 'column', 'norm' and 'sum'"},
      {"published: -500 cm", "must be a number with a unit"},
  };
  const std::vector<std::string> replacements{"run: fell", "source: x", "model: pebble.yaml", "", "published: deep"};
  for (std::size_t i = 0; i < mistakes.size(); ++i) {
    std::string text = good;
    text.replace(text.find(mistakes[i].first), mistakes[i].first.size(), replacements[i]);
    if (i == 1) text.erase(text.find(", source: Galilei"), 17);
    write("galilei/bench.yaml", text);
    const ProcessResult result = bench({"galilei"});
    EXPECT_EQ(result.exit_code, exit_input_error) << mistakes[i].second;
    EXPECT_EQ(result.out, "");
    EXPECT_TRUE(has(result.err, "bench.yaml:")) << result.err;
    EXPECT_TRUE(has(result.err, mistakes[i].second)) << result.err;
  }
}

// Protects: a folder with accuracy.yaml is run at each tolerance; table, JSON, CSV and picture have all runs, and a
// reference that is not met changes the exit code.
TEST_F(BenchCommand, RunsProblemsAtSeveralTolerances) {
  const std::string problems =
      "title: Stones\ntolerances: [1e-4, 1e-3]\nproblems:\n  fall:\n    model: ../galilei/stone.yaml\n"
      "    set: [\"analysis.dynamic={end: 1 s}\"]\n    source: Galilei\n    compare:\n"
      "      - {columns: [stone.position.z], at: 1 s, reference: [-5], size: 5}\n";
  write("stones/accuracy.yaml", problems);
  const ProcessResult result = bench({"stones", "-o", "kept"});
  EXPECT_EQ(result.exit_code, exit_ok) << result.err;
  EXPECT_TRUE(has(result.out, "good: exact")) << result.out;
  EXPECT_TRUE(has(result.err, "running fall/0.001")) << result.err;
  const std::vector<std::string> csv = lines_of(file_text(directory_.path() / "kept/stones/accuracy.csv"));
  ASSERT_EQ(csv.size(), 3u);
  EXPECT_TRUE(csv[1].starts_with("fall,smooth,0.001,")) << csv[1];
  EXPECT_TRUE(has(file_text(directory_.path() / "kept/stones/accuracy.svg"), "<polyline"));

  std::string wrong = problems;
  write("stones/accuracy.yaml", wrong.replace(wrong.find("[-5]"), 4, "[-6]"));
  const ProcessResult differs = bench({"stones", "--json"});
  EXPECT_EQ(differs.exit_code, exit_differs) << differs.err;
  const nlohmann::json json = nlohmann::json::parse(differs.out, nullptr, false);
  ASSERT_TRUE(json.is_array()) << excerpt(differs.out);
  constexpr double digits = 1e-9;
  EXPECT_NEAR(json[0]["problems"][0]["runs"][1]["error"].get<double>(), 0.2, digits);

  write("stones/accuracy.yaml", wrong.replace(wrong.find("[-6]"), 4, "[-6, 1]"));
  const ProcessResult refused = bench({"stones"});
  EXPECT_EQ(refused.exit_code, exit_input_error);
  EXPECT_TRUE(has(refused.err, "must have as many numbers as there are columns")) << refused.err;
}

// Protects: names and places that do not exist are input errors.
TEST_F(BenchCommand, RefusesWrongOptions) {
  const ProcessResult name = bench({"galileo"});
  EXPECT_EQ(name.exit_code, exit_input_error);
  EXPECT_TRUE(has(name.err, "did you mean 'galilei'")) << name.err;
  EXPECT_EQ(bench({"--directory", "nowhere"}).exit_code, exit_input_error);
}

// Protects: a run that fails is reported with its own message and code.
TEST_F(BenchCommand, ReportsRunsThatFail) {
  write("galilei/stone.yaml", "freeplay: 1\n");
  const ProcessResult result = bench({"galilei"});
  EXPECT_EQ(result.exit_code, exit_input_error);
  EXPECT_TRUE(has(result.err, "stone.yaml:1:1: error:")) << result.err;
  EXPECT_TRUE(has(result.out, "failed with code 2")) << result.out;
}

}  // namespace
}  // namespace freeplay::test
