#include "expression_parser.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <numbers>
#include <optional>
#include <system_error>
#include <utility>

#include "expression_scanner.h"
#include "freeplay/base/names.h"
#include "unit_hint.h"

namespace freeplay {

namespace {

// Far deeper than anybody writes, far from the end of the stack.
constexpr int max_depth = 50;

/// Recursive descent; emits instructions in postfix order.
class Parser : private TextScanner, private InstructionWriter {
 public:
  Parser(std::string_view text, const Parameters& parameters, Expression::Time time)
      : TextScanner(text), parameters_(parameters), time_(time) {}

  Program parse() {
    skip_spaces();
    if (at_end()) fail("is empty, a number is needed");
    choice();
    if (!at_end()) fail_at_rest();
    resolved_text_ += text_.substr(copied_);
    return {std::move(code_), std::move(signals_), std::move(integrals_)};
  }

  const std::string& resolved_text() const { return resolved_text_; }

 private:
  /// Counts nested constructs for as long as it lives.
  class Nesting {
   public:
    explicit Nesting(Parser& parser) : depth_(parser.depth_) {
      if (++depth_ > max_depth)
        parser.fail("is nested too deeply (more than " + std::to_string(max_depth) + " levels)");
    }
    ~Nesting() { --depth_; }
    Nesting(const Nesting&) = delete;
    Nesting& operator=(const Nesting&) = delete;

   private:
    int& depth_;
  };

  void choice() {
    const Nesting nesting(*this);
    comparison();
    const std::size_t offset = position_;
    if (!take("?")) return;
    const std::size_t to_second = emit_jump(Op::jump_if_zero, offset);
    choice();
    const std::size_t to_end = emit_jump(Op::jump, offset);
    land(to_second);
    if (!take(":")) fail("needs ':' and a second value after '?'");
    choice();
    land(to_end);
    emit(Op::select, offset);
  }

  void comparison() {
    sum();
    if (!comparison_operator()) return;
    if (comparison_operator()) fail("compares more than two values; use if(a < b, if(b < c, ...), ...)");
  }

  bool comparison_operator() {
    static constexpr std::array<std::pair<std::string_view, Op>, 6> operators = {{{"<=", Op::less_equal},
                                                                                  {">=", Op::greater_equal},
                                                                                  {"==", Op::equal},
                                                                                  {"!=", Op::not_equal},
                                                                                  {"<", Op::less},
                                                                                  {">", Op::greater}}};
    for (const auto& [symbol, op] : operators) {
      const std::size_t offset = position_;
      if (!take(symbol)) continue;
      sum();
      emit(op, offset);
      return true;
    }
    return false;
  }

  void sum() {
    product();
    while (true) {
      const std::size_t offset = position_;
      if (take("+")) {
        product();
        emit(Op::add, offset);
      } else if (take("-")) {
        product();
        emit(Op::subtract, offset);
      } else {
        return;
      }
    }
  }

  void product() {
    sign();
    while (true) {
      const std::size_t offset = position_;
      if (take("*")) {
        sign();
        emit(Op::multiply, offset);
      } else if (take("/")) {
        sign();
        emit(Op::divide, offset);
      } else {
        return;
      }
    }
  }

  void sign() {
    const Nesting nesting(*this);
    const std::size_t offset = position_;
    if (take("-")) {
      sign();
      emit(Op::negate, offset);
    } else if (take("+")) {
      sign();
    } else {
      power();
    }
  }

  void power() {
    const bool has_unit = primary();
    const std::size_t offset = position_;
    if (!take("^")) return;
    if (has_unit) fail("is ambiguous: write (3 s)^2 or 3 s^2 with a number after '^'");
    sign();
    emit(Op::power, offset);
  }

  /// True if it was a number with a unit.
  bool primary() {
    if (at_end()) fail("ends too early, a value is missing");
    const char c = text_[position_];
    if (std::isdigit(static_cast<unsigned char>(c)) || c == '.') return number();
    if (c == '$') {
      parameter();
    } else if (take("(")) {
      choice();
      if (!take(")")) fail("needs a closing ')'");
    } else if (is_letter(c)) {
      name();
    } else {
      fail(std::string("has an unexpected '") + c + "'");
    }
    return false;
  }

