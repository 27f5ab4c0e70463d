#pragma once

// An input file as a plain tree of values that remember where they were written. YAML aliases are already expanded,
// within limits, so that whoever walks the tree needs no care.

#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "freeplay/base/location.h"

namespace freeplay {

struct YamlNode {
  enum class Kind { null, scalar, list, map };
  struct Entry;

  Kind kind = Kind::null;
  std::string text;     ///< scalar
  bool quoted = false;  ///< scalar written in quotes: never a number by accident of its text
  Location where;
  std::vector<YamlNode> items;  ///< list
  std::vector<Entry> entries;   ///< map, in the order of the file; a key may appear twice

  static YamlNode scalar(std::string text);
  static YamlNode list();
  static YamlNode list(std::vector<YamlNode> items);
  static YamlNode map();

  /// Adds an entry to a map.
  YamlNode& add(std::string key, YamlNode value);
  /// The first entry with this key, or nullptr.
  const Entry* find(std::string_view key) const;
  Entry* find(std::string_view key);

  /// `a list`, `a table of keys`, ... for messages.
  std::string kind_text() const;
};

struct YamlNode::Entry {
  std::string key;
  Location where;  ///< of the key
  YamlNode value;
};

/// The text is not YAML, or YAML that is not accepted. what() has no place in it.
class SyntaxError : public std::runtime_error {
 public:
  SyntaxError(const std::string& message, Location where) : std::runtime_error(message), where_(std::move(where)) {}
  const Location& where() const { return where_; }

 private:
  Location where_;
};

constexpr std::size_t max_file_bytes = 8u << 20;

/// Content of a text file of at most max_file_bytes. Throws SyntaxError if it cannot be had.
std::string read_text_file(const std::string& file);

/// `name` stands for the file in messages. `${name}` needs no quotes, not even inside [ ] and { }, where plain YAML
/// would demand them. Throws SyntaxError.
YamlNode parse_yaml(const std::string& text, const std::string& name);

/// Maps in block style, lists in one line; parse_yaml() gives the same tree again.
std::string to_yaml(const YamlNode& node);

}  // namespace freeplay
