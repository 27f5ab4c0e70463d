#include "freeplay/deck/reader.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>

#include "freeplay/base/names.h"

namespace freeplay {

namespace {

std::string needed(std::string_view unit) {
  return unit == "rad" ? "an angle [rad]" : describe(parse_unit(unit).dimension);
}

/// The place of a character inside a scalar. Exact for what is written in one line without escapes.
Location inside(const YamlNode& node, std::size_t offset) {
  Location where = node.where;
  if (where.line > 0) where.column += static_cast<int>(offset) + (node.quoted ? 1 : 0);
  return where;
}

std::string items_text(int n) { return std::to_string(n) + (n == 1 ? " value" : " values"); }

}  // namespace

std::string Range::text() const {
  const bool has_low = std::isfinite(low);
  const bool has_high = std::isfinite(high);
  if (has_low && has_high) return "between " + number_text(low) + " and " + number_text(high);
  if (has_low) return (open ? "> " : ">= ") + number_text(low);
  if (has_high) return (open ? "< " : "<= ") + number_text(high);
  return {};
}

std::string quotation(const YamlNode& node) {
  constexpr std::size_t longest = 60;
  return node.text.size() > longest ? node.text.substr(0, longest) + "..." : node.text;
}

std::string Reader::path() const { return joined(path_, "."); }

void Reader::error(const Location& where, const std::string& message) {
  fail();
  diagnostics_.error(where, path(), message);
}

void Reader::warning(const Location& where, const std::string& message) {
  diagnostics_.warning(where, path(), message);
}

void Reader::warn_of_missing_units() {
  for (const auto& [list, numbers] : lists_) {
    if (!numbers.has_units) continue;
    for (const ListOfNumbers::Value& value : numbers.without_unit)
      diagnostics_.warning(value.where, value.path,
                           value.text + " has no unit and counts as [" + value.unit +
                               "], but others of this list have a unit: write it here too");
  }
}

/// Degrees without a unit count as radians, and a length in millimetres as metres: possible, but hardly meant where the
/// angle exceeds a turn or the other components have their unit.
void Reader::look_at_unit(const YamlNode& node, const Expression& expression, std::string_view unit) {
  constexpr double full_turn = 2.0 * std::numbers::pi * (1.0 + 1e-9);  // with round-off
  const bool has_unit = expression.has_units();
  const double value = expression.depends_on_time() ? INFINITY : std::abs(expression.at(0.0).value);
  if (unit == "rad" && !has_unit && std::isfinite(value) && value > full_turn)
    warning(node.where, quotation(node) + " has no unit and counts as rad, which is more than a turn: write '" +
                            quotation(node) + " deg' or '" + quotation(node) + " rad'");
  const bool is_in_list = !path_.empty() && path_.back().find_first_not_of("0123456789") == std::string::npos;
  if (unit.empty() || !is_in_list || value == 0.0) return;
  const std::string own_path = path();
  ListOfNumbers& list = lists_[own_path.substr(0, own_path.size() - path_.back().size())];
  if (has_unit)
    list.has_units = true;
  else
    list.without_unit.push_back({node.where, own_path, quotation(node), std::string(unit)});
}

void Reader::error_choice(const YamlNode& node, const std::vector<std::string>& choices) {
  error(node.where, (choices.size() == 1 ? "must be " : "must be one of ") + joined(choices) + ", not " +
                        node.kind_text() + did_you_mean(node.kind == YamlNode::Kind::scalar ? node.text : "", choices));
}

bool Reader::failed(const std::string& path) const {
  for (auto i = failed_paths_.lower_bound(path); i != failed_paths_.end() && i->starts_with(path); ++i) {
    if (path.empty() || i->size() == path.size() || (*i)[path.size()] == '.') return true;
  }
  return false;
}

std::optional<Expression> Reader::any_expression(const YamlNode& node, Expression::Time time) {
  try {
    Expression expression(node.text, parameters_, time);
    if (expression.depends_on_state() || std::isfinite(expression.at(0.0).value)) return expression;
    error(node.where, quotation(node) + " has no finite value" + (expression.depends_on_time() ? " at t = 0" : ""));
  } catch (const ExpressionError& problem) {
    if (std::string_view(problem.what()).empty()) {
      fail();
    } else {
      error(inside(node, problem.offset()), "'" + quotation(node) + "' " + problem.what());
    }
  }
  return std::nullopt;
}

std::optional<Expression> Reader::expression(const YamlNode& node, std::string_view unit, Expression::Time time) {
  if (node.kind != YamlNode::Kind::scalar) {
    error(node.where, "must be " + needed(unit) + ", not " + node.kind_text());
    return std::nullopt;
  }
  auto expression = any_expression(node, time);
  if (!expression) return std::nullopt;
  if (expression->fits(parse_unit(unit).dimension)) {
    look_at_unit(node, *expression, unit);
    return expression;
  }
  error(node.where,
        quotation(node) + " is " + describe(expression->dimension()) + ", but " + needed(unit) + " is needed");
  return std::nullopt;
}

std::optional<Quantity> Reader::quantity(const YamlNode& node, const Location& where) {
  if (node.kind != YamlNode::Kind::scalar) {
    error(where, "must be a number, not " + node.kind_text());
    return std::nullopt;
  }
  const auto expression = any_expression(node, Expression::Time::forbidden);
  if (!expression) return std::nullopt;
  return Quantity{expression->at(0.0).value, expression->dimension(), expression->has_units()};
}

std::optional<double> Reader::number(const YamlNode& node, std::string_view unit, const Range& range) {
  const auto expression = this->expression(node, unit, Expression::Time::forbidden);
  if (!expression) return std::nullopt;
  const double value = expression->at(0.0).value;
  if (!range.contains(value)) {
    error(node.where, quotation(node) + " must be " + range.text());
    return std::nullopt;
  }
  return value;
}

const YamlNode* Reader::list(const YamlNode& node, int min_items, int max_items,
                             const std::vector<std::string>& choices) {
  const bool any_number = max_items == 0;
  const std::string how_many =
      min_items == max_items && !any_number ? "a list of " + items_text(min_items) : std::string("a list");
  if (node.kind != YamlNode::Kind::list) {
    const std::string remedy = choices.empty() ? "" : " (possible in it: " + joined(choices) + ")";
    error(node.where, "must be " + how_many + ", not " + node.kind_text() + remedy);
    return nullptr;
  }
  const int n = static_cast<int>(node.items.size());
  if (n >= min_items && (any_number || n <= max_items)) return &node;
  if (min_items == max_items) {
    error(node.where, "must be " + how_many + ", not of " + std::to_string(n));
  } else if (n < min_items) {
    error(node.where, "needs at least " + items_text(min_items) + ", has " + std::to_string(n));
  } else {
    error(node.where, "may have at most " + items_text(max_items) + ", has " + std::to_string(n));
  }
  return nullptr;
}

bool Reader::check_map(const YamlNode& node, const Location& where) {
  if (node.kind == YamlNode::Kind::map || node.kind == YamlNode::Kind::null) return true;
  error(node.where.line > 0 ? node.where : where, "must be a table of keys, not " + node.kind_text());
  return false;
}

void Reader::check_duplicates(const YamlNode& node) {
  std::map<std::string_view, const YamlNode::Entry*> seen;
  for (const YamlNode::Entry& entry : node.entries) {
    const auto [first, is_new] = seen.emplace(entry.key, &entry);
    if (is_new) continue;
    const Scope scope(*this, entry.key);
    error(entry.where, "given twice, first in line " + std::to_string(first->second->where.line));
  }
}

bool Reader::check_keys(const YamlNode& node, const Location& where, const std::vector<std::string>& known) {
  if (!check_map(node, where)) return false;
  check_duplicates(node);
  for (const YamlNode::Entry& entry : node.entries) {
    if (std::find(known.begin(), known.end(), entry.key) != known.end()) continue;
    const Scope scope(*this, entry.key);
    error(entry.where, "unknown key" + did_you_mean(entry.key, known) + " (possible here: " + joined(known) + ")");
  }
  return true;
}

bool Reader::check_names(const YamlNode& node) {
  if (!check_map(node, node.where)) return false;
  check_duplicates(node);
  for (const YamlNode::Entry& entry : node.entries) {
    const Scope scope(*this, entry.key);
    if (entry.key == "ground") {
      error(entry.where, "this name is reserved for the inertial frame, choose another");
    } else if (entry.key == "t") {
      error(entry.where, "this name is reserved for the time in expressions, choose another");
    } else if (!is_name(entry.key)) {
      error(entry.where, "'" + entry.key + "' is not a name: a letter or _, then letters, digits, _ or -");
    }
  }
  return true;
}

const YamlNode::Entry* Reader::chosen(const YamlNode& node, const Location& where,
                                      const std::vector<std::string>& tags) {
  const std::string possible = tags.size() == 1 ? "{" + tags.front() + ": {...}}" : "exactly one of: " + joined(tags);
  if (node.kind != YamlNode::Kind::map || node.entries.empty()) {
    const bool bare_tag =
        node.kind == YamlNode::Kind::scalar && std::find(tags.begin(), tags.end(), node.text) != tags.end();
    const std::string remedy = bare_tag ? "; write {" + node.text + ": {}}" : "";
    error(where, "needs " + possible + ", not " + node.kind_text() + remedy);
    return nullptr;
  }
  if (!check_keys(node, where, tags)) return nullptr;
  const YamlNode::Entry* found = nullptr;
  int n_found = 0;
  for (const YamlNode::Entry& entry : node.entries) {
    if (std::find(tags.begin(), tags.end(), entry.key) == tags.end()) continue;
    if (found == nullptr) found = &entry;
    if (found->key != entry.key) ++n_found;
  }
  if (n_found > 0) {
    error(where, "needs " + possible + ", has " + std::to_string(n_found + 1));
    return nullptr;
  }
  return found;
}

}  // namespace freeplay
