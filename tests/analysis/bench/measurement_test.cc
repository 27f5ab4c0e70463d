#include "freeplay/analysis/bench/measurement.h"

#include <gtest/gtest.h>

#include <cmath>

#include "base/file_testing.h"

namespace freeplay {
namespace {

namespace fs = std::filesystem;

/// Results as a run would leave them: x falls from 3 to -1 and y rises from 0 to 4, both linear in time.
class Measurements : public testing::Test {
 protected:
  Measurements() {
    write("history.csv", "time [s],p.x [m],p.y [m],p.w [rad/s]\n0,3,0,1\n1,2,1,1\n2,1,2,5\n3,0,3,1\n4,-1,4,1\n");
    write("events.csv",
          "time [s],kind,joint,value,unit,detail\n0.5,touch,J,1,m/s,\"first, fast\"\n1.5,loss,J,,,\n"
          "2.5,touch,J,0.5,m/s,\n3,touch,K,0.25,m/s,\n");
    write("summary.json", R"({"steps": {"accepted": 12}, "status": "finished"})");
    write("modes.json", R"({"modes": [{"number": 1, "angular_frequency": 7.5}]})");
  }
  void write(const std::string& name, const std::string& text) { write_file(directory_ / name, text); }
  double value(const Measure& measure) { return take(measure, directory_.path()).value; }
  std::string problem(const Measure& measure) {
    try {
      take(measure, directory_.path());
    } catch (const NoMeasurement& error) {
      return error.what();
    }
    return "";
  }
  TemporaryDirectory directory_;
};

using Kind = Measure::Kind;
constexpr double round_off = 1e-14;

// Protects: values at rows, between rows, and of several columns together.
TEST_F(Measurements, ValuesOfSignals) {
  EXPECT_NEAR(value({.kind = Kind::value, .column = "p.x", .at = 2.0}), 1.0, round_off);
  EXPECT_NEAR(value({.kind = Kind::value, .column = "p.x", .at = 2.25}), 0.75, round_off);
  EXPECT_NEAR(value({.kind = Kind::value, .norm = {"p.x", "p.y"}, .at = 1.0}), std::sqrt(5.0), round_off);
  EXPECT_NEAR(value({.kind = Kind::range, .sum = {"p.x", "p.y"}}), 0.0, round_off);
  EXPECT_EQ(take({.kind = Kind::value, .column = "p.w", .at = 2.0}, directory_.path()).unit, "rad/s");
}

// Protects: extremes respect the interval.
TEST_F(Measurements, Extremes) {
  EXPECT_EQ(value({.kind = Kind::maximum, .column = "p.x"}), 3.0);
  EXPECT_EQ(value({.kind = Kind::maximum, .column = "p.x", .from = 1.5}), 1.0);
  EXPECT_EQ(value({.kind = Kind::time_of_maximum, .column = "p.y", .to = 3.0}), 3.0);
  EXPECT_EQ(value({.kind = Kind::range, .column = "p.x", .from = 1.0, .to = 2.0}), 1.0);
}

// Protects: the last value, the smallest, and the mean over time (not over rows).
TEST_F(Measurements, FinalSmallestAndMeanValues) {
  EXPECT_EQ(value({.kind = Kind::value, .column = "p.x"}), -1.0);
  EXPECT_EQ(value({.kind = Kind::minimum, .column = "p.x", .to = 2.0}), 1.0);
  EXPECT_NEAR(value({.kind = Kind::mean, .column = "p.x"}), 1.0, round_off);
  EXPECT_EQ(value({.kind = Kind::mean, .column = "p.x", .from = 1.0, .to = 1.0}), 2.0);
  write("history.csv", "time [s],p.x [m]\n0,0\n1,0\n4,2\n");
  EXPECT_NEAR(value({.kind = Kind::mean, .column = "p.x"}), 0.75, round_off);
}

// Protects: crossings in both directions, at a time between rows.
TEST_F(Measurements, Crossings) {
  const Quantity level{1.5, {1.0, 0.0, 0.0}, true};
  EXPECT_NEAR(value({.kind = Kind::crossing, .column = "p.x", .level = level}), 1.5, round_off);
  EXPECT_NEAR(value({.kind = Kind::crossing, .column = "p.y", .level = level}), 1.5, round_off);
  EXPECT_NE(problem({.kind = Kind::crossing, .column = "p.y", .from = 2.0, .level = level}), "");
}

// Protects: events are counted by kind and joint.
TEST_F(Measurements, Events) {
  EXPECT_EQ(value({.kind = Kind::event_time, .event = "touch", .joint = "J", .number = 2}), 2.5);
  EXPECT_EQ(value({.kind = Kind::events, .event = "touch", .joint = "J"}), 2.0);
  EXPECT_EQ(value({.kind = Kind::events, .from = 1.0, .event = "touch", .joint = "J"}), 1.0);
  EXPECT_EQ(value({.kind = Kind::events, .event = "touch"}), 3.0);
  EXPECT_EQ(value({.kind = Kind::events}), 4.0);
  EXPECT_NE(problem({.kind = Kind::event_time, .event = "touch", .joint = "K", .number = 2}).find("only 1"),
            std::string::npos);
}

// Protects: values of events have their unit; an event without one says so.
TEST_F(Measurements, ValuesOfEvents) {
  const Measurement speed =
      take({.kind = Kind::event_value, .event = "touch", .joint = "J", .number = 2}, directory_.path());
  EXPECT_EQ(speed.value, 0.5);
  EXPECT_EQ(speed.unit, "m/s");
  EXPECT_NE(problem({.kind = Kind::event_value, .event = "loss", .joint = "J"}).find("has no value"),
            std::string::npos);
}

// Protects: numbers of the JSON files.
TEST_F(Measurements, SummaryAndModes) {
  EXPECT_EQ(value({.kind = Kind::summary, .key = "steps.accepted"}), 12.0);
  EXPECT_EQ(value({.kind = Kind::mode, .number = 1}), 7.5);
  EXPECT_NE(problem({.kind = Kind::summary, .key = "status"}), "");
  EXPECT_NE(problem({.kind = Kind::summary, .key = "steps.none"}), "");
  EXPECT_NE(problem({.kind = Kind::mode, .number = 2}), "");
}

// Protects: what cannot be measured is said with the reason, never a number.
TEST_F(Measurements, SaysWhatIsMissing) {
  EXPECT_NE(problem({.kind = Kind::value, .column = "p.xx", .at = 1.0}).find("did you mean 'p.x'"), std::string::npos);
  EXPECT_NE(problem({.kind = Kind::value, .column = "p.x", .at = 5.0}).find("ends at 4 s"), std::string::npos);
  EXPECT_NE(problem({.kind = Kind::maximum, .column = "p.x", .from = 5.0}), "");
  EXPECT_NE(problem({.kind = Kind::maximum, .norm = {"p.x", "p.w"}}).find("units"), std::string::npos);
  const Quantity wrong_level{1.5, {}, false};
  EXPECT_NE(problem({.kind = Kind::crossing, .column = "p.x", .level = wrong_level}), "");
  fs::remove(directory_.path() / "events.csv");
  EXPECT_NE(problem({.kind = Kind::events, .event = "touch", .joint = "J"}).find("events.csv"), std::string::npos);
}

// Protects: numbers of a rotor over its speed; its tables are read like a history.
TEST_F(Measurements, of_a_rotor) {
  write("campbell.json", R"({"critical_speeds": [{"speed": 10.5}, {"speed": 20}], "stability_limit": null})");
  EXPECT_EQ(value({.kind = Measure::Kind::critical_speed, .number = 2}), 20.0);
  EXPECT_NE(problem({.kind = Measure::Kind::critical_speed, .number = 3}).find("only 2 critical speeds"),
            std::string::npos);
  EXPECT_NE(problem({.kind = Measure::Kind::stability_limit}).find("stable at all speeds"), std::string::npos);
  std::filesystem::remove(directory_ / "history.csv");
  write("campbell.csv", "speed [rad/s],mode1.frequency [Hz]\n0,3\n1,4\n");
  EXPECT_EQ(value({.kind = Measure::Kind::value, .column = "mode1.frequency"}), 4.0);
}

}  // namespace
}  // namespace freeplay
