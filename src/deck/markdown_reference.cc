#include <algorithm>

#include "freeplay/base/names.h"
#include "freeplay/deck/shape.h"

namespace freeplay {

namespace {

std::string with_range(std::string phrase, const Shape& shape) {
  const std::string range = shape.range.text();
  return range.empty() ? phrase : phrase + ", " + range;
}

std::string phrase_of(const Shape& shape);

std::string list_phrase(const Shape& shape) {
  const std::string element = phrase_of(shape.parts.front());
  if (shape.min_items == shape.max_items && shape.min_items > 0)
    return "list of " + std::to_string(shape.min_items) + ": " + element;
  return "list of: " + element;
}

std::string table_phrase(const TableShape& table) {
  if (!table.exactly_one) return "table";
  std::vector<std::string> tags;
  for (const KeyShape& key : table.keys) tags.push_back("`" + key.name + "`");
  return (tags.size() == 1 ? "" : "exactly one of ") + joined(tags);
}

std::string phrase_of(const Shape& shape) {
  if (!shape.phrase.empty()) return shape.phrase;
  std::vector<std::string> parts;
  switch (shape.kind) {
    case Shape::Kind::number:
      return with_range(shape.unit.empty() ? "number" : "number [" + shape.unit + "]", shape);
    case Shape::Kind::integer:
      return with_range("whole number", shape);
    case Shape::Kind::text:
      return "text";
    case Shape::Kind::boolean:
      return "`true` or `false`";
    case Shape::Kind::choice:
      for (const std::string& name : shape.choices) parts.push_back("`" + name + "`");
      return "one of " + joined(parts);
    case Shape::Kind::list:
      return list_phrase(shape);
    case Shape::Kind::map:
      return "names, each with: " + phrase_of(shape.parts.front());
    case Shape::Kind::table:
      return table_phrase(*shape.table);
    case Shape::Kind::any_of:
      for (const Shape& part : shape.parts) parts.push_back(phrase_of(part));
      return joined(parts, " or ");
  }
  return {};
}

/// The character | would end a cell of the table.
std::string cell(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (c == '|') result += '\\';
    result += c;
  }
  return result;
}

/// Calls visit(path, table) for every table that is reachable through lists, maps and alternatives of a shape.
template <class Visit>
void for_each_table(const std::string& path, const Shape& shape, const Visit& visit) {
  for (const Shape& part : shape.parts) {
    for_each_table(shape.kind == Shape::Kind::map ? path + ".NAME" : path, part, visit);
  }
  if (!shape.table) return;
  if (!shape.table->exactly_one) return visit(path, *shape.table);
  for (const KeyShape& key : shape.table->keys) for_each_table(path + "." + key.name, key.shape, visit);
}

void write_section(const std::string& path, const TableShape& table, int level, std::string& result) {
  result += std::string(static_cast<std::size_t>(std::min(level, 6)), '#') + " " +
            (path.empty() ? table.title : "`" + path + "`: " + table.title) + "\n\n";
  result += table.description + "\n\n";
  if (!table.keys.empty()) result += "| key | value | default | meaning |\n|---|---|---|---|\n";
  for (const KeyShape& key : table.keys) {
    const std::string default_text =
        key.required ? "**required**" : (key.default_text.empty() ? "" : "`" + key.default_text + "`");
    result += "| `" + key.name + "` | " + cell(phrase_of(key.shape)) + " | " + cell(default_text) + " | " +
              cell(key.description) + " |\n";
  }
  if (!table.keys.empty()) result += "\n";
  for (const KeyShape& key : table.keys) {
    for_each_table(path.empty() ? key.name : path + "." + key.name, key.shape,
                   [&](const std::string& inner_path, const TableShape& inner) {
                     write_section(inner_path, inner, level + 1, result);
                   });
  }
}

}  // namespace

std::string markdown_reference(const TableShape& root) {
  std::string result;
  write_section("", root, 1, result);
  return result;
}

}  // namespace freeplay
