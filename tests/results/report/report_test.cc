#include "freeplay/results/report/report.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <unistd.h>

#include <cmath>
#include <cstring>

#include "base/file_testing.h"
#include "freeplay/base/diagnostics.h"
#include "freeplay/results/report/event_data.h"
#include "freeplay/results/report/motion_data.h"
#include "freeplay/results/report/run_results.h"
#include "results/report/unpacked.h"

namespace freeplay {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

const ReportMaker maker{"freeplay test", false};

/// A scene of one body that moves, one joint with clearance and one contact.
const json scene{{"format", 1},
                 {"n_frames", 1},
                 {"n_forces", 1},
                 {"n_contacts", 1},
                 {"record_bytes", 8 + 4 * (7 + 3 + 11)},
                 {"time", {{"name", "time"}, {"unit", "s"}}},
                 {"joints", {{{"name", "pin"}, {"type", "planar-clearance"}, {"clearance", {{"kind", "circle"}}}}}}};

/// Frame k: at x = k, force k along z, gap -k.
std::string motion_file(int n_frames) {
  std::string bytes;
  for (int k = 0; k < n_frames; ++k) {
    const double time = 0.1 * k;
    float numbers[21] = {};
    numbers[0] = static_cast<float>(k);
    numbers[6] = k % 2 == 0 ? 1.0F : -1.0F;  // the same rotation
    numbers[9] = static_cast<float>(k);
    numbers[19] = static_cast<float>(-k);
    bytes.append(reinterpret_cast<const char*>(&time), sizeof time);
    bytes.append(reinterpret_cast<const char*>(numbers), sizeof numbers);
  }
  return bytes;
}

class ReportTest : public testing::Test {
 protected:
  void write(const std::string& name, const std::string& text) { write_file(directory_ / name, text); }
  void write_run() {
    write("history.csv",
          "time [s],pin.force.x [N],pin.force.y [N],pin.force.z [N],pin.gap [m]\n0,1,2,2,0\n1,0,0,0,0\n");
    write("events.csv", "time [s],kind,joint,value,unit,detail\n0.5,touch,pin,1,m/s,\n0.5,impact,pin,2,N*s,peak 3 N\n");
    write("summary.json", json{{"status", "finished"},
                               {"title", "A <script>alert(1)</script> & \"title\""},
                               {"model", "model.yaml"},
                               {"time", {{"reached", 1.0}, {"end", 1.0}}},
                               {"joint_use",
                                {{"pin",
                                  {{"contact_fraction", 0.25},
                                   {"stick_fraction", 0.125},
                                   {"friction_loss", 7.0},
                                   {"contact_loss", 8.0},
                                   {"largest_contact_force", {{"value", 99.0}, {"time", 0.4}}}}}}}}
                              .dump());
    write("scene.json", scene.dump());
    write("motion.bin", motion_file(3));
    write("resolved.yaml", "freeplay: 1\nanalysis:\n  dynamic:\n    end: 1 s\n    tolerance: 1e-4\n");
    write("run.log", "     0.001 s  freeplay: model.yaml\n     0.002 s  model.yaml:3:1: warning: odd\n");
  }
  json data() { return report_data(directory_.path(), maker); }
  TemporaryDirectory directory_;
};

TEST_F(ReportTest, RunHasAllParts) {
  write_run();
  const json report = data();
  EXPECT_EQ(report["kind"], "run");
  EXPECT_EQ(report["verdict"]["status"], "finished");
  EXPECT_EQ(report["verdict"]["warnings"], (json{"model.yaml:3:1: warning: odd"}));
  EXPECT_EQ(report["history"]["rows"], 2);
  EXPECT_EQ(report["events"]["total"], 2);
  EXPECT_EQ(report["events"]["rows"][1], (json{0.5, "impact", "pin", 2.0, "N*s", "peak 3 N"}));
  const json joint = report["joints"][0];
  EXPECT_EQ(joint["name"], "pin");
  EXPECT_EQ(joint["touches"], 1);
  EXPECT_EQ(joint["impacts"], 1);
  EXPECT_EQ(joint["contact_fraction"], 0.25);
  EXPECT_EQ(joint["friction_loss"], 7.0);
  EXPECT_EQ(joint["largest_force"], (json{{"value", 99.0}, {"time", 0.4}})) << "larger than |(1, 2, 2)| in a row";
  EXPECT_EQ(unpacked(report["motion"]["time"]), (std::vector<double>{0, 0.1, 0.2}));
  EXPECT_EQ(unpacked(report["motion"]["poses"]),
            (std::vector<double>{0, 1, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1}))
      << "column by column, and the quaternion keeps its sign";
  EXPECT_EQ(unpacked(report["motion"]["forces"]), (std::vector<double>{0, 0, 0, 0, 0, 0, 0, 1, 2}));
}

TEST_F(ReportTest, KilledRunIsShownAsFarAsItCame) {
  write_run();
  fs::remove(directory_ / "summary.json");
  write("motion.bin", motion_file(3).substr(0, 250));  // two and a half frames
  const json report = data();
  EXPECT_EQ(report["verdict"]["status"], "interrupted");
  EXPECT_EQ(unpacked(report["motion"]["time"]).size(), 2U);
  EXPECT_EQ(report["joints"][0]["largest_force"], (json{{"value", 3.0}, {"time", 0.0}})) << "from the rows";
  EXPECT_TRUE(report["joints"][0]["contact_fraction"].is_null());
}

TEST_F(ReportTest, RunThatGoesOnIsRunning) {
  write_run();
  const int lock = ::open(directory_.path().c_str(), O_RDONLY | O_DIRECTORY);
  ASSERT_EQ(::flock(lock, LOCK_EX), 0);
  EXPECT_EQ(data()["verdict"]["status"], "running");
  EXPECT_EQ(report_data(directory_.path(), {"freeplay test", true})["verdict"]["status"], "finished")
      << "`run --report` holds the lock itself";
  ::close(lock);
}

TEST_F(ReportTest, SummaryOfAnEarlierPartDoesNotCount) {
  write_run();
  write("history.csv", "time [s]\n0\n1\n2\n");
  EXPECT_EQ(data()["verdict"]["status"], "interrupted");
}

TEST_F(ReportTest, DamagedFilesAreLeftOut) {
  write_run();
  for (const char* file : {"summary.json", "scene.json", "motion.bin", "events.csv", "history.csv", "resolved.yaml"})
    for (const std::string& rubbish : {std::string(), std::string("\0\xff\xfe{[,", 6), std::string("[1, 2]")}) {
      write_run();
      write(file, rubbish);
      const json report = data();
      EXPECT_NO_THROW(report_page("<!--FREEPLAY-DATA-->", report, "id")) << file;
    }
  write_run();
  json other = scene;
  other["n_frames"] = 2;
  write("scene.json", other.dump());
  EXPECT_TRUE(data()["motion"].is_null()) << "records of another size";
}

TEST_F(ReportTest, ResultsOfAnOlderVersionHaveNoScene) {
  write_run();
  fs::remove(directory_ / "scene.json");
  fs::remove(directory_ / "motion.bin");
  write("summary.json",
        R"({"status": "finished", "largest_joint_loads": {"pin": {"force": {"value": 5, "time": 1}}}})");
  const json report = data();
  EXPECT_TRUE(report["scene"].is_null());
  EXPECT_TRUE(report["motion"].is_null());
  EXPECT_EQ(report["joints"][0]["largest_force"]["value"], 5.0);
}

TEST_F(ReportTest, NoTextCanEndTheScript) {
  write_run();
  write("model.yaml", "title: </script><script>alert(1)</script>\n# \xff is no UTF-8\n");
  const std::string page = report_page("<html><!--FREEPLAY-DATA--></html>", data(), "id");
  EXPECT_TRUE(page.starts_with("<html><script type=\"application/json\" id=\"freeplay-data\""));
  EXPECT_TRUE(page.ends_with("</script></html>"));
  EXPECT_EQ(page.find("</script>"), page.rfind("</script>"));
  EXPECT_EQ(page.find("<script>alert"), std::string::npos);
  const std::size_t begin = page.find('>', 10) + 1;
  const json back = json::parse(page.substr(begin, page.find("</script>") - begin));
  EXPECT_EQ(back["title"], "A <script>alert(1)</script> & \"title\"");
}

TEST_F(ReportTest, OnlyReportsOfTheSameResultsAreReplaced) {
  write_run();
  write("page.html", "<p><!--FREEPLAY-DATA--></p>");
  const fs::path page = directory_ / "page.html";
  const TemporaryDirectory elsewhere;
  const auto make = [&](const std::optional<fs::path>& file) {
    return write_report(directory_.path(), file, page, maker);
  };
  EXPECT_EQ(make(std::nullopt), directory_ / "report.html");
  EXPECT_NO_THROW(make(std::nullopt)) << "it is made again";
  make(elsewhere / "mine.html");
  EXPECT_NO_THROW(make(elsewhere / "mine.html"));
  write_file(elsewhere / "letter.html", "dear all");
  EXPECT_TRUE(
      contains(message_of<InputError>([&] { make(elsewhere / "letter.html"); }), "not a report of these results"));
  EXPECT_EQ(file_text(elsewhere / "letter.html"), "dear all");
  write("report.html", "my own page");
  EXPECT_TRUE(contains(message_of<InputError>([&] { make(std::nullopt); }), "not a report of these results"));
  const TemporaryDirectory other_results;
  write_file(other_results / "history.csv", "time [s]\n0\n");
  EXPECT_THROW(write_report(other_results.path(), elsewhere / "mine.html", page, maker), InputError);
}

TEST_F(ReportTest, WhatIsNoResultsSaysWhatWasLookedFor) {
  EXPECT_TRUE(contains(message_of<InputError>([&] { data(); }), "neither history.csv nor summary.json"));
  fs::create_directory(directory_ / "pendulum");
  write("pendulum/history.csv", "time [s]\n");
  EXPECT_TRUE(
      contains(message_of<InputError>([&] { data(); }), "There are results in " + (directory_ / "pendulum").string()));
  EXPECT_TRUE(contains(message_of<InputError>([&] { report_data(directory_ / "nowhere", maker); }), "no directory"));
  EXPECT_TRUE(
      contains(message_of<InputError>([&] { report_data(directory_ / "pendulum/history.csv", maker); }), "is a file"));
}

TEST_F(ReportTest, KindsOfResults) {
  write("modes.json",
        R"({"title": "T", "about": "assembled", "modes": [{"number": 1, "frequency_hz": 2.0, "kind": "vibration"}]})");
  write("scene.json", scene.dump());
  std::string numbers;
  for (int k = 0; k < 7 + 6 + 6; ++k) {
    const auto value = static_cast<float>(k);
    numbers.append(reinterpret_cast<const char*>(&value), 4);
  }
  write("modes.bin", numbers);
  json report = data();
  EXPECT_EQ(report["kind"], "modes");
  EXPECT_EQ(unpacked(report["modes"]["modes"][0]["imaginary"]), (std::vector<double>{13, 14, 15, 16, 17, 18}));
  write("modes.bin", numbers.substr(0, 60));
  EXPECT_TRUE(data()["modes"]["modes"][0]["imaginary"].is_null());
  fs::remove(directory_ / "modes.json");
  write("modes.bin", numbers);
  write("campbell.json", R"({"title": "C", "speeds": [0, 10], "shapes_at": [1], "modes": [{"number": 1}],
                             "critical_speeds": [{"speed": 10.471975512, "whirl": "forward"}], "stability_limit": null})");
  report = data();
  EXPECT_EQ(report["kind"], "campbell");
  EXPECT_EQ(report["verdict"]["rows"][1]["value"], "100 rpm (forward)");
  EXPECT_EQ(report["shapes"]["points"][0]["point"], 1);
  EXPECT_EQ(unpacked(report["shapes"]["points"][0]["shapes"][0]["real"]), (std::vector<double>{7, 8, 9, 10, 11, 12}));
  for (const char* rubbish :
       {"", "[1, 2]", R"({"modes": 1, "speeds": "x", "critical_speeds": [3], "shapes_at": {}})"}) {
    write("campbell.json", rubbish);
    EXPECT_NO_THROW(data()) << rubbish;
  }
  fs::remove(directory_ / "campbell.json");
  write("response.json", R"({"title": "R", "response_to": "unbalance", "speed": [1, 2], "frequency_hz": [3, 4],
      "quantities": [{"name": "disk", "what": "displacement", "unit": "m", "largest": [0.5, 0.25]}]})");
  write("response.csv", "speed [rad/s],frequency [Hz],disk.displacement [m]\n1,3,0.5\n2,4,0.25\n");
  report = data();
  EXPECT_EQ(report["kind"], "response");
  EXPECT_EQ(report["response"]["peaks"][0]["hz"], 3.0);
  EXPECT_EQ(report["history"]["rows"], 2);
  write("response.json", "[");
  EXPECT_EQ(data()["verdict"]["status"], "failed");
  fs::remove(directory_ / "response.json");
  write("stiction.json", R"({"title": "S", "rest_is_possible": "yes", "first_possible_slip": 2.5})");
  report = data();
  EXPECT_EQ(report["kind"], "stiction");
  EXPECT_EQ(report["stiction"]["first_possible_slip"], 2.5);
}

