#include <cmath>
#include <cstring>
#include <nlohmann/json.hpp>

#include "app/deck.h"
#include "app/history.h"
#include "freeplay/base/exit_code.h"
#include "paths.h"
#include "results/report/unpacked.h"

namespace freeplay::test {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

// Numbers in frames are in single precision.
constexpr double single = 1e-6;

const std::string page = "<html><!--FREEPLAY-DATA--></html>";

/// A directory in which the program runs, and what it leaves.
class ReportCommand : public testing::Test {
 protected:
  ProcessResult freeplay(const std::vector<std::string>& arguments) {
    return run_freeplay(arguments, directory_.path());
  }
  void run(const std::string& model, const std::string& results, std::vector<std::string> more = {}) {
    write_file(directory_ / "model.yaml", model);
    std::vector<std::string> arguments{"run", "model.yaml", "-o", results, "--quiet"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const ProcessResult result = freeplay(arguments);
    ASSERT_EQ(result.exit_code, exit_ok) << result.err;
  }
  json file(const std::string& name) { return json::parse(file_text(directory_ / name)); }
  /// The data in the report of a directory, made with a page that has nothing but them.
  json report(const std::string& results) {
    write_file(directory_ / "page.html", page);
    const ProcessResult result = freeplay({"report", results, "--template", "page.html"});
    EXPECT_EQ(result.exit_code, exit_ok) << result.err;
    const std::string html = file_text(directory_ / (results + "/report.html"));
    const std::size_t begin = html.find('>', html.find("<script")) + 1;
    return json::parse(html.substr(begin, html.rfind("</script>") - begin));
  }
  ScratchDirectory directory_;
};

/// The frames of motion.bin.
struct Frames {
  std::vector<double> times;
  std::vector<std::vector<float>> numbers;

