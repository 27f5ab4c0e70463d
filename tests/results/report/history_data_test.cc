#include "freeplay/results/report/history_data.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "base/file_testing.h"
#include "results/report/unpacked.h"

namespace freeplay {
namespace {

// Columns have 16 binary digits.
constexpr double digits = 2e-5;

/// A history with a wave, a single spike, and energies whose sum is constant.
std::string long_history(int n_rows, int spike) {
  std::string text = "time [s],wave [m],spike [N],energy.kinetic [J],energy.elastic [J]\n";
  for (int k = 0; k < n_rows; ++k) {
    const double t = 1e-3 * k;
    char line[160];
    std::snprintf(line, sizeof line, "%.12g,%.12g,%.12g,%.12g,%.12g\n", t, std::sin(300.0 * t),
                  k == spike ? -1234.5 : 1.0, std::pow(std::sin(t), 2), std::pow(std::cos(t), 2));
    text += line;
  }
  return text;
}

nlohmann::json column(const nlohmann::json& part, const std::string& name) {
  for (const nlohmann::json& each : part.at("columns"))
    if (each.at("name") == name) return each;
  return nullptr;
}

class HistoryDataTest : public testing::Test {
 protected:
  HistoryData read(const std::string& text) {
    write_file(directory_ / "history.csv", text);
    return HistoryData(directory_ / "history.csv");
  }
  TemporaryDirectory directory_;
};

TEST_F(HistoryDataTest, ShortHistoryIsAsItIs) {
  const HistoryData history = read("time [s],a.x [m],b\n0,1.5,2\n0.1,-3,nan\n0.2,inf,4\n");
  const nlohmann::json json = history.json();
  EXPECT_FALSE(json["thinned"]);
  EXPECT_EQ(json["rows"], 3);
  EXPECT_EQ(json["x"]["name"], "time");
  EXPECT_EQ(json["x"]["unit"], "s");
  EXPECT_EQ(unpacked(json["x"]["values"]), (std::vector<double>{0, 0.1, 0.2}));
  EXPECT_EQ(column(json, "a.x")["unit"], "m");
  EXPECT_EQ(column(json, "b")["unit"], "");
  const std::vector<double> a = unpacked(column(json, "a.x")["values"]), b = unpacked(column(json, "b")["values"]);
  EXPECT_EQ(a[1], -3.0);
  EXPECT_TRUE(std::isnan(a[2])) << "what is not finite cannot be drawn";
  EXPECT_TRUE(std::isnan(b[1]));
  EXPECT_TRUE(history.samples_json().is_null());
}

TEST_F(HistoryDataTest, ThinningKeepsEveryExtremeOfEveryBucket) {
  constexpr int n = 50000;
  const HistoryData history = read(long_history(n, 31415));
  const nlohmann::json json = history.json();
  EXPECT_TRUE(json["thinned"]);
  EXPECT_EQ(json["rows"], n);
  const std::vector<double> x = unpacked(json["x"]["values"]);
  ASSERT_LE(x.size(), 4000U);
  EXPECT_TRUE(std::is_sorted(x.begin(), x.end()));
  EXPECT_EQ(x.front(), 0.0);
  EXPECT_NEAR(x.back(), 49.999, 1e-12);

  const std::vector<double> spike = unpacked(column(json, "spike")["values"]);
  EXPECT_EQ(std::ranges::count(spike, -1234.5), 1) << "one row of 50000";

  // The wave has 25 rows per bucket and 21 per period: each bucket has nearly the whole range.
  const std::vector<double> wave = unpacked(column(json, "wave")["values"]);
  ASSERT_EQ(wave.size(), x.size());
  for (std::size_t k = 1; k + 2 < wave.size(); k += 2) EXPECT_GT(std::abs(wave[k + 1] - wave[k]), 1.9) << k;
}

TEST_F(HistoryDataTest, ExtremesOfABucketAreInTheirOrder) {
  // It falls all the time: so do the points.
  std::string text = "time [s],falling\n";
  for (int k = 0; k < 20000; ++k) text += std::to_string(k) + "," + std::to_string(-k) + "\n";
  const nlohmann::json json = read(text).json();
  std::vector<double> values = unpacked(column(json, "falling")["values"]);
  std::ranges::reverse(values);
  EXPECT_TRUE(std::ranges::is_sorted(values));
  EXPECT_EQ(values.back(), 0.0);
  EXPECT_EQ(values.front(), -19999.0);
}

TEST_F(HistoryDataTest, SamplesAreRowsOfOneInstant) {
  const nlohmann::json samples = read(long_history(30000, 5)).samples_json();
  ASSERT_FALSE(samples.is_null());
  const std::vector<double> x = unpacked(samples["x"]);
  const std::vector<double> kinetic = unpacked(column(samples, "energy.kinetic")["values"]);
  const std::vector<double> elastic = unpacked(column(samples, "energy.elastic")["values"]);
  ASSERT_LE(x.size(), 2001U);
  EXPECT_NEAR(x.back(), 29.999, 1e-12);
  for (std::size_t k = 0; k < x.size(); ++k) EXPECT_NEAR(kinetic[k] + elastic[k], 1.0, digits);
  EXPECT_TRUE(column(samples, "wave").is_null()) << "an ordinary column is not needed twice";
}

TEST_F(HistoryDataTest, SmallChangesOfLargeValuesKeepTheirDigits) {
  std::string text = "time [s],far [m]\n";
  for (int k = 0; k < 10; ++k) text += std::to_string(k) + ",1000.0000" + std::to_string(k) + "\n";
  const nlohmann::json json = read(text).json();
  EXPECT_EQ(unpacked(column(json, "far")["values"])[7], 1000.00007);
}

TEST_F(HistoryDataTest, LargestLengthOfAVectorOverAllRows) {
  std::string text = "time [s],pin.force.x [N],pin.force.y [N],pin.force.z [N],pin.angle [rad]\n";
  for (int k = 0; k < 30000; ++k) text += std::to_string(k) + (k == 20001 ? ",3,4,12,0\n" : ",1,0,0,0\n");
  const HistoryData history = read(text);
  ASSERT_TRUE(history.largest("pin.force").has_value());
  EXPECT_EQ(history.largest("pin.force")->value, 13.0);
  EXPECT_EQ(history.largest("pin.force")->time, 20001.0);
  EXPECT_FALSE(history.largest("pin.moment").has_value());
}

TEST_F(HistoryDataTest, DamagedFilesGiveWhatCanBeRead) {
  EXPECT_TRUE(HistoryData(directory_ / "missing.csv").json().is_null());
  EXPECT_TRUE(read("").json().is_null());
  EXPECT_TRUE(read("time [s],a").json().is_null()) << "the header was cut";
  EXPECT_TRUE(read("time [s],a\n").json().is_null()) << "no rows";
  EXPECT_EQ(read("time [s],a\n0,1\n1,2\n2,3").json()["rows"], 2) << "the last line was cut";
  const nlohmann::json json = read("time [s],a,b\n0,1,2\n1\n2,rubbish,5,6,7\n\n").json();
  const std::vector<double> a = unpacked(column(json, "a")["values"]), b = unpacked(column(json, "b")["values"]);
  EXPECT_EQ(a[0], 1.0);
  EXPECT_TRUE(std::isnan(a[1]));
  EXPECT_TRUE(std::isnan(a[2]));
  EXPECT_EQ(b[2], 5.0);
}

/// Whatever the number of columns, the numbers stay within the budget.
TEST_F(HistoryDataTest, ManyColumnsHaveFewerPoints) {
  std::string text = "time [s]";
  for (int c = 0; c < 3000; ++c) text += ",c" + std::to_string(c);
  text += "\n";
  std::string row;
  for (int c = 0; c < 3000; ++c) row += ",0.5";
  for (int k = 0; k < 400; ++k) text += std::to_string(k) + row + "\n";
  const nlohmann::json json = read(text).json();
  EXPECT_EQ(json["columns"].size(), 3000U);
  EXPECT_LE(unpacked(json["x"]["values"]).size() * 3000, 300000U);
}

}  // namespace
}  // namespace freeplay
