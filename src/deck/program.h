#pragma once

// A compiled expression: instructions for a stack machine, in postfix order, whose values are 2-jets in time.

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "freeplay/base/units.h"
#include "freeplay/deck/signal.h"
#include "freeplay/deck/time_function.h"

namespace freeplay {

enum class Op {
  // clang-format off
  constant, time, signal, integral,
  negate, sin, cos, tan, asin, acos, atan, sinh, cosh, tanh, exp, log, sqrt, abs, sign, step,
  add, subtract, multiply, divide, power, atan2, min, max,
  less, less_equal, greater, greater_equal, equal, not_equal,
  ramp,
  // `condition ? a : b` is: condition, jump_if_zero, a, jump, b, select. Evaluation never runs the branch not taken;
  // `select` tells the dimension check that three values become one.
  jump_if_zero, jump, select,
  // clang-format on
};

struct Instruction {
  Op op = Op::constant;
  std::size_t offset = 0;  ///< in the text, for messages
  double value = 0.0;      ///< constant
  Dimension dimension{};   ///< constant
  bool has_unit = false;   ///< constant
  std::size_t skip = 0;    ///< jumps: how many instructions to leave out
  std::size_t index = 0;   ///< of a signal or an integral
};

struct Program {
  std::vector<Instruction> code;
  std::vector<Signal> signals;                      ///< of the motion, that the code uses
  std::vector<std::vector<Instruction>> integrals;  ///< over time; a later one may use those before it
};

/// A function of the expression language.
struct Function {
  std::string_view name;
  Op op;
  int n_arguments;  ///< min and max take this many or more
};
std::span<const Function> functions();

/// How many values an instruction takes from the stack, counted as the dimension check does.
int n_operands(Op op);

/// The evaluation stack is a fixed array, so that evaluation does not allocate. The parser keeps programs within it.
constexpr std::size_t max_stack = 64;

/// What code may use besides the time.
struct Surroundings {
  std::span<const Jet> signals, integrals;
};

Jet evaluate(std::span<const Instruction> code, const Jet& time, const Surroundings& surroundings = {});
inline Jet evaluate(std::span<const Instruction> code, double t) { return evaluate(code, Jet{t, 1.0, 0.0}); }

/// What can be known of a program without running it.
struct ProgramFacts {
  bool has_units = false;
  bool depends_on_time = false;
  bool depends_on_state = false;
  bool is_zero = false;  ///< a literal 0: fits every dimension
  Dimension dimension;
  std::vector<double> corners;
};

/// Checks the dimensions if there is a unit anywhere. Throws ExpressionError.
ProgramFacts analyse(const Program& program, std::string_view text);

}  // namespace freeplay
