#include <cmath>
#include <numbers>
#include <sstream>

#include "app/deck.h"
#include "freeplay/base/exit_code.h"
#include "paths.h"

namespace freeplay::test {
namespace {

/// A directory with results that were never computed: what a plot shows is known.
class PlotTest : public testing::Test {
 protected:
  /// Header and rows of a history of two units, with a peak of one row, a gap and a half line at the end.
  void write_run(const std::string& name, int n_rows) {
    std::filesystem::create_directory(directory_ / name);
    std::ostringstream csv;
    csv << "time [s],pin.force.x [N],pin.force.y [N],bob.position.x [m],bob.velocity.x [m/s],pin.state\n";
    for (int k = 0; k < n_rows; ++k) {
      const double t = 1e-3 * k;
      csv << t << ',' << (k == n_rows / 3 ? 777.0 : std::sin(t)) << ',' << (k == n_rows / 2 ? "nan" : "2") << ','
          << 1e-4 * std::cos(t) << ',' << t << ",1\n";
    }
    csv << "99,1,2";
    write_file(directory_ / (name + "/history.csv"), csv.str());
    write_file(directory_ / (name + "/summary.json"), R"({"status": "finished"})");
  }

  ProcessResult plot(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "plot");
    return run_freeplay(arguments, directory_.path());
  }

  std::string picture(const std::string& file, const std::vector<std::string>& arguments) {
    std::vector<std::string> all = arguments;
    all.insert(all.end(), {"-o", file});
    const ProcessResult result = plot(all);
    EXPECT_EQ(result.exit_code, exit_ok) << result.err;
    EXPECT_EQ(result.out, file + "\n");
    return file_text(directory_ / file);
  }

  void expect_error(const std::vector<std::string>& arguments, const std::string& message) {
    const ProcessResult result = plot(arguments);
    EXPECT_EQ(result.exit_code, exit_input_error) << result.out;
    EXPECT_TRUE(contains(result.err, message));
    EXPECT_EQ(result.out, "");
  }

  ScratchDirectory directory_;
};

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t n = 0;
  for (std::size_t at = 0; (at = text.find(part, at)) != std::string::npos; at += part.size()) ++n;
  return n;
}

/// Largest height of the points of the first curve of a picture by gnuplot, from the bottom up: y goes down in SVG.
double highest_point(const std::string& svg) {
  double highest = 1e9;
  for (std::size_t at = svg.find("gnuplot_plot_1"); (at = svg.find('L', at)) != std::string::npos; ++at) {
    double x = 0.0, y = 0.0;
    if (std::sscanf(svg.c_str() + at, "L%lf,%lf", &x, &y) == 2) highest = std::min(highest, y);
  }
  return highest;
}

// Protects: a PNG of the size asked for that is not blank (an empty one of this size has less than 4 kB), in a new file
// each time.
TEST_F(PlotTest, PngIsDrawnAndNothingIsOverwritten) {
  write_run("run", 500);
  const ProcessResult result = plot({"run", "pin.force.x", "bob.position.x", "--size", "900x500"});
  ASSERT_EQ(result.exit_code, exit_ok) << result.err;
  EXPECT_EQ(result.out, "run/plot-pin.force.x-bob.position.x.png\n");
  const std::string png = file_text(directory_ / "run/plot-pin.force.x-bob.position.x.png");
  ASSERT_GT(png.size(), 8000u);
  EXPECT_EQ(png.substr(0, 8), "\x89PNG\r\n\x1a\n");
  const auto number_at = [&](std::size_t k) {
    return static_cast<unsigned char>(png[k]) * 256 + static_cast<unsigned char>(png[k + 1]);
  };
  EXPECT_EQ(number_at(18), 900);
  EXPECT_EQ(number_at(22), 500);
  EXPECT_EQ(plot({"run", "pin.force.x", "bob.position.x"}).out, "run/plot-pin.force.x-bob.position.x-2.png\n");
  EXPECT_EQ(png, file_text(directory_ / "run/plot-pin.force.x-bob.position.x.png"));
  picture("mine.svg", {"run", "pin.force.x"});
  expect_error({"run", "pin.state", "-o", "mine.svg"}, "'mine.svg' exists");
  EXPECT_EQ(plot({"run", "pin.state", "-o", "mine.svg", "--overwrite"}).exit_code, exit_ok);
  EXPECT_EQ(picture("mine.pdf", {"run", "pin.force.x"}).substr(0, 5), "%PDF-");
}