TEST_F(ReportTest, StudyHasItsTableAndWhatIsMissing) {
  write("study.yaml",
        "model: m.yaml\nvary:\n  - {parameters.c: [1 mm, 2 mm, 3 mm]}\nresults:\n  peak: {maximum: {column: a}}\n");
  write("study.csv",
        "case,c [m],peak [N],exit_code,seconds,message\nc=1mm,0.001,5,0,1,\nc=2mm,0.002,,3,1,\"failed, really\"\n");
  const json report = data();
  EXPECT_EQ(report["kind"], "study");
  EXPECT_EQ(report["study"]["parameters"], (json{{{"name", "c"}, {"unit", "m"}}}));
  EXPECT_EQ(report["study"]["results"], (json{{{"name", "peak"}, {"unit", "N"}}}));
  const json rows = report["study"]["rows"];
  EXPECT_EQ(rows[0]["values"], (json{0.001, 5.0}));
  EXPECT_EQ(rows[1]["status"], "failed");
  EXPECT_EQ(rows[1]["message"], "failed, really");
  EXPECT_TRUE(rows[1]["values"][1].is_null());
  EXPECT_TRUE(rows[0]["link"].is_null());
  EXPECT_EQ(rows.back()["status"], "missing");
  EXPECT_EQ(report["verdict"]["status"], "interrupted");
  fs::create_directory(directory_ / "c=1mm");
  write("c=1mm/report.html", "");
  EXPECT_EQ(data()["study"]["rows"][0]["link"], "c=1mm/report.html");
}

