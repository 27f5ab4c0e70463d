#include <algorithm>
#include <memory>

#include "freeplay/deck/format.h"

namespace freeplay {

namespace {

/// Piecewise linear, constant outside. At a knot the derivative is the one that follows.
class TableFunction : public TimeFunction::Implementation {
 public:
  explicit TableFunction(Pairs points) : points_(std::move(points)) {}

  Jet at(double t) const override {
    if (t < points_.front()[0]) return {points_.front()[1], 0.0, 0.0};
    if (t >= points_.back()[0]) return {points_.back()[1], 0.0, 0.0};
    const auto next = std::upper_bound(points_.begin(), points_.end(), t,
                                       [](double time, const auto& point) { return time < point[0]; });
    const auto& [t1, y1] = *next;
    const auto& [t0, y0] = *(next - 1);
    const double slope = (y1 - y0) / (t1 - t0);
    return {y0 + slope * (t - t0), slope, 0.0};
  }

 private:
  Pairs points_;
};

TimeFunction table_function(const Pairs& points, const Format<Pairs>& format) {
  std::vector<double> corners;
  for (const auto& point : points) corners.push_back(point[0]);
  std::string text = to_yaml(YamlNode::list({YamlNode::map().add("table", format.write(points))}));
  text = text.substr(1, text.size() - 3);  // without the brackets of the list and the end of line
  return TimeFunction(std::make_shared<TableFunction>(points), std::move(corners), std::move(text));
}

TimeFunction expression_function(const Expression& expression, const std::string& unit) {
  if (expression.depends_on_state()) {
    const auto shared = std::make_shared<Expression>(expression);
    TimeFunction function(shared, expression.corners(), expression.resolved_text());
    function.set_of_state(shared);
    return function;
  }
  if (expression.depends_on_time()) {
    return TimeFunction(std::make_shared<Expression>(expression), expression.corners(), expression.resolved_text());
  }
  const std::string text = quantity_text(expression.at(0.0).value, unit);
  return TimeFunction(std::make_shared<Expression>(text, Parameters(), Expression::Time::forbidden), {}, text);
}

Format<TimeFunction> function_format(const std::string& unit, Expression::Time time, const std::string& phrase) {
  const auto table = pairs("s", unit);
  const auto read = [=](const YamlNode& node, const Location& where, Reader& reader) -> std::optional<TimeFunction> {
    if (node.kind == YamlNode::Kind::map) {
      const YamlNode::Entry* entry = reader.chosen(node, node.where, {"table"});
      if (entry == nullptr) return std::nullopt;
      const Reader::Scope scope(reader, "table");
      const auto points = table.read(entry->value, where, reader);
      if (!points) return std::nullopt;
      return table_function(*points, table);
    }
    const auto expression = reader.expression(node, unit, time);
    if (!expression) return std::nullopt;
    return expression_function(*expression, unit);
  };
  const auto write = [](const TimeFunction& function) {
    const std::string& text = function.text();
    return text.starts_with("{table:") ? parse_yaml(text, "") : YamlNode::scalar(text);
  };
  const Shape number{.kind = Shape::Kind::number, .unit = unit, .of_time = true};
  const Shape table_shape{
      .kind = Shape::Kind::table,
      .table = std::make_shared<TableShape>(
          TableShape{"", "", true, {{"table", "Piecewise linear, constant outside.", false, "", table.shape()}}})};
  Shape shape{.kind = Shape::Kind::any_of, .parts = {number, table_shape}};
  shape.phrase = phrase + (unit.empty() ? "" : " [" + unit + "]");
  return {shape, read, write};
}

}  // namespace

Format<TimeFunction> time_function(const std::string& unit) {
  return function_format(unit, Expression::Time::allowed, "time function");
}

Format<TimeFunction> state_function(const std::string& unit) {
  return function_format(unit, Expression::Time::with_state, "function of time and motion");
}

}  // namespace freeplay