// Protects: a unit is an axis, a third one makes panels; small numbers get a prefix; components come with their vector.
TEST_F(PlotTest, UnitsMakeAxesAndPanels) {
  write_run("run", 300);
  const std::string two = picture("two.svg", {"run", "pin.force", "bob.position.x"});
  EXPECT_TRUE(contains(two, "pin.force [N]"));
  EXPECT_TRUE(contains(two, "bob.position.x [\u00B5m]"));
  EXPECT_TRUE(contains(two, "bob.position.x (right)"));
  EXPECT_EQ(count(two, "id=\"gnuplot_plot_"), 3u);
  const std::string three = picture("three.svg", {"run", "bob.*", "pin.force.x"});
  for (const char* label : {"bob.position.x [\u00B5m]", "bob.velocity.x [m/s]", "pin.force.x [N]"})
    EXPECT_TRUE(contains(three, label));
}

// Protects: the peak of one row among many, and that a long history makes a small picture.
TEST_F(PlotTest, LongHistoriesAreThinnedWithoutLosingPeaks) {
  write_run("long", 60000);
  write_run("short", 300);
  const std::string svg = picture("long.svg", {"long", "pin.force.x"});
  EXPECT_LT(svg.size(), 200000u);
  EXPECT_NEAR(highest_point(svg), highest_point(picture("short.svg", {"short", "pin.force.x"})), 1.0);
}

// Protects: runs that were killed or have columns without numbers are drawn as far as they go, and the picture says so.
TEST_F(PlotTest, BrokenRunsAreDrawnAsFarAsTheyGo) {
  write_run("run", 100);
  std::filesystem::remove(directory_ / "run/summary.json");
  EXPECT_TRUE(contains(picture("killed.svg", {"run", "pin.force.x"}), "not finished"));
  write_file(directory_ / "run/summary.json", R"({"status": "failed", "time": {"reached": 0.25}})");
  EXPECT_TRUE(contains(picture("failed.svg", {"run", "pin.force.y"}), "failed at t = 0.25 s"));
  write_file(directory_ / "run/history.csv", "time [s],x\n0,nan\n1,inf\n");
  expect_error({"run", "x"}, "no row has a number");
  write_file(directory_ / "run/history.csv", "time [s],x\n0,5\n");
  picture("one_row.svg", {"run", "x"});
  write_file(directory_ / "run/history.csv", "time [s],x\n0,-1e300\n1,1e300\n");
  picture("huge.svg", {"run", "x"});
  write_file(directory_ / "run/history.csv", "");
  expect_error({"run", "x"}, "is empty");
}

// Protects: names are text and nothing else, for gnuplot, for SVG and for the shell that there is not.
TEST_F(PlotTest, NamesCannotDoAnything) {
  const std::string evil = "a'b\"c`touch hacked`<script>$(touch hacked)\\n@x_{y}";
  std::filesystem::create_directory(directory_ / evil);
  write_file(directory_ / (evil + "/history.csv"), "time [s]," + evil + " [<N>'`touch hacked`]\n0,1\n1,2\n");
  const std::string svg = picture("evil.svg", {evil, "*", "--title", evil + "\nEOD\nset output 'hacked'\n"});
  EXPECT_FALSE(std::filesystem::exists(directory_ / "hacked"));
  EXPECT_EQ(count(svg, "<script"), 0u);
  EXPECT_TRUE(contains(svg, "a'b\"c`touch hacked`&lt;script"));
  EXPECT_EQ(plot({evil, "time"}).exit_code, exit_ok);
}

// Protects: several runs in one plot, with their names.
TEST_F(PlotTest, RunsAreCompared) {
  write_run("soft", 200);
  write_run("stiff", 100);
  const std::string svg = picture("both.svg", {"soft", "stiff", "bob.position.x"});
  EXPECT_TRUE(contains(svg, ">soft<"));
  EXPECT_TRUE(contains(svg, ">stiff<"));
  EXPECT_EQ(count(svg, "id=\"gnuplot_plot_"), 2u);
}

TEST_F(PlotTest, WrongRequestsAreExplained) {
  write_run("run", 10);
  expect_error({"missing", "x"}, "there is no directory 'missing'");
  expect_error({"run"}, "which columns?");
  expect_error({"run", "pin.forec.x"}, "did you mean 'pin.force.x'?");
  expect_error({"run", "pin"}, "has no column 'pin', but pin.force.x, pin.force.y, pin.state");
  expect_error({"run", "pin.force.x", "-o", "x.jpg"}, "ends with .png, .svg or .pdf");
  expect_error({"run", "pin.force.x", "--size", "12"}, "is not WIDTHxHEIGHT");
  expect_error({"run", "pin.force.x", "--from", "1 mm"}, "is not a time");
  expect_error({"run", "pin.force.x", "--from", "30 s"}, "has no rows from 30");
  expect_error({"run", "pin.force.x", "--energy"}, "choose one for each picture");
  expect_error({"run", "pin.force.x", "--x", "pin.force"}, "fits 2 columns");
  expect_error({"run", "--orbit", "pin"}, "has no orbits");
  expect_error({"run", "--energy"}, "has no column 'energy.kinetic'");
  expect_error({"run", "--campbell"}, "there is no campbell.csv");
  expect_error({".", "x"}, "give directories of runs in it");
  EXPECT_EQ(plot({"run", "--list"}).out,
            "time [s]\npin.force.x [N]\npin.force.y [N]\nbob.position.x [m]\nbob.velocity.x [m/s]\npin.state\n");
}

