#pragma once

// A table of keys: the one description of a part of the input file. Reading, validation, the JSON Schema, the
// reference and the resolved file all come from it. Adding a key is one line:
//
//   Table<BodySpec> table("Rigid body", "...");
//   table.required("mass", &BodySpec::mass, number("kg", above(0)), "Mass.");
//   table.optional("at", &BodySpec::at, vector3("m"), "Initial position.");
//
// The default of an optional key is what the member has in a default-constructed Spec.

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "freeplay/deck/format.h"
#include "freeplay/deck/one_line.h"

namespace freeplay {

/// Which keys the user gave, for checks.
class Given {
 public:
  Given(const YamlNode& map, const Location& where) : map_(map), where_(where) {}
  bool has(std::string_view key) const { return map_.find(key) != nullptr; }
  /// Where a key was written; if it was not, where the whole table was.
  const Location& place(std::string_view key) const { return has(key) ? map_.find(key)->where : where_; }
  const Location& place() const { return where_; }

 private:
  const YamlNode& map_;
  const Location& where_;
};

/// An error about one key of a table.
inline void error_at(const std::string& key, const std::string& message, const Given& given, Reader& reader) {
  const Reader::Scope scope(reader, key);
  reader.error(given.place(key), message);
}

template <class Spec>
class Table {
 public:
  using Check = std::function<void(const Spec&, const Given&, Reader&)>;

  Table(std::string title, std::string description) : shape_{std::move(title), std::move(description), false, {}} {}

  // Members may be those of a base of Spec: what several things have in common.

  template <class T, class Owner>
  Table& required(const std::string& name, T Owner::*member, const Format<T>& format, const std::string& description) {
    return add({name, description, true, "", format.shape()}, member_reader(member, format),
               member_writer(member, format));
  }

  template <class T, class Owner>
  Table& required(const std::string& name, std::optional<T> Owner::*member, const Format<T>& format,
                  const std::string& description) {
    return add({name, description, true, "", format.shape()}, member_reader(member, format),
               optional_writer(member, format));
  }

  template <class T, class Owner>
  Table& optional(const std::string& name, T Owner::*member, const Format<T>& format, const std::string& description) {
    const auto write = member_writer(member, format);
    const YamlNode default_value = write(Spec{});
    const bool has_text = default_value.kind != YamlNode::Kind::null && format.shape().kind != Shape::Kind::table;
    const std::string text = has_text ? one_line(default_value) : "";
    return add({name, description, false, text, format.shape()}, member_reader(member, format), write);
  }

  template <class T, class Owner>
  Table& optional(const std::string& name, std::optional<T> Owner::*member, const Format<T>& format,
                  const std::string& description) {
    return add({name, description, false, "", format.shape()}, member_reader(member, format),
               optional_writer(member, format));
  }

  /// A table inside this one whose keys fill members of the same Spec.
  Table& group(const std::string& name, const Table& table, const std::string& description) {
    const auto shared = std::make_shared<const Table>(table);
    const auto read = [shared](const YamlNode& node, const Location& where, Reader& reader, Spec& spec) {
      shared->read(node, where, reader, spec);
    };
    const auto write = [shared](const Spec& spec) {
      YamlNode node = shared->write(spec);
      return node.entries.empty() ? YamlNode{} : node;
    };
    return add({name, description, false, "", table.shape()}, read, write);
  }

  /// A key with its own way to read and write.
  Table& add(KeyShape shape, std::function<void(const YamlNode&, const Location&, Reader&, Spec&)> read,
             std::function<YamlNode(const Spec&)> write) {
    shape_.keys.push_back(std::move(shape));
    keys_.push_back({std::move(read), std::move(write), nullptr, nullptr});
    return *this;
  }

  /// Where the value of the last key was written goes to this member.
  Table& place(Location Spec::*member) {
    keys_.back().place = member;
    return *this;
  }

