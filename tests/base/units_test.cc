#include "freeplay/base/units.h"

#include <gtest/gtest.h>

#include <numbers>

#include "freeplay/base/diagnostics.h"
#include "freeplay/base/names.h"

namespace freeplay {
namespace {

constexpr double pi = std::numbers::pi;

// The units of the manual mean what they say.
TEST(Units, quantities_of_the_manual) {
  EXPECT_DOUBLE_EQ(parse_quantity("0.5 mm").value, 0.5e-3);
  EXPECT_DOUBLE_EQ(parse_quantity("2500 rpm").value, 2500 * 2 * pi / 60);
  EXPECT_DOUBLE_EQ(parse_quantity("2500 rev/min").value, 2500 * 2 * pi / 60);
  EXPECT_DOUBLE_EQ(parse_quantity("207 GPa").value, 207e9);
  EXPECT_DOUBLE_EQ(parse_quantity("28.2 kN*m^2").value, 28.2e3);
  EXPECT_DOUBLE_EQ(parse_quantity("30 deg").value, pi / 6);
  EXPECT_DOUBLE_EQ(parse_quantity("9.81 m/s^2").value, 9.81);
  EXPECT_DOUBLE_EQ(parse_quantity("1e5 1/m").value, 1e5);
  EXPECT_DOUBLE_EQ(parse_quantity("3 N/(mm/s)").value, 3000);
  EXPECT_DOUBLE_EQ(parse_quantity("2 t").value, 2000);
  EXPECT_DOUBLE_EQ(parse_quantity("1 lbf").value, 4.4482216152605);
  EXPECT_DOUBLE_EQ(parse_quantity("1 ft").value, 12 * parse_quantity("1 in").value);
  EXPECT_DOUBLE_EQ(parse_quantity("-3 \u00b5m").value, -3e-6);
}

// Every prefix-free and prefixed unit has the right dimension.
TEST(Units, dimensions) {
  EXPECT_EQ(parse_unit("J").dimension, parse_unit("N*m").dimension);
  EXPECT_EQ(parse_unit("W").dimension, parse_unit("N*m/s").dimension);
  EXPECT_EQ(parse_unit("Pa").dimension, parse_unit("N/m^2").dimension);
  EXPECT_EQ(parse_unit("Hz").dimension, parse_unit("rpm").dimension);
  EXPECT_EQ(parse_unit("kg*m^2/s^2").dimension, parse_unit("kg*m^2*s^-2").dimension);
  EXPECT_TRUE(parse_unit("deg").dimension.is_pure_number());
  EXPECT_FALSE(parse_unit("lb").dimension == parse_unit("lbf").dimension);
}

// A decimal number with a decimal prefix is the double nearest to the product, so that files look as they were typed.
TEST(Units, prefixes_do_not_lose_the_last_digit) {
  for (int i = 1; i <= 1000; ++i) {
    EXPECT_EQ(parse_quantity(std::to_string(i) + " mm").value, i / 1000.0);
    EXPECT_EQ(parse_quantity(std::to_string(i) + " g").value, i / 1000.0);
  }
}

// What is not a unit is refused, in particular a product without '*'.
TEST(Units, refuses_what_is_no_unit) {
  for (const char* text : {"kg m^2", "Nm", "mm2", "foo", "1 mm", "m/", "*m", "m*", "kmin", "mrpm", "KN"}) {
    EXPECT_THROW(parse_unit(text), UnitError) << text;
  }
  for (const char* text : {"", "nan", "inf", "0x10", "1e999", "mm", "1 mm 2", "--1"}) {
    EXPECT_THROW(parse_quantity(text), UnitError) << text;
  }
}

// In expressions a unit must not swallow the time, a function or a number.
TEST(Units, leading_unit_stops_at_what_is_no_unit) {
  EXPECT_EQ(leading_unit(" rad/s * t", false).length, std::string(" rad/s").size());
  EXPECT_EQ(leading_unit(" N * min(1, 2)", false).length, std::string(" N").size());
  EXPECT_EQ(leading_unit(" N * 2 m", false).length, std::string(" N").size());
  EXPECT_EQ(leading_unit(" t", false).length, 0u);
  EXPECT_EQ(leading_unit("", true).length, 0u);
}

// The text of a dimension reads back as the same dimension: resolved files depend on it.
TEST(Units, base_unit_text_reads_back) {
  for (const char* text : {"N", "1/s", "kg*m^2", "1/m^2", "W", "rad", "kg/m", "m^0.5"}) {
    const Dimension dimension = parse_unit(text).dimension;
    EXPECT_EQ(parse_unit(base_unit_text(dimension)).dimension, dimension) << text;
    EXPECT_EQ(parse_unit(base_unit_text(dimension)).to_si(1.0), 1.0) << text;
  }
}

// Messages name dimensions in words.
TEST(Units, describe) {
  EXPECT_EQ(describe(parse_unit("kN").dimension), "a force [N]");
  EXPECT_EQ(describe(parse_unit("m/s^3").dimension), "a quantity in m/s^3");
}

// Swapped, missing and wrong letters are found; different words are not proposed.
TEST(Names, did_you_mean) {
  EXPECT_EQ(edit_distance("stiffness", "stifness"), 1u);
  EXPECT_EQ(edit_distance("mass", "msas"), 1u);
  EXPECT_EQ(closest_name("crnak", {"rod", "crank"}), "crank");
  EXPECT_EQ(closest_name("x", {"y"}), "");
  EXPECT_EQ(closest_name("wheel", {"rod", "crank"}), "");
}

// Messages come in the order of the file, each once; the command line comes first.
TEST(Diagnostics, sorted_and_unique) {
  Diagnostics diagnostics;
  diagnostics.error({"m.yaml", 7, 2}, "b", "second");
  diagnostics.error({"m.yaml", 3, 9}, "", "first");
  diagnostics.error({"m.yaml", 7, 2}, "b", "second");
  diagnostics.error({"--set a=1", 0, 0}, "a", "wrong");
  EXPECT_EQ(diagnostics.n_errors(), 3);
  EXPECT_EQ(diagnostics.text(),
            "--set a=1: error: a: wrong\n"
            "m.yaml:3:9: error: first\n"
            "m.yaml:7:2: error: b: second\n");
  EXPECT_THROW(diagnostics.throw_if_errors(), InputError);
}

// A warning alone does not stop a run.
TEST(Diagnostics, warnings_do_not_throw) {
  Diagnostics diagnostics;
  diagnostics.warning({"m.yaml", 1, 1}, "a", "odd");
  EXPECT_NO_THROW(diagnostics.throw_if_errors());
  EXPECT_EQ(diagnostics.text(), "m.yaml:1:1: warning: a: odd\n");
}

}  // namespace
}  // namespace freeplay