TEST_F(ReportTest, LongAnimationsAreThinned) {
  write("motion.bin", motion_file(5000));
  const json motion = motion_json(directory_ / "motion.bin", scene);
  const std::vector<double> time = unpacked(motion["time"]);
  EXPECT_EQ(time.size(), 600U);
  EXPECT_EQ(time.front(), 0.0);
  EXPECT_NEAR(time.back(), 499.9, 1e-9);
}

TEST_F(ReportTest, LargestImpactsAreShownOfMany) {
  std::string text = "time [s],kind,joint,value,unit,detail\n";
  for (int k = 0; k < 5000; ++k) {
    text += std::to_string(k) + ",touch,bearing.1,1,m/s,\n";
    text += std::to_string(k) + ",impact,bearing.2," + std::to_string(k == 7 ? 1e6 : 1.0 + 1e-6 * k) + ",N*s,\n";
  }
  write("events.csv", text);
  const EventData events(directory_ / "events.csv");
  const json shown = events.json();
  EXPECT_EQ(shown["total"], 10000);
  EXPECT_EQ(shown["rows"].size(), EventData::most_shown);
  EXPECT_EQ(shown["rows"][0][0], 7.0) << "early, but by far the largest";
  EXPECT_EQ(events.count("bearing", "touch"), 5000);
  EXPECT_EQ(events.count("bearing", "impact"), 5000);
  EXPECT_EQ(events.count("bear", "touch"), 0);
}

}  // namespace
}  // namespace freeplay