  /// The last key is written to the resolved file only if this holds: for keys that exclude each other.
  Table& written_if(std::function<bool(const Spec&)> condition) {
    keys_.back().condition = std::move(condition);
    return *this;
  }

  /// Runs after reading, also if keys were missing or wrong: a check must not complain about the consequences.
  Table& check(Check check) {
    checks_.push_back(std::move(check));
    return *this;
  }

  void read(const YamlNode& node, const Location& where, Reader& reader, Spec& spec) const {
    if (!reader.check_keys(node, where, names())) return;
    if constexpr (requires { spec.where = where; }) spec.where = where;
    for (std::size_t i = 0; i < keys_.size(); ++i) read_key(i, node, where, reader, spec);
    for (const Check& check : checks_) check(spec, Given(node, where), reader);
  }

  YamlNode write(const Spec& spec) const {
    YamlNode map = YamlNode::map();
    for (std::size_t i = 0; i < keys_.size(); ++i) {
      if (keys_[i].condition && !keys_[i].condition(spec)) continue;
      YamlNode value = keys_[i].write(spec);
      if (value.kind != YamlNode::Kind::null) map.add(shape_.keys[i].name, std::move(value));
    }
    return map;
  }

  Shape shape() const { return {.kind = Shape::Kind::table, .table = std::make_shared<TableShape>(shape_)}; }
  const TableShape& keys() const { return shape_; }

 private:
  using ReadKey = std::function<void(const YamlNode&, const Location&, Reader&, Spec&)>;
  using WriteKey = std::function<YamlNode(const Spec&)>;
  struct Key {
    ReadKey read;
    WriteKey write;
    Location Spec::*place;
    std::function<bool(const Spec&)> condition;
  };

  template <class Member, class Owner, class T>
  static ReadKey member_reader(Member Owner::*member, const Format<T>& format) {
    return [=](const YamlNode& node, const Location& where, Reader& reader, Spec& spec) {
      if (auto value = format.read(node, where, reader)) spec.*member = std::move(*value);
    };
  }

  template <class T, class Owner>
  static WriteKey member_writer(T Owner::*member, const Format<T>& format) {
    return [=](const Spec& spec) { return format.write(spec.*member); };
  }

  template <class T, class Owner>
  static WriteKey optional_writer(std::optional<T> Owner::*member, const Format<T>& format) {
    return [=](const Spec& spec) { return spec.*member ? format.write(*(spec.*member)) : YamlNode{}; };
  }

  std::vector<std::string> names() const {
    std::vector<std::string> result;
    for (const KeyShape& key : shape_.keys) result.push_back(key.name);
    return result;
  }

  void read_key(std::size_t i, const YamlNode& node, const Location& where, Reader& reader, Spec& spec) const {
    const KeyShape& key = shape_.keys[i];
    const YamlNode::Entry* entry = node.find(key.name);
    if (entry == nullptr) {
      if (key.required) reader.error(where, "the key '" + key.name + "' is missing");
      return;
    }
    const Reader::Scope scope(reader, key.name);
    if (keys_[i].place != nullptr) spec.*keys_[i].place = entry->value.where;
    if (entry->value.kind == YamlNode::Kind::null && key.shape.kind != Shape::Kind::table) {
      reader.error(entry->where, "has no value");
      return;
    }
    keys_[i].read(entry->value, entry->where, reader, spec);
  }

  TableShape shape_;
  std::vector<Key> keys_;
  std::vector<Check> checks_;
};

/// A table as a value.
template <class Spec>
Format<Spec> nested(const Table<Spec>& table) {
  const auto shared = std::make_shared<const Table<Spec>>(table);
  const auto read = [shared](const YamlNode& node, const Location& where, Reader& reader) -> std::optional<Spec> {
    Spec spec;
    shared->read(node, where, reader, spec);
    return spec;
  };
  return {table.shape(), read, [shared](const Spec& spec) { return shared->write(spec); }};
}

}  // namespace freeplay