  Frames(const fs::path& results) {
    const json scene = json::parse(file_text(results / "scene.json"));
    const std::size_t size = scene["record_bytes"];
    const std::string bytes = file_text(results / "motion.bin");
    EXPECT_EQ(bytes.size() % size, 0U);
    for (std::size_t k = 0; k + size <= bytes.size(); k += size) {
      std::memcpy(&times.emplace_back(), bytes.data() + k, sizeof(double));
      numbers.emplace_back((size - sizeof(double)) / sizeof(float));
      std::memcpy(numbers.back().data(), bytes.data() + k + sizeof(double), size - sizeof(double));
    }
  }
};

std::string pendulum(const std::string& output) {
  return "freeplay: 1\n"
         "gravity: [0, -9.81, 0]\n"
         "bodies:\n"
         "  rod: {rigid: {mass: 2 kg, inertia: [0.1, 0.1, 0.1], at: [0.5, 0, 0], points: {tip: [0.5, 0, 0]}}}\n"
         "joints:\n"
         "  pin: {revolute: {between: [ground, rod], at: [0, 0, 0], axis: [0, 0, 1]}}\n"
         "analysis: {dynamic: {end: 1 s}}\n" +
         output;
}

TEST_F(ReportCommand, FramesAreRowsOfTheHistory) {
  run(pendulum("output: {every: 1 ms}\n"), "out");
  const Frames frames(directory_ / "out");
  const History history = read_history(directory_ / "out/history.csv");
  EXPECT_NEAR(static_cast<double>(frames.times.size()), 600.0, 1.0);
  EXPECT_EQ(frames.times.front(), 0.0);
  EXPECT_EQ(frames.times.back(), 1.0);
  const std::vector<double> x = history.column("rod.position.x [m]"), y = history.column("rod.position.y [m]"),
                            fx = history.column("pin.force.x [N]");
  for (std::size_t k = 0; k < frames.times.size(); ++k) {
    const auto row = static_cast<std::size_t>(std::lround(frames.times[k] / 1e-3));
    ASSERT_NEAR(history.rows[row][0], frames.times[k], 1e-12);
    EXPECT_NEAR(frames.numbers[k][0], x[row], single);
    EXPECT_NEAR(frames.numbers[k][1], y[row], single);
    EXPECT_NEAR(frames.numbers[k][7], fx[row], 100.0 * single) << "the axes of the joint are those of ground";
  }
}

/// The first promise of the animation: it shows the run and is no part of it.
TEST_F(ReportCommand, FramesNeverChangeTheRun) {
  const std::string sparse = "output: {every: 0.25 s, animation: {frames: ";
  run(pendulum(sparse + "0}}\n"), "none");
  run(pendulum(sparse + "50}}\n"), "some");
  run(pendulum(sparse + "100000}}\n"), "every");
  EXPECT_EQ(file_text(directory_ / "none/history.csv"), file_text(directory_ / "some/history.csv"));
  EXPECT_EQ(file_text(directory_ / "none/history.csv"), file_text(directory_ / "every/history.csv"));
  EXPECT_FALSE(fs::exists(directory_ / "none/motion.bin"));
  EXPECT_FALSE(fs::exists(directory_ / "none/scene.json"));
  const std::size_t n_some = Frames(directory_ / "some").times.size();
  EXPECT_GT(n_some, 20U) << "rows alone would be five";
  EXPECT_LE(n_some, 51U);
  const json summary = file("every/summary.json");
  EXPECT_EQ(Frames(directory_ / "every").times.size(), summary["steps"]["accepted"].get<std::size_t>() + 1)
      << "every step, and the start";
}

TEST_F(ReportCommand, ContinuedRunsGoOnWithTheirFrames) {
  const std::string model = pendulum("output: {every: 1 ms}\n");
  run(model, "whole");
  run(model, "parts", {"--end", "0.4 s"});
  const ProcessResult result = freeplay({"run", "model.yaml", "-o", "parts", "--continue", "--quiet"});
  ASSERT_EQ(result.exit_code, exit_ok) << result.err;
  const Frames whole(directory_ / "whole"), parts(directory_ / "parts");
  ASSERT_GT(parts.times.size(), 500U);
  for (std::size_t k = 1; k < parts.times.size(); ++k) EXPECT_GT(parts.times[k], parts.times[k - 1]);
  EXPECT_EQ(parts.times.back(), 1.0);
}

/// A mass that hangs in statics: the joint carries its weight; one frame per row.
TEST_F(ReportCommand, StaticsHaveAFramePerRow) {
  run("freeplay: 1\n"
      "gravity: [0, 0, -10]\n"
      "bodies:\n"
      "  ball: {rigid: {mass: 3 kg, inertia: [1, 1, 1], at: [0, 0, 0]}}\n"
      "joints:\n"
      "  clamp: {fixed: {between: [ground, ball], at: [0, 0, 0]}}\n"
      "loads:\n"
      "  push: {force: {on: ball, value: [4 N, 0 N, 0 N]}}\n"
      "analysis: {static: {}}\n",
      "out");
  const Frames frames(directory_ / "out");
  EXPECT_EQ(frames.times.size(), read_history(directory_ / "out/history.csv").rows.size());
  const std::vector<float>& last = frames.numbers.back();
  EXPECT_NEAR(last[7], -4.0, 100.0 * single);
  EXPECT_NEAR(last[9], 30.0, 100.0 * single);
  EXPECT_NEAR(last[10], 4.0, single) << "the load";
  const json data = report("out");
  EXPECT_EQ(unpacked(data["motion"]["row"]).back(), static_cast<double>(frames.times.size() - 1));
}

/// A block that slides to rest: it slips for v/(mu g) and then sticks, and friction takes its energy.
TEST_F(ReportCommand, JointUseOfASlidingBlock) {
  run("freeplay: 1\n"
      "gravity: [0, 0, -9.81]\n"
      "frictions: {dry: {coulomb: {static: 0.2, kinetic: 0.2}}}\n"
      "bodies:\n"
      "  block: {rigid: {mass: 2 kg, inertia: [1, 1, 1], at: [0, 0, 0], velocity: [1, 0, 0]}}\n"
      "joints:\n"
      "  rail: {prismatic: {between: [ground, block], at: [0, 0, 0], axis: [1, 0, 0], friction: {law: dry}}}\n"
      "analysis: {dynamic: {end: 1 s}}\n",
      "out");
  const json use = file("out/summary.json")["joint_use"]["rail"];
  const double stop = 1.0 / (0.2 * 9.81);
  EXPECT_NEAR(use["stick_fraction"], 1.0 - stop, 1e-3);  // an event is found within 1e-3 of a step
  EXPECT_NEAR(use["friction_loss"], 1.0, 1e-3);          // m v^2 / 2, less the numerical loss
  EXPECT_FALSE(use.contains("contact_fraction"));
  const json joint = report("out")["joints"][0];
  EXPECT_EQ(joint["stick_fraction"], use["stick_fraction"]);
  EXPECT_TRUE(joint["contact_fraction"].is_null());
}

/// An elastic ball on an elastic plane: contacts last pi sqrt(m/k) (gravity apart), flights 2 v/g.
TEST_F(ReportCommand, JointUseOfABouncingBall) {
  run("freeplay: 1\n"
      "gravity: [0, 0, -10]\n"
      "contacts: {spring: {linear: {stiffness: 10 kN/m}}}\n"
      "bodies:\n"
      "  ball: {rigid: {mass: 1 kg, inertia: [1, 1, 1], at: [0, 0, 0.15], fix: [x, y, rx, ry, rz]}}\n"
      "joints:\n"
      "  floor: {ball-on-plane: {between: [ground, ball], normal: [0, 0, 1], radius: 0.1, contact: spring}}\n"
      "analysis: {dynamic: {end: 2 s, alpha: 0}}\n",
      "out");
  const json summary = file("out/summary.json"), use = summary["joint_use"]["floor"];
  // From height h: v = sqrt(2 g h) = 1 m/s, flights of 0.2 s, the first half of one; contacts of pi/100 s and a little
  // more by gravity: half-angle pi - atan(v w/g) gives 2 (pi - atan(10))/100.
  const double contact = 2.0 * (M_PI - std::atan(10.0)) / 100.0, flight = 0.2;
  double in_contact = 0.0, time = 0.1;
  while (time + contact + flight < 2.0) in_contact += contact, time += contact + flight;
  in_contact += std::min(contact, 2.0 - time);
  EXPECT_NEAR(use["contact_fraction"], in_contact / 2.0, 2e-3);
  // k d^2/2 - m g d = m v^2/2 gives the deepest penetration, and k d the force.
  const double deepest = (10.0 + std::sqrt(100.0 + 1e4)) / 1e4;
  EXPECT_NEAR(use["largest_contact_force"]["value"], 1e4 * deepest, 0.5);
  EXPECT_FALSE(use.contains("stick_fraction"));
  const json joint = report("out")["joints"][0];
  EXPECT_EQ(joint["touches"], static_cast<int>((2.0 - 0.1) / (contact + flight)) + 1);
  // The larger of the rows, which have the force of their instant, and of the means over steps.
  EXPECT_GE(joint["largest_force"]["value"], use["largest_contact_force"]["value"]);
  EXPECT_NEAR(joint["largest_force"]["value"], 1e4 * deepest, 0.5);
}

TEST_F(ReportCommand, LossesOfJointsAddUpToTheLedger) {
  const std::string model = source_directory() + "/input/spatial_crank_clearance.yaml";
  const ProcessResult result = freeplay({"run", model, "-o", "out", "--quiet", "--end", "0.05 s"});
  ASSERT_EQ(result.exit_code, exit_ok) << result.err;
  const json summary = file("out/summary.json");
  double friction = 0.0, contact = 0.0;
  for (const auto& [name, use] : summary["joint_use"].items()) {
    friction += use.value("friction_loss", 0.0);
    contact += use.value("contact_loss", 0.0);
  }
  constexpr double rounding = 1e-9;  // sums over thousands of steps in another order
  EXPECT_NEAR(friction, summary["loss"]["friction"], rounding * std::abs(friction));
  EXPECT_NEAR(contact, summary["loss"]["contact"], rounding * std::abs(contact));
  EXPECT_GT(friction, 0.0);  // contacts of this model are elastic: their loss is round-off
}

/// What is magnified in the picture must be true: radii, axes and places of a joint with clearance.
TEST_F(ReportCommand, ClearancesHaveTheirTrueSizes) {
  run("freeplay: 1\n"
      "contacts: {spring: {linear: {stiffness: 10 kN/m}}}\n"
      "bodies:\n"
      "  pin: {rigid: {mass: 1 kg, inertia: [1, 1, 1], at: [1, 2, 3]}}\n"
      "  block: {rigid: {mass: 1 kg, inertia: [1, 1, 1], at: [0, 0, 9]}}\n"
      "joints:\n"
      "  hole: {journal-bearing: {between: [ground, pin], axis: [0, 1, 0], bearing-radius: 11 mm,\n"
      "         journal-radius: 10 mm, length: 30 mm, contact: spring}}\n"
      "  guide: {translational-clearance: {between: [ground, block], axis: [1, 0, 0], across: [0, 0, 1], length: 40 "
      "mm,\n"
      "          width: 20 mm, gap: 0.5 mm, contact: spring}}\n"
      "analysis: {dynamic: {end: 1 ms}}\n",
      "out");
  const json scene = file("out/scene.json"), hole = scene["joints"][0], guide = scene["joints"][1];
  EXPECT_EQ(hole["clearance"]["kind"], "cylinder");
  EXPECT_EQ(hole["clearance"]["bearing_radius"], 0.011);
  EXPECT_EQ(hole["clearance"]["journal_radius"], 0.01);
  EXPECT_EQ(hole["clearance"]["clearance"], 0.001);
  EXPECT_EQ(hole["clearance"]["length"], 0.03);
  EXPECT_EQ(hole["a"]["frame"], -1);
  EXPECT_EQ(hole["a"]["at"], (json{1.0, 2.0, 3.0}));
  EXPECT_EQ(hole["b"]["at"], (json{0.0, 0.0, 0.0}));
  // The quaternion turns z to the axis of the joint, y: z' = (2(xz + wy), 2(yz - wx), 1 - 2(x^2 + y^2)).
  const auto third_axis = [](const json& q) {
    const double x = q[0], y = q[1], z = q[2], w = q[3];
    return std::vector<double>{2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)};
  };
  EXPECT_NEAR(third_axis(hole["a"]["q"])[1], 1.0, 1e-8);
  EXPECT_NEAR(third_axis(guide["a"]["q"])[0], 1.0, 1e-8);
  EXPECT_EQ(guide["clearance"]["kind"], "slot");
  EXPECT_EQ(guide["clearance"]["clearance"], 0.0005);
  EXPECT_EQ(scene["contacts"].size(), 6U) << "two ends of the journal, four corners of the block";
  EXPECT_EQ(scene["contacts"][0]["joint"], "hole");
}

/// Cross sections of a beam: along the straight line between its ends, with the outline of the section.
TEST_F(ReportCommand, BeamsAreRowsOfCrossSections) {
  run("freeplay: 1\n"
      "sections: {bar: {circle: {radius: 5 mm}, material: {E: 200 GPa, poisson: 0.3, density: 8000 kg/m^3}}}\n"
      "bodies:\n"
      "  arm: {beam: {section: bar, from: [0, 0, 0], to: [2, 0, 0], elements: 3, fix: {start: [x, y, z, rx, ry, "
      "rz]}}}\n"
      "loads: {tip: {force: {on: arm.end, value: [0 N, 3 N, 0 N]}}}\n"
      "analysis: {static: {}}\n",
      "out");
  const json scene = file("out/scene.json"), beam = scene["beams"][0];
  const std::size_t n = beam["n_frames"];
  ASSERT_GE(n, 60U);
  EXPECT_EQ(beam["outline"].size(), 1U) << "the same everywhere";
  for (const json& point : beam["outline"][0])
    EXPECT_NEAR(std::hypot(point[0].get<double>(), point[1].get<double>()), 0.005, 1e-9);
  for (std::size_t k = 0; k < n; ++k) {
    EXPECT_NEAR(beam["rest"][k][0].get<double>(), 2.0 * beam["s"][k].get<double>(), 1e-8);
    EXPECT_EQ(beam["rest"][k][1], 0.0);
  }
  EXPECT_EQ(scene["loads"][0]["at"]["frame"], beam["first_frame"].get<std::size_t>() + n - 1);
  // F l^3/(3 EI), EI = E pi r^4/4; shear and large rotations change little.
  const double deflection = 3.0 * 8.0 / (3.0 * 200e9 * M_PI * std::pow(0.005, 4) / 4.0);
  const Frames frames(directory_ / "out");
  EXPECT_NEAR(frames.numbers.back()[7 * (n - 1) + 1], deflection, 0.01 * deflection);
}

TEST_F(ReportCommand, ModesHaveTheirShapes) {
  write_file(directory_ / "model.yaml", pendulum(""));
  ASSERT_EQ(freeplay({"modes", "model.yaml", "--static", "-n", "1", "-o", "out", "--quiet"}).exit_code, exit_ok);
  const json data = report("out"), mode = data["modes"]["modes"][0];
  // It hangs down, its centre half a metre below the pin, and swings about it: 1 m by 1/0.5 rad.
  const double hz = std::sqrt(2.0 * 9.81 * 0.5 / (0.1 + 2.0 * 0.25)) / (2.0 * M_PI);
  EXPECT_NEAR(mode["hz"], hz, 1e-6);
  const std::vector<double> base = unpacked(data["modes"]["base"]), shape = unpacked(mode["real"]);
  EXPECT_NEAR(base[1], -0.5, 1e-5);
  ASSERT_EQ(shape.size(), 6U);
  EXPECT_NEAR(std::abs(shape[0]), 1.0, 1e-5);
  EXPECT_NEAR(shape[5], 2.0 * shape[0], 1e-5);
  EXPECT_TRUE(mode["imaginary"].is_null());
}

TEST_F(ReportCommand, ErrorsAreKind) {
  ProcessResult result = freeplay({"report", "nowhere"});
  EXPECT_EQ(result.exit_code, exit_input_error);
  EXPECT_NE(result.err.find("no directory 'nowhere'"), std::string::npos) << result.err;
  fs::create_directory(directory_ / "empty");
  result = freeplay({"report", "empty"});
  EXPECT_EQ(result.exit_code, exit_input_error);
  EXPECT_NE(result.err.find("history.csv"), std::string::npos) << result.err;
  EXPECT_TRUE(fs::is_empty(directory_ / "empty"));
}

}  // namespace
}  // namespace freeplay::test