  bool number() {
    Instruction constant{.op = Op::constant, .offset = position_};
    const std::size_t length = leading_number(text_.substr(position_));
    if (length == 0) fail("has an unexpected '.'");
    const char* begin = text_.data() + position_;
    if (std::from_chars(begin, begin + length, constant.value).ec != std::errc()) {
      fail("has a number that is too large or too small: " + std::string(text_.substr(position_, length)));
    }
    position_ += length;
    const UnitPrefix unit = leading_unit(text_.substr(position_), time_ == Expression::Time::forbidden);
    position_ += unit.length;
    skip_spaces();
    if (unit.length == 0) fail_if_word_follows(text_.substr(constant.offset, length));
    constant.value = unit.unit.to_si(constant.value);
    constant.dimension = unit.unit.dimension;
    constant.has_unit = unit.length > 0;
    emit(constant);
    return constant.has_unit;
  }

  void fail_if_word_follows(std::string_view number) const {
    const std::string_view next = word();
    if (next.empty()) return;
    if (next == "t") fail("needs '*' between " + std::string(number) + " and t");
    fail("has an unknown unit '" + std::string(next) + "'" + unit_hint(next));
  }

  void parameter() {
    const std::size_t begin = position_;
    const std::size_t end = text_.find('}', begin);
    if (text_.substr(begin, 2) != "${" || end == std::string_view::npos) fail("needs ${name} for a parameter");
    const std::string_view name = text_.substr(begin + 2, end - begin - 2);
    const Parameters::Value* value = parameters_.find(name);
    if (value == nullptr) {
      fail("uses the unknown parameter '" + std::string(name) + "'" + did_you_mean(name, parameters_.names()));
    }
    if (value->broken) fail("");
    const Quantity& quantity = value->quantity;
    emit({Op::constant, begin, quantity.value, quantity.dimension, quantity.has_unit});
    position_ = end + 1;
    resolved_text_ += text_.substr(copied_, begin - copied_);
    resolved_text_ +=
        '(' + quantity_text(quantity.value, quantity.has_unit ? base_unit_text(quantity.dimension) : "") + ')';
    copied_ = position_;
    skip_spaces();
  }

  void name() {
    const std::string_view text = word();
    const std::size_t offset = position_;
    position_ += text.size();
    skip_spaces();
    for (const Function& function : functions()) {
      if (function.name == text && !at_end() && text_[position_] == '(') return call(function, offset);
    }
    if (text == "integral" && time_ == Expression::Time::with_state) return integral(offset);
    if (text == "pi") return emit({.op = Op::constant, .offset = offset, .value = std::numbers::pi});
    if (text == "e") return emit({.op = Op::constant, .offset = offset, .value = std::numbers::e});
    if (text == "t" && time_ != Expression::Time::forbidden) return emit(Op::time, offset);
    position_ = offset;
    if (is_followed_by_dot(text)) return signal();
    fail_unknown_name(text);
  }

  /// `hinge.angle`
  void signal() {
    const std::size_t begin = position_;
    while (true) {
      position_ += word().size();
      if (!is_followed_by_dot("")) break;
      ++position_;
    }
    const std::string name(text_.substr(begin, position_ - begin));
    const std::optional<Signal> signal = signal_named(name);
    const std::size_t end = std::exchange(position_, begin);
    if (time_ != Expression::Time::with_state)
      fail("uses '" + name + "', but this value cannot depend on the motion; forces, torques and actuators can");
    if (!signal) fail("has '" + name + "', which is no quantity of the motion; there are " + signal_names);
    const auto known = std::find(signals_.begin(), signals_.end(), *signal);
    const auto index = static_cast<std::size_t>(known - signals_.begin());
    if (known == signals_.end()) signals_.push_back(*signal);
    if (signals_.size() > Expression::most_signals)
      fail("uses more than " + std::to_string(Expression::most_signals) + " quantities of the motion");
    emit({.op = Op::signal, .offset = begin, .index = index});
    position_ = end;
    skip_spaces();
  }

