#include "freeplay/deck/expression.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <numbers>

namespace freeplay {
namespace {

using Time = Expression::Time;

Parameters example_parameters() {
  Parameters parameters;
  parameters.add("L", {0.5, {1, 0, 0}, true});
  parameters.add("n", {3.0, {}, false});
  parameters.add("angle", {0.25, {}, true});
  parameters.add_broken("broken");
  return parameters;
}

Expression parse(const std::string& text, Time time = Time::allowed) {
  return Expression(text, example_parameters(), time);
}

double value(const std::string& text, double t = 0.0) { return parse(text).at(t).value; }

std::string message(const std::string& text, Time time = Time::allowed) {
  try {
    parse(text, time);
  } catch (const ExpressionError& error) {
    return error.what();
  }
  return "no error";
}

// Precedence, associativity and the functions are those of mathematics.
TEST(Expression, values) {
  EXPECT_EQ(value("1 + 2 * 3"), 7);
  EXPECT_EQ(value("-2^2"), -4);
  EXPECT_EQ(value("2^3^2"), 512);
  EXPECT_EQ(value("2^-1"), 0.5);
  EXPECT_EQ(value("8 / 4 / 2"), 1);
  EXPECT_EQ(value("(1 + 2) * -3"), -9);
  EXPECT_EQ(value("min(3, 1, 2) + max(1, 5)"), 6);
  EXPECT_EQ(value("if(1 < 2, 10, 1/0)"), 10);
  EXPECT_EQ(value("1 > 2 ? 1/0 : 2 >= 2 ? 7 : 8"), 7);
  EXPECT_EQ(value("${n} * 2"), 6);
  EXPECT_EQ(value("step(-1) + step(0) + sign(-3) + abs(-2)"), 2);
  EXPECT_DOUBLE_EQ(value("atan2(1, -1) + pow(2, 0.5) + e - pi"),
                   std::atan2(1, -1) + std::sqrt(2) + std::numbers::e - std::numbers::pi);
  EXPECT_EQ(value("ramp(t, 1, 3)", 2), 0.5);
}

// Units multiply, and belong to the number in front of them.
TEST(Expression, units) {
  EXPECT_DOUBLE_EQ(value("2 mm + ${L}"), 0.502);
  EXPECT_DOUBLE_EQ(value("10 N / 2 mm"), 5000);
  EXPECT_DOUBLE_EQ(value("6 m / 2 m/s"), 3);
  EXPECT_EQ(parse("6 m / 2 m/s").dimension(), (Dimension{0, 0, 1}));
  EXPECT_EQ(parse("sqrt(4 m^2)").dimension(), (Dimension{1, 0, 0}));
  EXPECT_EQ(parse("${L}^(1 + 1)").dimension(), (Dimension{2, 0, 0}));
  EXPECT_EQ(parse("2 t", Time::forbidden).dimension(), (Dimension{0, 1, 0}));
  EXPECT_EQ(parse("10 rad/s * t").dimension(), Dimension{});
  EXPECT_TRUE(parse("if(t < 1 s, 0, 5 N)").fits({1, 1, -2}));
}

// Without units the result is in the unit of the key; a parameter with a unit makes dimensions strict, even an angle.
TEST(Expression, when_dimensions_are_strict) {
  EXPECT_TRUE(parse("10 * sin(3 * t)").fits({1, 1, -2}));
  EXPECT_TRUE(parse("${n} * t").fits({1, 0, 0}));
  EXPECT_FALSE(parse("${L} * 2").fits({0, 0, 1}));
  EXPECT_FALSE(parse("${angle}").fits({1, 0, 0}));
  EXPECT_EQ(message("sin(3 * t) * 1 N"), "sin needs a pure number or an angle, but '3 * t' is a time [s]");
}

// Mistakes are named, with what to do.
TEST(Expression, messages) {
  EXPECT_EQ(message("1 m + 2 s"), "cannot add a length [m] and a time [s]");
  EXPECT_EQ(message("1 mm < 2"),
            "cannot compare a length [m] and a pure number (once one number has a unit, all need "
            "theirs, and t has the unit s)");
  EXPECT_EQ(message("2 t"), "needs '*' between 2 and t");
  EXPECT_EQ(message("2 t * t", Time::forbidden), "uses the time t, but this value cannot change with time");
  EXPECT_EQ(message("${M}"), "uses the unknown parameter 'M'");
  EXPECT_EQ(message("${m}"), "uses the unknown parameter 'm'");
  EXPECT_EQ(message("n + 1"), "has an unknown name 'n', did you mean ${n}?");
  EXPECT_EQ(message("2 Nm"), "has an unknown unit 'Nm', did you mean N*m?");
  EXPECT_EQ(message("2 gram"), "has an unknown unit 'gram', did you mean 'g'?");
  EXPECT_EQ(message("90 degrees"), "has an unknown unit 'degrees', did you mean 'deg'?");
  EXPECT_EQ(message("3 Newtons"), "has an unknown unit 'Newtons', did you mean 'N'?");
  EXPECT_EQ(message("20 psi"), "has an unknown unit 'psi', did you mean 'lbf/in^2'?");
  EXPECT_EQ(message("2 m/s2"), "has an unknown name 's2', did you mean s^2?");
  EXPECT_EQ(message("3 * mm"), "has the unit 'mm' without a number: write 1 mm");
  EXPECT_EQ(message("sn(2)"), "has an unknown name 'sn', did you mean 'sin'?");
  EXPECT_EQ(message("sin(1, 2)"), "sin needs 1 argument, not 2");
  EXPECT_EQ(message("(1"), "needs a closing ')'");
  EXPECT_EQ(message("1 +"), "ends too early, a value is missing");
  EXPECT_EQ(message("1 2"), "needs an operator such as '*' before '2'");
  EXPECT_EQ(message("1e999"), "has a number that is too large or too small: 1e999");
  EXPECT_EQ(message("nan"), "has an unknown name 'nan', did you mean 'tan'?");
  EXPECT_EQ(message(""), "is empty, a number is needed");
  EXPECT_EQ(message("2 m ^ (t)"), "is ambiguous: write (3 s)^2 or 3 s^2 with a number after '^'");
  EXPECT_EQ(message("(2 m)^(t / 1 s)"),
            "only a pure number can have an exponent that depends on time, not a length [m]");
}

// A mistake in a parameter is not reported again where it is used.
TEST(Expression, broken_parameters_are_silent) { EXPECT_EQ(message("1 + ${broken}"), ""); }

// Deep nesting is an error and neither overflows the stack of the parser nor that of the evaluation.
TEST(Expression, depth_is_limited) {
  const std::size_t n = 100'000;
  for (const std::string& text : {std::string(n, '(') + "1" + std::string(n, ')'), std::string(n, '-') + "1"}) {
    EXPECT_EQ(message(text), "is nested too deeply (more than 50 levels)");
  }
  std::string tower = "1", chain = "1";
  for (std::size_t i = 0; i < n; ++i) {
    tower += "^1";
    chain += "+1";
  }
  EXPECT_EQ(message(tower), "is nested too deeply (more than 50 levels)");
  EXPECT_EQ(value(chain), n + 1.0);
}

// Derivatives are exact: compared with central differences of the value and of the rate.
TEST(Expression, derivatives) {
  constexpr double h = 1e-5;
  constexpr double tolerance = 1e-7;  // the error of central differences is of order h^2 f'''
  for (const char* text : {"sin(3*t)",        "cos(t)^2",    "tan(t/3)",       "asin(t/4)",
                           "acos(t/4)",       "atan(2*t)",   "sinh(t)",        "cosh(t)",
                           "tanh(t)",         "exp(-t)",     "log(1 + t)",     "sqrt(2 + t)",
                           "abs(-t)",         "t^3 - 2*t",   "t^-2",           "2^t",
                           "(1 + t)^t",       "1/(1 + t^2)", "t/(2 + sin(t))", "atan2(sin(t), 2 + cos(t))",
                           "ramp(t, 0.2, 2)", "min(t^2, 5)", "max(t^2, 0)",    "if(t < 100, t^4, 0)",
                           "pow(t, 2.5)"}) {
    const Expression f = parse(text);
    for (const double t : {0.7, 1.3}) {
      const Jet jet = f.at(t);
      EXPECT_NEAR(jet.rate, (f.at(t + h).value - f.at(t - h).value) / (2 * h), tolerance) << text;
      EXPECT_NEAR(jet.second_rate, (f.at(t + h).rate - f.at(t - h).rate) / (2 * h), tolerance) << text;
    }
  }
}

// Where a formula has an infinite derivative, a constant argument and integer powers still have finite ones.
TEST(Expression, derivatives_at_zero) {
  for (const char* text : {"sqrt(0) * t", "t^2", "t^1", "0^t * 0 + t^0"}) {
    const Jet jet = parse(text).at(text[0] == '0' ? 1.0 : 0.0);
    EXPECT_FALSE(std::isnan(jet.value) || (text[0] != '0' && (std::isnan(jet.rate) || std::isnan(jet.second_rate))))
        << text;
  }
  EXPECT_EQ(parse("t^2").at(0.0).second_rate, 2.0);
}

// Steps can end where the function switches.
TEST(Expression, corners) {
  EXPECT_EQ(parse("if(t < 2 s, 0, 1 N) * step(2*t - 1 s)").corners(), (std::vector<double>{0.5, 2.0}));
  EXPECT_EQ(parse("ramp(t, 1, 3)").corners(), (std::vector<double>{1.0, 3.0}));
  EXPECT_TRUE(parse("sin(t)").corners().empty());
  EXPECT_TRUE(parse("step(t + 1) * step(sin(t))").corners().empty());
}

// The resolved text has no parameters and means the same.
TEST(Expression, resolved_text) {
  const Expression f = parse("${L} * sin(${n} * ${angle}) + 2 * ${L}");
  EXPECT_EQ(f.resolved_text(), "(0.5 m) * sin((3) * (0.25 rad)) + 2 * (0.5 m)");
  EXPECT_EQ(parse(f.resolved_text()).at(0).value, f.at(0).value);
}

// The mean over a step is exact for polynomials of degree 5.
TEST(TimeFunction, mean) {
  const TimeFunction f(std::make_shared<Expression>(parse("t^5")), {}, "t^5");
  EXPECT_DOUBLE_EQ(f.mean(1, 3), (729 - 1) / 12.0);
  EXPECT_EQ(TimeFunction(2.5).mean(0, 1), 2.5);
  EXPECT_EQ(TimeFunction(2.5).text(), "2.5");
}

// Control: quantities of the motion are variables, with their dimensions, and integrals over time are values.
TEST(Expression, signals_of_the_motion) {
  const Expression e =
      parse("-20 N*m/rad * hinge.angle - 2 N*m*s/rad * hinge.angle_rate + 3 N * arm.tip.position.x", Time::with_state);
  ASSERT_EQ(e.signals().size(), 3u);
  EXPECT_EQ(e.signals()[1].text(), "hinge.angle_rate");
  EXPECT_EQ(e.signals()[2].of, "arm.tip");
  EXPECT_TRUE(e.fits(parse_unit("N*m").dimension));
  EXPECT_FALSE(e.fits(parse_unit("N").dimension));
  const std::array<Jet, 3> signals{Jet{0.5}, Jet{2.0, 1.0}, Jet{0.1}};
  const Jet at = e.over({{0.0}, signals, {}, 0.0});
  EXPECT_DOUBLE_EQ(at.value, -10.0 - 4.0 + 0.3);
  EXPECT_DOUBLE_EQ(at.rate, -2.0);
}

// A joint may be called like a unit.
TEST(Expression, signals_named_like_units) {
  const Expression e = parse("2 N/m * m.displacement", Time::with_state);
  ASSERT_EQ(e.signals().size(), 1u);
  EXPECT_EQ(e.signals()[0].of, "m");
  EXPECT_TRUE(e.fits(parse_unit("N").dimension));
}

TEST(Expression, integrals_over_time) {
  const Expression e = parse("3 * integral(2*rail.displacement + integral(t))", Time::with_state);
  EXPECT_EQ(e.n_integrals(), 2);
  const std::array<Jet, 1> signals{Jet{0.5, 1.0}};
  std::array<double, 2> integrals{0.25, 1.0};
  const double dt = 0.1, t = 2.0;
  // The inner one is 0.25 + dt/2 t in the middle of the step, the outer integrand 1 + that.
  const double inner = 0.25 + 0.5 * dt * t, outer = 2.0 * 0.5 + inner;
  const Expression::Step step{{t}, signals, integrals, dt};
  EXPECT_DOUBLE_EQ(e.over(step).value, 3.0 * (1.0 + 0.5 * dt * outer));
  EXPECT_DOUBLE_EQ(e.over(step).rate, 3.0 * 0.5 * dt * 2.0);
  e.integrate(step, integrals);
  EXPECT_DOUBLE_EQ(integrals[0], 0.25 + dt * t);
  EXPECT_DOUBLE_EQ(integrals[1], 1.0 + dt * outer);
}

TEST(Expression, signals_where_they_cannot_be) {
  EXPECT_NE(message("2 * hinge.angle").find("cannot depend on the motion"), std::string::npos);
  EXPECT_NE(message("2 * hinge.anlge", Time::with_state).find("there are JOINT.angle"), std::string::npos);
  EXPECT_NE(message("1 N + 2 N * hinge.angle_rate", Time::with_state).find("cannot add"), std::string::npos);
  EXPECT_NE(message("integral(1, 2)", Time::with_state).find("one argument"), std::string::npos);
}

}  // namespace
}  // namespace freeplay
