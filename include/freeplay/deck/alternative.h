#pragma once

// Things of several types: `{revolute: {...}}`. Each type is a table of keys under its own tag.

#include <algorithm>
#include <functional>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

#include "freeplay/deck/table.h"

namespace freeplay {

/// One of the types that a thing can have: `{revolute: {...}}`.
template <class Spec>
struct Alternative {
  std::string tag;
  std::string description;
  Shape shape;
  std::function<void(const YamlNode&, const Location&, Reader&, Spec&)> read;
  std::function<YamlNode(const Spec&)> write;
  std::function<bool(const Spec&)> is_selected;

  KeyShape key() const { return {tag, description, false, "", shape}; }
};

template <class Spec>
Alternative<Spec> alternative(const std::string& tag, const Table<Spec>& table) {
  const auto shared = std::make_shared<const Table<Spec>>(table);
  const auto read = [shared](const YamlNode& node, const Location& where, Reader& reader, Spec& spec) {
    shared->read(node, where, reader, spec);
  };
  return {tag,
          table.keys().description,
          table.shape(),
          read,
          [shared](const Spec& spec) { return shared->write(spec); },
          [](const Spec&) { return true; }};
}

/// The type is remembered as a value of a member.
template <class Spec, class T>
Alternative<Spec> alternative(const std::string& tag, const Table<Spec>& table, T Spec::*member, const T& value) {
  Alternative<Spec> result = alternative(tag, table);
  result.read = [=, plain = result.read](const YamlNode& node, const Location& where, Reader& reader, Spec& spec) {
    spec.*member = value;
    plain(node, where, reader, spec);
  };
  result.is_selected = [=](const Spec& spec) { return spec.*member == value; };
  return result;
}

inline Shape alternatives_shape(std::vector<KeyShape> keys) {
  return {.kind = Shape::Kind::table, .table = std::make_shared<TableShape>(TableShape{"", "", true, std::move(keys)})};
}

/// A tagged value: exactly one of the alternatives.
template <class Spec>
Format<Spec> one_of(const std::vector<Alternative<Spec>>& alternatives) {
  std::vector<std::string> tags;
  std::vector<KeyShape> keys;
  for (const auto& each : alternatives) {
    tags.push_back(each.tag);
    keys.push_back(each.key());
  }
  const auto read = [=](const YamlNode& node, const Location& where, Reader& reader) -> std::optional<Spec> {
    const YamlNode::Entry* entry = reader.chosen(node, where, tags);
    if (entry == nullptr) return std::nullopt;
    const Reader::Scope scope(reader, entry->key);
    const auto index = static_cast<std::size_t>(std::find(tags.begin(), tags.end(), entry->key) - tags.begin());
    Spec spec;
    alternatives[index].read(entry->value, entry->where, reader, spec);
    return spec;
  };
  const auto write = [=](const Spec& spec) {
    for (const auto& each : alternatives) {
      if (each.is_selected(spec)) return YamlNode::map().add(each.tag, each.write(spec));
    }
    return YamlNode{};
  };
  return {alternatives_shape(keys), read, write};
}

/// A map of named things of several types (`joints:`), each of which is stored in one of the vectors of Owner. A new
/// type, even one with its own Spec and vector, is one more call of type().
template <class Owner>
class Things {
 public:
  template <class Spec>
  Things& type(std::vector<Spec> Owner::*member, const Alternative<Spec>& alternative) {
    tags_.push_back(alternative.tag);
    keys_.push_back(alternative.key());
    types_.push_back({reader_of(member, alternative), writer_of(member, alternative)});
    return *this;
  }

  /// Makes it a key of the owner's table.
  void add_to(Table<Owner>& table, const std::string& name, const std::string& description,
              bool required = false) const {
    const Shape shape{.kind = Shape::Kind::map, .parts = {alternatives_shape(keys_)}};
    const auto read = [things = *this](const YamlNode& node, const Location&, Reader& reader, Owner& owner) {
      things.read(node, reader, owner);
    };
    const auto write = [things = *this](const Owner& owner) { return things.write(owner); };
    table.add({name, description, required, "", shape}, read, write);
  }

 private:
  /// A thing on its way to the file: sorted by the vector it is in, so that reading gives the same order again.
  struct Written {
    const void* storage;
    std::size_t index;
    std::string name;
    YamlNode node;
  };
  struct Type {
    std::function<void(const YamlNode::Entry& name, const YamlNode& value, Reader&, Owner&)> read;
    std::function<void(const Owner&, std::vector<Written>&)> write;
  };

  template <class Spec>
  static auto reader_of(std::vector<Spec> Owner::*member, const Alternative<Spec>& alternative) {
    return [=](const YamlNode::Entry& name, const YamlNode& value, Reader& reader, Owner& owner) {
      Spec spec;
      alternative.read(value, name.where, reader, spec);
      spec.name = name.key;
      spec.where = name.where;
      (owner.*member).push_back(std::move(spec));
    };
  }

  template <class Spec>
  static auto writer_of(std::vector<Spec> Owner::*member, const Alternative<Spec>& alternative) {
    return [=](const Owner& owner, std::vector<Written>& result) {
      const std::vector<Spec>& all = owner.*member;
      for (std::size_t i = 0; i < all.size(); ++i) {
        if (!alternative.is_selected(all[i])) continue;
        result.push_back({&all, i, all[i].name, YamlNode::map().add(alternative.tag, alternative.write(all[i]))});
      }
    };
  }

  void read(const YamlNode& node, Reader& reader, Owner& owner) const {
    if (!reader.check_names(node)) return;
    for (const YamlNode::Entry& entry : node.entries) {
      const Reader::Scope scope(reader, entry.key);
      const YamlNode::Entry* chosen = reader.chosen(entry.value, entry.where, tags_);
      if (chosen == nullptr) continue;
      const Reader::Scope type_scope(reader, chosen->key);
      const auto index = static_cast<std::size_t>(std::find(tags_.begin(), tags_.end(), chosen->key) - tags_.begin());
      types_[index].read(entry, chosen->value, reader, owner);
    }
  }

  YamlNode write(const Owner& owner) const {
    std::vector<Written> all;
    for (const Type& type : types_) type.write(owner, all);
    std::stable_sort(all.begin(), all.end(), [](const Written& a, const Written& b) {
      return std::tie(a.storage, a.index) < std::tie(b.storage, b.index);
    });
    YamlNode map = YamlNode::map();
    for (Written& each : all) map.add(std::move(each.name), std::move(each.node));
    return all.empty() ? YamlNode{} : map;
  }

  std::vector<std::string> tags_;
  std::vector<KeyShape> keys_;
  std::vector<Type> types_;
};

}  // namespace freeplay
