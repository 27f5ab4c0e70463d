#include "freeplay/results/plot/axis_scale.h"

#include <gtest/gtest.h>

#include <array>

#include "freeplay/results/plot/plain_text.h"

namespace freeplay {
namespace {

AxisScale scale_of(const std::string& unit, double least, double largest) {
  AxisScale scale(unit);
  scale.include(std::array{least, largest});
  return scale;
}

// Protects: the prefix that the label names is the one that numbers are divided by, where the unit can have one.
TEST(AxisScale, prefixes_make_numbers_easy_to_read) {
  const AxisScale small = scale_of("m", -2e-4, 1e-4);
  EXPECT_EQ(small.label("gap"), "gap [\u00B5m]");
  EXPECT_DOUBLE_EQ(small(-2e-4), -200.0);
  EXPECT_EQ(scale_of("N", 0.0, 15000.0).label("force"), "force [kN]");
  EXPECT_DOUBLE_EQ(scale_of("N", 0.0, 15000.0)(15000.0), 15.0);
  EXPECT_EQ(scale_of("N*m", 0.0, 9999.0).label("moment"), "moment [N\u00B7m]");
  EXPECT_EQ(scale_of("m/s^2", 0.0, 0.02).label("a"), "a [mm/s\u00B2]");
  EXPECT_EQ(scale_of("s", 0.0, 1e5).label("time"), "time [s]");
  for (const char* unit : {"1/m", "m^2", "kg"}) EXPECT_DOUBLE_EQ(scale_of(unit, 0.0, 1e-6)(1e-6), 1e-6) << unit;
  EXPECT_EQ(scale_of("1", 0.0, 1e-6).label("state"), "state");
}

// Protects: constants and no numbers at all have a range to be drawn in, and numbers on a far axis can be told apart.
TEST(AxisScale, there_is_always_a_range) {
  const auto [low, high] = scale_of("m", 5.0, 5.0).range(true);
  EXPECT_LT(low, 5.0);
  EXPECT_GT(high, 5.0);
  const auto [none_low, none_high] = AxisScale("m").range(false);
  EXPECT_LT(none_low, none_high);
  EXPECT_EQ(scale_of("m", 0.0, 1.0).digits(), 6);
  EXPECT_GE(scale_of("s", 1000.0, 1000.0001).digits(), 9);
}

// Protects: labels are one line of valid UTF-8, or gnuplot's text engine refuses them.
TEST(PlainText, is_one_line_of_valid_letters) {
  EXPECT_EQ(plain_text("a\nb\tc\x7f"), "a b c ");
  EXPECT_EQ(plain_text("\u00B5 \u20AC \U0001F600"), "\u00B5 \u20AC \U0001F600");
  EXPECT_EQ(plain_text("\xff\xc3"), "??");                 // no beginning; cut off
  EXPECT_EQ(plain_text("\xc0\xaf\xed\xa0\x80"), "?????");  // overlong; surrogate
  EXPECT_EQ(n_letters("\u00B5m"), 2u);
}

}  // namespace
}  // namespace freeplay
