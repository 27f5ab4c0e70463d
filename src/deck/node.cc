#include "freeplay/deck/node.h"

#include <algorithm>
#include <cctype>
#include <utility>

#include "freeplay/base/names.h"

namespace freeplay {

YamlNode YamlNode::scalar(std::string text) {
  YamlNode node;
  node.kind = Kind::scalar;
  node.text = std::move(text);
  return node;
}

YamlNode YamlNode::list() { return list({}); }

YamlNode YamlNode::list(std::vector<YamlNode> items) {
  YamlNode node;
  node.kind = Kind::list;
  node.items = std::move(items);
  return node;
}

YamlNode YamlNode::map() {
  YamlNode node;
  node.kind = Kind::map;
  return node;
}

YamlNode& YamlNode::add(std::string key, YamlNode value) {
  entries.push_back({std::move(key), value.where, std::move(value)});
  return *this;
}

const YamlNode::Entry* YamlNode::find(std::string_view key) const {
  const auto found = std::find_if(entries.begin(), entries.end(), [&](const Entry& entry) { return entry.key == key; });
  return found == entries.end() ? nullptr : &*found;
}

YamlNode::Entry* YamlNode::find(std::string_view key) { return const_cast<Entry*>(std::as_const(*this).find(key)); }

std::string YamlNode::kind_text() const {
  switch (kind) {
    case Kind::null:
      return "nothing";
    case Kind::scalar:
      return "'" + (text.size() > 60 ? text.substr(0, 60) + "..." : text) + "'";
    case Kind::list:
      return "a list";
    case Kind::map:
      return "a table of keys";
  }
  return {};
}

namespace {

/// True if YAML reads the text as this text without quotes: cautious, since quotes never harm. A '*' (as in 3*x) means
/// something to YAML only at the beginning.
bool is_plain(const std::string& text) {
  constexpr std::string_view special = "[]{},:#&!|>'\"%@`?$\\";
  constexpr std::string_view special_at_start = " *.=~-";
  if (text.empty() || text == "null" || text == "Null" || text == "NULL") return false;
  const bool is_negative = text.size() > 1 && text[0] == '-' && std::isdigit(static_cast<unsigned char>(text[1]));
  if (special_at_start.find(text.front()) != std::string_view::npos && !is_negative) return false;
  const auto harmless = [&](char c) {
    return static_cast<unsigned char>(c) >= ' ' && c != 0x7f && special.find(c) == std::string_view::npos;
  };
  return text.back() != ' ' && std::all_of(text.begin(), text.end(), harmless);
}

std::string quoted(const std::string& text) {
  constexpr const char* hexadecimal = "0123456789abcdef";
  std::string result = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      result += '\\';
      result += c;
    } else if (byte < ' ' || byte == 0x7f) {
      result += std::string("\\x") + hexadecimal[byte / 16] + hexadecimal[byte % 16];
    } else {
      result += c;
    }
  }
  return result + "\"";
}

/// A value in one line.
std::string flow(const YamlNode& node) {
  std::vector<std::string> parts;
  switch (node.kind) {
    case YamlNode::Kind::null:
      return "~";
    case YamlNode::Kind::scalar:
      return !node.quoted && is_plain(node.text) ? node.text : quoted(node.text);
    case YamlNode::Kind::list:
      for (const YamlNode& item : node.items) parts.push_back(flow(item));
      return "[" + joined(parts) + "]";
    case YamlNode::Kind::map:
      for (const YamlNode::Entry& entry : node.entries) parts.push_back(entry.key + ": " + flow(entry.value));
      return "{" + joined(parts) + "}";
  }
  return {};
}

void write_block(const YamlNode& map, int indent, std::string& result) {
  for (const YamlNode::Entry& entry : map.entries) {
    result += std::string(static_cast<std::size_t>(indent), ' ') + entry.key + ":";
    if (entry.value.kind == YamlNode::Kind::map && !entry.value.entries.empty()) {
      result += "\n";
      write_block(entry.value, indent + 2, result);
    } else {
      result += " " + flow(entry.value) + "\n";
    }
  }
}

}  // namespace

std::string to_yaml(const YamlNode& node) {
  if (node.kind != YamlNode::Kind::map || node.entries.empty()) return flow(node) + "\n";
  std::string result;
  write_block(node, 0, result);
  return result;
}

}  // namespace freeplay
