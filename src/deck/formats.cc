#include <algorithm>
#include <limits>

#include "freeplay/deck/format.h"

namespace freeplay {

namespace {

template <class Integer>
Format<Integer> integer_of(const Range& range) {
  const auto read = [range](const YamlNode& node, const Location&, Reader& reader) -> std::optional<Integer> {
    const auto value = reader.number(node, "", range);
    if (!value) return std::nullopt;
    // Above 2^53 doubles are no longer consecutive integers.
    const double largest = std::min(9007199254740992.0, static_cast<double>(std::numeric_limits<Integer>::max()));
    if (*value == std::floor(*value) && std::abs(*value) <= largest) return static_cast<Integer>(*value);
    reader.error(node.where, quotation(node) + " must be a whole number" +
                                 (std::abs(*value) > largest ? " of at most " + number_text(largest) : ""));
    return std::nullopt;
  };
  return {{.kind = Shape::Kind::integer, .range = range}, read, [](const Integer& value) {
            return YamlNode::scalar(std::to_string(value));
          }};
}

}  // namespace

Format<double> number(const std::string& unit, const Range& range) {
  const auto read = [=](const YamlNode& node, const Location&, Reader& reader) {
    return reader.number(node, unit, range);
  };
  return {{.kind = Shape::Kind::number, .unit = unit, .range = range}, read, [=](const double& value) {
            return YamlNode::scalar(quantity_text(value, unit));
          }};
}

Format<int> integer(const Range& range) { return integer_of<int>(range); }
Format<long> long_integer(const Range& range) { return integer_of<long>(range); }

Format<std::string> text() {
  const auto read = [](const YamlNode& node, const Location&, Reader& reader) -> std::optional<std::string> {
    if (node.kind == YamlNode::Kind::scalar) return node.text;
    reader.error(node.where, "must be text, not " + node.kind_text());
    return std::nullopt;
  };
  const auto write = [](const std::string& value) {
    YamlNode node = YamlNode::scalar(value);
    node.quoted = true;
    return node;
  };
  return {{.kind = Shape::Kind::text}, read, write};
}

Format<bool> boolean() {
  const auto read = [](const YamlNode& node, const Location&, Reader& reader) -> std::optional<bool> {
    const bool plain = node.kind == YamlNode::Kind::scalar && !node.quoted;
    if (plain && (node.text == "true" || node.text == "false")) return node.text == "true";
    reader.error(node.where, "must be true or false, not " + node.kind_text());
    return std::nullopt;
  };
  return {{.kind = Shape::Kind::boolean}, read, [](const bool& value) {
            return YamlNode::scalar(value ? "true" : "false");
          }};
}

Format<Vec3> vector3(const std::string& unit, const Range& range) {
  const auto list = array_of<3>(number(unit, range));
  const auto read = [=](const YamlNode& node, const Location& where, Reader& reader) -> std::optional<Vec3> {
    const auto values = list.read(node, where, reader);
    if (!values) return std::nullopt;
    return Vec3((*values)[0], (*values)[1], (*values)[2]);
  };
  return {list.shape(), read, [=](const Vec3& v) { return list.write({v[0], v[1], v[2]}); }};
}

Format<Vec3> direction() {
  const Format<Vec3> vector = vector3("");
  const auto read = [=](const YamlNode& node, const Location& where, Reader& reader) -> std::optional<Vec3> {
    auto value = vector.read(node, where, reader);
    if (!value) return std::nullopt;
    const double norm = value->stableNorm();
    if (norm == 0.0) {
      reader.error(node.where, "must not be zero: it is a direction");
      return std::nullopt;
    }
    // What is a unit vector already stays as it is, so that a resolved file gives exactly the same model again.
    if (std::abs(norm - 1.0) > 4 * std::numeric_limits<double>::epsilon()) *value /= norm;
    return value;
  };
  Shape shape = vector.shape();
  shape.phrase = "direction: list of 3 numbers of any length, not all 0";
  return {shape, read, [=](const Vec3& value) { return vector.write(value); }};
}

Format<Pairs> pairs(const std::string& x_unit, const std::string& y_unit) {
  const auto x = number(x_unit);
  const auto y = number(y_unit);
  const auto read = [=](const YamlNode& node, const Location& where, Reader& reader) -> std::optional<Pairs> {
    if (reader.list(node, 2, 0) == nullptr) return std::nullopt;
    Pairs result;
    for (std::size_t i = 0; i < node.items.size(); ++i) {
      const Reader::Scope scope(reader, std::to_string(i));
      const YamlNode* pair = reader.list(node.items[i], 2, 2);
      if (pair == nullptr) continue;
      const auto a = x.read(pair->items[0], where, reader);
      const auto b = y.read(pair->items[1], where, reader);
      if (!a || !b) continue;
      if (!result.empty() && *a <= result.back()[0]) {
        reader.error(pair->where, quotation(pair->items[0]) + " must be greater than the value before it");
        return std::nullopt;
      }
      result.push_back({*a, *b});
    }
    if (result.size() != node.items.size()) return std::nullopt;
    return result;
  };
  const auto write = [=](const Pairs& values) {
    YamlNode list = YamlNode::list();
    for (const auto& [a, b] : values) list.items.push_back(YamlNode::list({x.write(a), y.write(b)}));
    return values.empty() ? YamlNode{} : list;
  };
  const Shape element{.kind = Shape::Kind::any_of, .parts = {x.shape(), y.shape()}};
  const Shape pair{.kind = Shape::Kind::list, .parts = {element}, .min_items = 2, .max_items = 2};
  const std::string phrase = "list of pairs [" + (x_unit.empty() ? "number" : x_unit) + ", " +
                             (y_unit.empty() ? "number" : y_unit) + "], the first ascending";
  return {{.kind = Shape::Kind::list, .phrase = phrase, .parts = {pair}, .min_items = 2}, read, write};
}

Format<std::vector<Parameter>> parameters() {
  const auto read = [](const YamlNode& node, const Location&, Reader& reader) -> std::optional<std::vector<Parameter>> {
    if (!reader.check_names(node)) return std::nullopt;
    std::vector<Parameter> result;
    for (const YamlNode::Entry& entry : node.entries) {
      const Reader::Scope scope(reader, entry.key);
      if (const auto value = reader.quantity(entry.value, entry.where)) {
        reader.parameters().add(entry.key, *value);
        result.push_back({entry.key, *value, entry.where});
      } else {
        reader.parameters().add_broken(entry.key);
      }
    }
    return result;
  };
  const Shape value{.kind = Shape::Kind::number,
                    .phrase = "number with any unit, or an expression of earlier parameters"};
  const Shape shape{.kind = Shape::Kind::map, .parts = {value}};
  return {shape, read, [](const std::vector<Parameter>&) { return YamlNode{}; }};
}

}  // namespace freeplay
