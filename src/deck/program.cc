#include "program.h"

#include <array>
#include <cmath>
#include <cstdlib>

namespace freeplay {

namespace {

constexpr std::array<Function, 21> function_list = {
    {{"sin", Op::sin, 1},   {"cos", Op::cos, 1},   {"tan", Op::tan, 1},   {"asin", Op::asin, 1},
     {"acos", Op::acos, 1}, {"atan", Op::atan, 1}, {"sinh", Op::sinh, 1}, {"cosh", Op::cosh, 1},
     {"tanh", Op::tanh, 1}, {"exp", Op::exp, 1},   {"log", Op::log, 1},   {"sqrt", Op::sqrt, 1},
     {"abs", Op::abs, 1},   {"sign", Op::sign, 1}, {"step", Op::step, 1}, {"atan2", Op::atan2, 2},
     {"pow", Op::power, 2}, {"min", Op::min, 2},   {"max", Op::max, 2},   {"ramp", Op::ramp, 3},
     {"if", Op::select, 3}}};

Jet operator-(const Jet& a) { return {-a.value, -a.rate, -a.second_rate}; }
Jet operator+(const Jet& a, const Jet& b) {
  return {a.value + b.value, a.rate + b.rate, a.second_rate + b.second_rate};
}
Jet operator-(const Jet& a, const Jet& b) { return a + (-b); }
Jet operator*(const Jet& a, const Jet& b) {
  return {a.value * b.value, a.rate * b.value + a.value * b.rate,
          a.second_rate * b.value + 2.0 * a.rate * b.rate + a.value * b.second_rate};
}
Jet operator/(const Jet& a, const Jet& b) {
  const double value = a.value / b.value;
  const double rate = (a.rate - value * b.rate) / b.value;
  return {value, rate, (a.second_rate - 2.0 * rate * b.rate - value * b.second_rate) / b.value};
}

bool is_constant(const Jet& a) { return a.rate == 0.0 && a.second_rate == 0.0; }

/// f(a) by the chain rule. A constant argument has no derivative even where f' is infinite: sqrt(0).
Jet chain(const Jet& a, double f, double first, double second) {
  if (is_constant(a)) return {f, 0.0, 0.0};
  return {f, first * a.rate, second * a.rate * a.rate + first * a.second_rate};
}

Jet power(const Jet& a, const Jet& b) {
  if (!is_constant(b)) {
    const Jet log_a = chain(a, std::log(a.value), 1.0 / a.value, -1.0 / (a.value * a.value));
    const Jet exponent = log_a * b;
    const double value = std::exp(exponent.value);
    return chain(exponent, value, value, value);
  }
  const double n = b.value;
  // The factors vanish before the powers 0^-1 and 0^-2 can turn them into nan.
  const double first = n == 0.0 ? 0.0 : n * std::pow(a.value, n - 1.0);
  const double second = n == 0.0 || n == 1.0 ? 0.0 : n * (n - 1.0) * std::pow(a.value, n - 2.0);
  return chain(a, std::pow(a.value, n), first, second);
}

Jet atan2(const Jet& y, const Jet& x) {
  const double value = std::atan2(y.value, x.value);
  if (is_constant(y) && is_constant(x)) return {value, 0.0, 0.0};
  // The derivative of the angle of (x, y) is (x y' - y x') / r^2, which is regular on the axes.
  const Jet r2 = x * x + y * y;
  const double cross = x.value * y.rate - y.value * x.rate;
  const double cross_rate = x.value * y.second_rate - y.value * x.second_rate;
  const double rate = cross / r2.value;
  return {value, rate, (cross_rate - rate * r2.rate) / r2.value};
}

/// 0 before t0, 1 after t1, between them the polynomial of degree 5 with continuous second derivative.
Jet ramp(const Jet& t, const Jet& t0, const Jet& t1) {
  if (!(t.value > t0.value)) return {0.0, 0.0, 0.0};
  if (!(t.value < t1.value)) return {1.0, 0.0, 0.0};
  const Jet x = (t - t0) / (t1 - t0);
  const double u = x.value;
  return chain(x, u * u * u * (10.0 + u * (-15.0 + 6.0 * u)), 30.0 * u * u * (1.0 - u) * (1.0 - u),
               60.0 * u * (1.0 - u) * (1.0 - 2.0 * u));
}

Jet apply(Op op, const Jet& a) {
  const double x = a.value;
  switch (op) {
    case Op::negate:
      return -a;
    case Op::sin:
      return chain(a, std::sin(x), std::cos(x), -std::sin(x));
    case Op::cos:
      return chain(a, std::cos(x), -std::sin(x), -std::cos(x));
    case Op::tan: {
      const double f = std::tan(x);
      return chain(a, f, 1.0 + f * f, 2.0 * f * (1.0 + f * f));
    }
    case Op::asin: {
      const double q = 1.0 - x * x;
      return chain(a, std::asin(x), 1.0 / std::sqrt(q), x / (q * std::sqrt(q)));
    }
    case Op::acos: {
      const double q = 1.0 - x * x;
      return chain(a, std::acos(x), -1.0 / std::sqrt(q), -x / (q * std::sqrt(q)));
    }
    case Op::atan: {
      const double q = 1.0 + x * x;
      return chain(a, std::atan(x), 1.0 / q, -2.0 * x / (q * q));
    }
    case Op::sinh:
      return chain(a, std::sinh(x), std::cosh(x), std::sinh(x));
    case Op::cosh:
      return chain(a, std::cosh(x), std::sinh(x), std::cosh(x));
    case Op::tanh: {
      const double f = std::tanh(x);
      return chain(a, f, 1.0 - f * f, -2.0 * f * (1.0 - f * f));
    }
    case Op::exp:
      return chain(a, std::exp(x), std::exp(x), std::exp(x));
    case Op::log:
      return chain(a, std::log(x), 1.0 / x, -1.0 / (x * x));
    case Op::sqrt: {
      const double f = std::sqrt(x);
      return chain(a, f, 0.5 / f, -0.25 / (f * x));
    }
    case Op::abs:
      return x < 0.0 ? -a : a;
    case Op::sign:
      return {x > 0.0 ? 1.0 : (x < 0.0 ? -1.0 : 0.0), 0.0, 0.0};
    case Op::step:
      return {x < 0.0 ? 0.0 : 1.0, 0.0, 0.0};
    default:
      std::abort();
  }
}

Jet apply(Op op, const Jet& a, const Jet& b) {
  const auto truth = [](bool holds) { return Jet{holds ? 1.0 : 0.0, 0.0, 0.0}; };
  switch (op) {
    case Op::add:
      return a + b;
    case Op::subtract:
      return a - b;
    case Op::multiply:
      return a * b;
    case Op::divide:
      return a / b;
    case Op::power:
      return power(a, b);
    case Op::atan2:
      return atan2(a, b);
    case Op::min:
      return b.value < a.value ? b : a;
    case Op::max:
      return b.value > a.value ? b : a;
    case Op::less:
      return truth(a.value < b.value);
    case Op::less_equal:
      return truth(a.value <= b.value);
    case Op::greater:
      return truth(a.value > b.value);
    case Op::greater_equal:
      return truth(a.value >= b.value);
    case Op::equal:
      return truth(a.value == b.value);
    case Op::not_equal:
      return truth(a.value != b.value);
    default:
      std::abort();
  }
}

}  // namespace

std::span<const Function> functions() { return function_list; }

int n_operands(Op op) {
  switch (op) {
    case Op::constant:
    case Op::time:
    case Op::signal:
    case Op::integral:
    case Op::jump_if_zero:
    case Op::jump:
      return 0;
    case Op::ramp:
    case Op::select:
      return 3;
    default:
      return op < Op::add ? 1 : 2;
  }
}

Jet evaluate(std::span<const Instruction> code, const Jet& time, const Surroundings& surroundings) {
  std::array<Jet, max_stack> stack;
  std::size_t top = 0;  // number of values on the stack
  for (std::size_t i = 0; i < code.size(); ++i) {
    const Instruction& instruction = code[i];
    if (instruction.op == Op::constant) {
      stack[top++] = {instruction.value, 0.0, 0.0};
    } else if (instruction.op == Op::time) {
      stack[top++] = time;
    } else if (instruction.op == Op::signal) {
      stack[top++] = surroundings.signals.empty() ? Jet{} : surroundings.signals[instruction.index];
    } else if (instruction.op == Op::integral) {
      stack[top++] = surroundings.integrals.empty() ? Jet{} : surroundings.integrals[instruction.index];
    } else if (instruction.op == Op::jump) {
      i += instruction.skip;
    } else if (instruction.op == Op::jump_if_zero) {
      if (stack[--top].value == 0.0) i += instruction.skip;
    } else if (instruction.op == Op::ramp) {
      top -= 2;
      stack[top - 1] = ramp(stack[top - 1], stack[top], stack[top + 1]);
    } else if (n_operands(instruction.op) == 2) {
      --top;
      stack[top - 1] = apply(instruction.op, stack[top - 1], stack[top]);
    } else if (instruction.op != Op::select) {
      stack[top - 1] = apply(instruction.op, stack[top - 1]);
    }
  }
  return stack[0];
}

}  // namespace freeplay