  /// `integral(x)`: what stands inside becomes a program of its own.
  void integral(std::size_t offset) {
    take("(");
    const std::size_t begin = code_.size();
    choice();
    if (!take(")")) fail("needs a closing ')': integral has one argument");
    integrals_.emplace_back(code_.begin() + static_cast<std::ptrdiff_t>(begin), code_.end());
    take_back(begin);
    if (integrals_.size() > Expression::most_integrals)
      fail("has more than " + std::to_string(Expression::most_integrals) + " integrals");
    emit({.op = Op::integral, .offset = offset, .index = integrals_.size() - 1});
  }

  [[noreturn]] void fail_unknown_name(std::string_view name) const {
    const std::string quoted = "'" + std::string(name) + "'";
    if (name == "t") fail("uses the time t, but this value cannot change with time");
    if (parameters_.find(name) != nullptr)
      fail("has an unknown name " + quoted + ", did you mean ${" + std::string(name) + "}?");
    std::vector<std::string> known = {"pi", "t"};
    for (const Function& function : functions()) {
      if (function.name == name) fail("needs '(' and arguments after " + quoted);
      known.emplace_back(function.name);
    }
    const std::size_t end = position_ + name.size();
    const bool has_minus = time_ == Expression::Time::with_state && end + 1 < text_.size() && text_[end] == '-' &&
                           is_letter(text_[end + 1]) && text_.find('.', end) != std::string_view::npos;
    if (has_minus)
      fail("has an unknown name " + quoted + "; joints and bodies with '-' in their names cannot be used here");
    if (find_unit(name)) fail("has the unit " + quoted + " without a number: write 1 " + std::string(name));
    const std::string hint = unit_notation_hint(name);
    fail("has an unknown name " + quoted + (hint.empty() ? did_you_mean(name, known) : hint));
  }

  void call(const Function& function, std::size_t offset) {
    take("(");
    if (function.op == Op::select) return call_if(offset);
    int n = 0;
    do {
      choice();
      ++n;
      const bool folds = function.op == Op::min || function.op == Op::max;
      if (folds && n >= 2) emit(function.op, offset);
      if (!folds && n == function.n_arguments) emit(function.op, offset);
    } while (take(","));
    const bool folds = function.op == Op::min || function.op == Op::max;
    if (n < function.n_arguments || (!folds && n > function.n_arguments)) {
      position_ = offset;
      fail(std::string(function.name) + " needs " + std::to_string(function.n_arguments) +
           (function.n_arguments == 1 ? " argument" : " arguments") + (folds ? " or more" : "") + ", not " +
           std::to_string(n));
    }
    if (!take(")")) fail("needs a closing ')'");
  }

  void call_if(std::size_t offset) {
    choice();
    const std::size_t to_second = emit_jump(Op::jump_if_zero, offset);
    if (!take(",")) fail("needs three arguments: if(condition, value, other value)");
    choice();
    const std::size_t to_end = emit_jump(Op::jump, offset);
    land(to_second);
    if (!take(",")) fail("needs three arguments: if(condition, value, other value)");
    choice();
    land(to_end);
    emit(Op::select, offset);
    if (!take(")")) fail("needs a closing ')'");
  }

  [[noreturn]] void fail_at_rest() const {
    if (text_[position_] == '=') fail("has an unexpected '=': a comparison is written '=='");
    if (text_[position_] == ')') fail("has a ')' without '('");
    if (is_letter(text_[position_]) || text_[position_] == '$' || text_[position_] == '(' ||
        std::isdigit(static_cast<unsigned char>(text_[position_]))) {
      fail("needs an operator such as '*' before '" + std::string(text_.substr(position_, 20)) + "'");
    }
    fail("has an unexpected '" + std::string(text_.substr(position_, 20)) + "'");
  }

  const Parameters& parameters_;
  Expression::Time time_;
  int depth_ = 0;
  std::vector<Signal> signals_;
  std::vector<std::vector<Instruction>> integrals_;
  std::string resolved_text_;
  std::size_t copied_ = 0;
};

}  // namespace

ParsedExpression parse_expression(std::string_view text, const Parameters& parameters, Expression::Time time) {
  Parser parser(text, parameters, time);
  Program program = parser.parse();
  return {std::move(program), parser.resolved_text()};
}

}  // namespace freeplay
