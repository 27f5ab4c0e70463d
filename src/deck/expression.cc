#include "freeplay/deck/expression.h"

#include <array>
#include <utility>

#include "expression_parser.h"

namespace freeplay {

const Parameters::Value* Parameters::find(std::string_view name) const {
  const auto found = values_.find(name);
  return found == values_.end() ? nullptr : &found->second;
}

std::vector<std::string> Parameters::names() const {
  std::vector<std::string> result;
  for (const auto& [name, value] : values_) result.push_back(name);
  return result;
}

Expression::Expression(std::string_view text, const Parameters& parameters, Time time) {
  ParsedExpression parsed = parse_expression(text, parameters, time);
  auto program = std::make_shared<const Program>(std::move(parsed.program));
  ProgramFacts facts = analyse(*program, text);
  program_ = std::move(program);
  has_units_ = facts.has_units;
  depends_on_time_ = facts.depends_on_time;
  depends_on_state_ = facts.depends_on_state;
  is_zero_ = facts.is_zero;
  dimension_ = facts.dimension;
  corners_ = std::move(facts.corners);
  resolved_text_ = std::move(parsed.resolved_text);
}

Jet Expression::at(double t) const { return evaluate(program_->code, t); }

const std::vector<Signal>& Expression::signals() const { return program_->signals; }
int Expression::n_integrals() const { return static_cast<int>(program_->integrals.size()); }

namespace {

/// The integrals in the middle of a step, each with the mean of its integrand over the first half.
std::array<Jet, Expression::most_integrals> integrals_over(const Program& program, const Expression::Step& step,
                                                           std::span<double> integrands) {
  std::array<Jet, Expression::most_integrals> values{};
  for (std::size_t k = 0; k < program.integrals.size(); ++k) {
    const Jet integrand = evaluate(program.integrals[k], step.time, {step.signals, values});
    const double half = 0.5 * step.dt;
    values[k] = {step.integrals[k] + half * integrand.value, half * integrand.rate, half * integrand.second_rate};
    integrands[k] = integrand.value;
  }
  return values;
}

}  // namespace

Jet Expression::over(const Step& step) const {
  std::array<double, most_integrals> integrands;
  const auto integrals = integrals_over(*program_, step, integrands);
  return evaluate(program_->code, step.time, {step.signals, integrals});
}

void Expression::integrate(const Step& step, std::span<double> integrals) const {
  std::array<double, most_integrals> integrands;
  integrals_over(*program_, step, integrands);
  for (std::size_t k = 0; k < program_->integrals.size(); ++k) integrals[k] += step.dt * integrands[k];
}

}  // namespace freeplay
