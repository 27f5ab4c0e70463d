#include <algorithm>
#include <cmath>
#include <string>

#include "freeplay/deck/expression.h"
#include "program.h"

namespace freeplay {

namespace {

/// What is known of a value on the stack, and which instructions compute it.
struct Abstract {
  Dimension dimension;
  bool is_zero = false;
  bool depends_on_time = false;
  std::size_t begin = 0;
  std::size_t end = 0;
};

/// Runs a program on dimensions instead of numbers.
class FactFinder {
 public:
  /// `code` is that of the program or of one of its integrals.
  FactFinder(const Program& program, const std::vector<Instruction>& code, std::string_view text)
      : program_(program), code_(code), text_(text) {
    take_note_of(program.code);
    for (const auto& integral : program.integrals) take_note_of(integral);
    facts_.depends_on_state = facts_.depends_on_state || !program.integrals.empty();
  }

  ProgramFacts run() {
    for (std::size_t i = 0; i < code_.size(); ++i) {
      if (code_[i].op == Op::jump || code_[i].op == Op::jump_if_zero) continue;
      step(i);
    }
    facts_.is_zero = stack_.back().is_zero;
    facts_.dimension = stack_.back().dimension;
    std::sort(facts_.corners.begin(), facts_.corners.end());
    facts_.corners.erase(std::unique(facts_.corners.begin(), facts_.corners.end()), facts_.corners.end());
    return facts_;
  }

 private:
  void take_note_of(const std::vector<Instruction>& code) {
    for (const Instruction& instruction : code) {
      facts_.has_units = facts_.has_units || instruction.has_unit;
      facts_.depends_on_time = facts_.depends_on_time || instruction.op == Op::time;
      facts_.depends_on_state = facts_.depends_on_state || instruction.op == Op::signal;
    }
  }

  void step(std::size_t i) {
    const auto n = static_cast<std::size_t>(n_operands(code_[i].op));
    const std::vector<Abstract> operands(stack_.end() - static_cast<std::ptrdiff_t>(n), stack_.end());
    stack_.resize(stack_.size() - n);
    Abstract result;
    if (facts_.has_units || n == 0) result = combined(code_[i], operands);
    result.begin = n == 0 ? i : operands.front().begin;
    result.end = i + 1;
    result.depends_on_time = code_[i].op == Op::time || code_[i].op == Op::signal || code_[i].op == Op::integral;
    for (const Abstract& operand : operands) {
      result.depends_on_time = result.depends_on_time || operand.depends_on_time;
    }
    find_corners(code_[i].op, operands);
    stack_.push_back(result);
  }

  /// The dimension of the result of one instruction.
  Abstract combined(const Instruction& instruction, const std::vector<Abstract>& operands) const {
    Abstract result;
    switch (instruction.op) {
      case Op::constant:
        result.dimension = instruction.dimension;
        result.is_zero = instruction.value == 0.0 && !instruction.has_unit;
        return result;
      case Op::time:
        result.dimension = {0, 0, 1};
        return result;
      case Op::signal:
        result.dimension = program_.signals[instruction.index].dimension();
        return result;
      case Op::integral:
        result.dimension =
            FactFinder(program_, program_.integrals[instruction.index], text_).run().dimension * Dimension{0, 0, 1};
        return result;
      case Op::negate:
      case Op::abs:
        return operands[0];
      case Op::add:
      case Op::subtract:
      case Op::min:
      case Op::max:
        return common(instruction, operands[0], operands[1]);
      case Op::select:
        return common(instruction, operands[1], operands[2]);
      case Op::multiply:
        result.dimension = operands[0].dimension * operands[1].dimension;
        result.is_zero = operands[0].is_zero || operands[1].is_zero;
        return result;
      case Op::divide:
        result.dimension = operands[0].dimension / operands[1].dimension;
        result.is_zero = operands[0].is_zero;
        return result;
      case Op::sqrt:
        result.dimension = pow(operands[0].dimension, 0.5);
        return result;
      case Op::power:
        return raised(instruction, operands[0], operands[1]);
      case Op::sign:
      case Op::step:
        return result;
      default:
        return pure_number(instruction, operands);
    }
  }

  /// Comparisons, atan2 and ramp need operands of one dimension; sin, exp, ... pure numbers. The result has none.
  Abstract pure_number(const Instruction& instruction, const std::vector<Abstract>& operands) const {
    if (operands.size() == 1) {
      if (!operands[0].is_zero && !operands[0].dimension.is_pure_number()) {
        throw ExpressionError(std::string(name(instruction.op)) + " needs a pure number or an angle, but " +
                                  quoted(operands[0]) + " is " + describe(operands[0].dimension),
                              instruction.offset);
      }
      return {};
    }
    Abstract all = operands[0];
    for (std::size_t i = 1; i < operands.size(); ++i) all = common(instruction, all, operands[i]);
    return {};
  }