// Protects: orbit with the clearance of the model, energies and events, of a real run.
TEST_F(PlotTest, OrbitEnergyAndEventsOfARun) {
  const ProcessResult run = run_freeplay(
      {"run", test::source_directory() + "/input/supercritical_rotor.yaml", "-o", "rotor", "--end", "0.5 s", "--quiet"},
      directory_.path());
  ASSERT_EQ(run.exit_code, exit_ok) << run.err;
  const std::string orbit = picture("orbit.svg", {"rotor", "--orbit", "T"});
  for (const char* text : {"Supercritical rotor", "clearance 0.8 mm", "T.eccentricity.x [\u00B5m]"})
    EXPECT_TRUE(contains(orbit, text));
  expect_error({"rotor", "--orbit", "U"}, "(there are: T)");
  const std::string energy = picture("energy.svg", {"rotor", "--energy", "--events"});
  for (const char* text : {"energy.kinetic", "at the start + work", "ledger.residual", "touch"})
    EXPECT_TRUE(contains(energy, text));
}

// Protects: a Campbell diagram with directions of whirl, the line 1x, and what the program has found about both.
TEST_F(PlotTest, CampbellDiagramNamesCriticalSpeeds) {
  std::filesystem::create_directory(directory_ / "rotor");
  std::ostringstream csv;
  csv << "speed [rad/s],mode1.frequency [Hz],mode1.damping_ratio,mode1.whirl,mode2.frequency [Hz],mode2.damping_ratio,"
         "mode2.whirl\n";
  for (int hertz = 0; hertz <= 40; ++hertz)
    csv << 2.0 * std::numbers::pi * hertz << ',' << 20.0 - hertz / 8.0 << ",0," << (hertz == 0 ? 0 : -1) << ','
        << 20.0 + hertz / 8.0 << ",0," << (hertz == 0 ? 0 : 1) << '\n';
  write_file(directory_ / "rotor/campbell.csv", csv.str());
  const std::string alone = picture("alone.svg", {"rotor", "--campbell"});
  for (const char* text : {"mode1 backward", "mode2 forward", ">1x<", "speed [rpm]"})
    EXPECT_TRUE(contains(alone, text));
  write_file(directory_ / "rotor/campbell.json",
             R"({"title": "Two modes", "critical_speeds": [{"speed": 143.615663, "whirl": "forward"},
                 {"speed": 111.7, "whirl": "backward"}], "stability_limit": {"speed": 200.0}})");
  const std::string svg = picture("campbell.svg", {"rotor", "--campbell"});
  for (const char* text :
       {"Two modes", "critical speed 1371.4 rpm", "1x meets backward or no whirl", "unstable from 1909.9 rpm"})
    EXPECT_TRUE(contains(svg, text));
}

// Protects: amplitudes of places and of forces in panels of their own, without components and phases.
TEST_F(PlotTest, ResponseOverSpeed) {
  std::filesystem::create_directory(directory_ / "rotor");
  std::ostringstream csv;
  csv << "speed [rad/s],frequency [Hz],disk.displacement [m],disk.displacement.x [m],disk.displacement.x.phase [rad],"
         "film.force [N]\n";
  for (int k = 0; k <= 40; ++k) csv << 10 * k << ',' << 1.6 * k << ',' << 1e-3 * k << ",0,0," << k * k << '\n';
  write_file(directory_ / "rotor/response.csv", csv.str());
  const std::string svg = picture("response.svg", {"rotor", "--response"});
  for (const char* text : {">disk<", ">film<", "speed [rpm]", "displacement", "force"})
    EXPECT_TRUE(contains(svg, text)) << text;
  EXPECT_FALSE(contains(svg, "phase"));
  std::filesystem::create_directory(directory_ / "empty");
  expect_error({"empty", "--response"}, "there is no response.csv");
  expect_error({"rotor", "--response", "--campbell"}, "choose one for each picture");
}

}  // namespace
}  // namespace freeplay::test
