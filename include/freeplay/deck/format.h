#pragma once

// How a value of a C++ type stands in an input file. A Format is a small bundle of functions; formats are composed:
// list_of(number("m")), named(nested(table)), ...

#include <array>
#include <cmath>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "freeplay/deck/parameter.h"
#include "freeplay/deck/reader.h"
#include "freeplay/deck/shape.h"
#include "freeplay/math/types.h"

namespace freeplay {

/// Immutable, and cheap to copy because formats are made of formats.
template <class T>
class Format {
 public:
  using Read = std::function<std::optional<T>(const YamlNode&, const Location&, Reader&)>;
  using Write = std::function<YamlNode(const T&)>;

  Format(Shape shape, Read read, Write write)
      : content_(std::make_shared<const Content>(Content{std::move(shape), std::move(read), std::move(write)})) {}

  const Shape& shape() const { return content_->shape; }

  /// Nothing if the value is unusable; then the reason has been reported. `where` is the place of the key, for what
  /// concerns the value as a whole.
  std::optional<T> read(const YamlNode& node, const Location& where, Reader& reader) const {
    return content_->read(node, where, reader);
  }

  /// A null node means that nothing is to be written.
  YamlNode write(const T& value) const { return content_->write(value); }

 private:
  struct Content {
    Shape shape;
    Read read;
    Write write;
  };
  std::shared_ptr<const Content> content_;
};

using Pairs = std::vector<std::array<double, 2>>;

/// A number with a unit of this dimension; without a unit it is taken in `unit`, which must be an SI unit.
Format<double> number(const std::string& unit, const Range& range = {});
Format<int> integer(const Range& range = {});
Format<long> long_integer(const Range& range = {});
Format<std::string> text();
Format<bool> boolean();
Format<Vec3> vector3(const std::string& unit, const Range& range = {});
/// Three pure numbers, not all zero; made a unit vector.
Format<Vec3> direction();
/// {axis:, angle:} or {matrix:} or {rxyz:}; written as a matrix.
Format<Mat3> rotation();
/// A number, an expression in t, or {table: [[t, value], ...]}.
Format<TimeFunction> time_function(const std::string& unit);
/// May use signals of the motion, too (deck/signal.h).
Format<TimeFunction> state_function(const std::string& unit);
/// [[x, y], ...] with ascending x.
Format<Pairs> pairs(const std::string& x_unit, const std::string& y_unit);
/// Makes the parameters known to the reader. Not written: a resolved file has their values put in.
Format<std::vector<Parameter>> parameters();

/// A format whose values must also pass a check that reports what is wrong.
template <class T>
Format<T> checked(const Format<T>& format,
                  std::function<void(const T& value, const Location& where, Reader& reader)> check) {
  const auto read = [=](const YamlNode& node, const Location& where, Reader& reader) {
    auto value = format.read(node, where, reader);
    if (value) check(*value, node.where, reader);
    return value;
  };
  return {format.shape(), read, [=](const T& value) { return format.write(value); }};
}

/// One of several words.
template <class T>
Format<T> choice(const std::vector<std::pair<std::string, T>>& choices) {
  Shape shape{.kind = Shape::Kind::choice};
  for (const auto& [name, value] : choices) shape.choices.push_back(name);
  const auto read = [choices, names = shape.choices](const YamlNode& node, const Location&,
                                                     Reader& reader) -> std::optional<T> {
    for (const auto& [name, value] : choices) {
      if (node.kind == YamlNode::Kind::scalar && node.text == name) return value;
    }
    reader.error_choice(node, names);
    return std::nullopt;
  };
  const auto write = [choices](const T& value) {
    for (const auto& [name, candidate] : choices) {
      if (candidate == value) return YamlNode::scalar(name);
    }
    return YamlNode{};
  };
  return {shape, read, write};
}

/// A list; max_items = 0 allows any number.
template <class T>
Format<std::vector<T>> list_of(const Format<T>& item, int min_items = 0, int max_items = 0) {
  const Shape shape{.kind = Shape::Kind::list, .parts = {item.shape()}, .min_items = min_items, .max_items = max_items};
  const auto read = [=](const YamlNode& node, const Location& where, Reader& reader) -> std::optional<std::vector<T>> {
    if (reader.list(node, min_items, max_items, shape.parts[0].choices) == nullptr) return std::nullopt;
    std::vector<T> values;
    for (std::size_t i = 0; i < node.items.size(); ++i) {
      const Reader::Scope scope(reader, std::to_string(i));
      if (auto value = item.read(node.items[i], where, reader)) values.push_back(std::move(*value));
    }
    if (values.size() != node.items.size()) return std::nullopt;
    return values;
  };
  const auto write = [=](const std::vector<T>& values) {
    YamlNode list = YamlNode::list();
    for (const T& value : values) list.items.push_back(item.write(value));
    return list;
  };
  return {shape, read, write};
}

/// A list of N values.
template <std::size_t N, class T>
Format<std::array<T, N>> array_of(const Format<T>& item) {
  const Format<std::vector<T>> list = list_of(item, static_cast<int>(N), static_cast<int>(N));
  const auto read = [=](const YamlNode& node, const Location& where,
                        Reader& reader) -> std::optional<std::array<T, N>> {
    auto values = list.read(node, where, reader);
    if (!values) return std::nullopt;
    std::array<T, N> result{};
    std::move(values->begin(), values->end(), result.begin());
    return result;
  };
  const auto write = [=](const std::array<T, N>& values) {
    return list.write(std::vector<T>(values.begin(), values.end()));
  };
  return {list.shape(), read, write};
}

/// A map from names to things. A thing with errors is kept, so that its name is known to what refers to it. Members
/// `name` and `where` of the thing are filled.
template <class Thing>
Format<std::vector<Thing>> named(const Format<Thing>& item) {
  const auto read = [=](const YamlNode& node, const Location&, Reader& reader) -> std::optional<std::vector<Thing>> {
    if (!reader.check_names(node)) return std::nullopt;
    std::vector<Thing> things;
    for (const YamlNode::Entry& entry : node.entries) {
      const Reader::Scope scope(reader, entry.key);
      Thing thing = item.read(entry.value, entry.where, reader).value_or(Thing{});
      thing.name = entry.key;
      thing.where = entry.where;
      things.push_back(std::move(thing));
    }
    return things;
  };
  const auto write = [=](const std::vector<Thing>& things) {
    YamlNode map = YamlNode::map();
    for (const Thing& thing : things) map.add(thing.name, item.write(thing));
    return things.empty() ? YamlNode{} : map;
  };
  return {{.kind = Shape::Kind::map, .parts = {item.shape()}}, read, write};
}

}  // namespace freeplay