  Abstract common(const Instruction& instruction, const Abstract& a, const Abstract& b) const {
    if (a.is_zero) return b;
    if (b.is_zero || a.dimension == b.dimension) return a;
    throw ExpressionError(
        std::string(verb(instruction.op)) + " " + describe(a.dimension) + " and " + describe(b.dimension) + hint(a, b),
        instruction.offset);
  }

  static std::string hint(const Abstract& a, const Abstract& b) {
    const bool pure = a.dimension.is_pure_number() || b.dimension.is_pure_number();
    return pure ? " (once one number has a unit, all need theirs, and t has the unit s)" : "";
  }

  Abstract raised(const Instruction& instruction, const Abstract& base, const Abstract& exponent) const {
    if (!exponent.is_zero && !exponent.dimension.is_pure_number()) {
      throw ExpressionError("an exponent must be a pure number, not " + describe(exponent.dimension),
                            instruction.offset);
    }
    Abstract result;
    if (base.dimension.is_pure_number()) return result;
    if (exponent.depends_on_time) {
      throw ExpressionError(
          "only a pure number can have an exponent that depends on time, not " + describe(base.dimension),
          instruction.offset);
    }
    result.dimension = pow(base.dimension, at(exponent, 0.0).value);
    return result;
  }

  void find_corners(Op op, const std::vector<Abstract>& operands) {
    if (op == Op::abs || op == Op::sign || op == Op::step) {
      add_corner([&](double t) { return at(operands[0], t); });
    } else if (op == Op::min || op == Op::max || (op >= Op::less && op <= Op::not_equal)) {
      add_corner([&](double t) { return difference(operands[0], operands[1], t); });
    } else if (op == Op::ramp) {
      add_corner([&](double t) { return difference(operands[0], operands[1], t); });
      add_corner([&](double t) { return difference(operands[0], operands[2], t); });
    }
  }

  /// The root of a switching function that is linear in t: judged by three samples.
  template <class Switch>
  void add_corner(const Switch& function) {
    const Jet start = function(0.0);
    if (start.rate == 0.0) return;
    for (const double t : {1.0, 2.7}) {
      const Jet sample = function(t);
      if (sample.second_rate != 0.0 || std::abs(sample.rate - start.rate) > 1e-12 * std::abs(start.rate)) return;
    }
    const double root = -start.value / start.rate;
    if (root > 0.0 && std::isfinite(root)) facts_.corners.push_back(root);
  }

  Jet at(const Abstract& operand, double t) const {
    return evaluate(std::span(code_).subspan(operand.begin, operand.end - operand.begin), t);
  }

  Jet difference(const Abstract& a, const Abstract& b, double t) const {
    const Jet first = at(a, t);
    const Jet second = at(b, t);
    return {first.value - second.value, first.rate - second.rate, first.second_rate - second.second_rate};
  }

  static std::string_view name(Op op) {
    for (const Function& function : functions()) {
      if (function.op == op) return function.name;
    }
    return "this";
  }

  static std::string_view verb(Op op) {
    if (op == Op::add) return "cannot add";
    if (op == Op::subtract) return "cannot subtract";
    if (op == Op::select) return "the two branches of a choice cannot be";
    return "cannot compare";
  }

  /// The text from the first instruction of a value on; good enough to find it.
  std::string quoted(const Abstract& operand) const {
    constexpr std::size_t longest = 30;
    const std::size_t begin = code_[operand.begin].offset;
    std::size_t end = code_[operand.end - 1].offset;
    end = std::max(end, begin);
    while (end < text_.size() && text_[end] != ')' && text_[end] != ',') ++end;
    std::string result(text_.substr(begin, std::min(end - begin, longest)));
    return "'" + result + "'";
  }

  const Program& program_;
  const std::vector<Instruction>& code_;
  std::string_view text_;
  ProgramFacts facts_;
  std::vector<Abstract> stack_;
};

}  // namespace

ProgramFacts analyse(const Program& program, std::string_view text) {
  ProgramFacts facts = FactFinder(program, program.code, text).run();
  for (const auto& integral : program.integrals) {
    const std::vector<double> corners = FactFinder(program, integral, text).run().corners;
    facts.corners.insert(facts.corners.end(), corners.begin(), corners.end());
  }
  std::sort(facts.corners.begin(), facts.corners.end());
  return facts;
}

}  // namespace freeplay
