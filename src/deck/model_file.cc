#include "freeplay/deck/model_file.h"

#include <algorithm>
#include <charconv>
#include <set>

#include "freeplay/base/names.h"
#include "freeplay/deck/law_types.h"
#include "freeplay/deck/one_line.h"
#include "tables.h"

namespace freeplay {

namespace {

/// Made once, and again when somebody has registered a law: that takes longer than reading a small model, and a study
/// reads very many.
const Table<ModelSpec>& current_table() {
  static std::array<std::size_t, 3> n_laws{};
  static Table<ModelSpec> table("", "");
  const std::array now{contact_law_types().list().size(), friction_law_types().list().size(),
                       outline_types().list().size()};
  if (n_laws != now) table = model_table();
  n_laws = now;
  return table;
}

/// A wrong `--set`. Its message is complete but for the place.
struct OverrideError {
  std::string path;
  std::string message;
};

std::vector<std::string> split(const std::string& path) {
  std::vector<std::string> parts(1);
  for (const char c : path) {
    if (c == '.') {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  return parts;
}

/// A value from the command line has no line; its "file" is the option itself.
void move_to(YamlNode& node, const Location& where) {
  node.where = where;
  for (YamlNode& item : node.items) move_to(item, where);
  for (YamlNode::Entry& entry : node.entries) {
    entry.where = where;
    move_to(entry.value, where);
  }
}

/// The value one step down a path; keys that are missing are made, list elements must exist.
YamlNode& descend(YamlNode& node, const std::string& part, const std::string& path, const Location& where) {
  if (node.kind == YamlNode::Kind::list) {
    std::size_t index = 0;
    const auto parsed = std::from_chars(part.data(), part.data() + part.size(), index);
    if (parsed.ec != std::errc() || parsed.ptr != part.data() + part.size() || index >= node.items.size()) {
      throw OverrideError{path, "'" + part +
                                    "' is not the number of an element of this list; they are counted from 0 to " +
                                    std::to_string(static_cast<long>(node.items.size()) - 1)};
    }
    return node.items[index];
  }
  if (node.kind == YamlNode::Kind::scalar)
    throw OverrideError{path, "is " + node.kind_text() + " in the file and has no key '" + part + "'"};
  node.kind = YamlNode::Kind::map;
  if (YamlNode::Entry* entry = node.find(part)) return entry->value;
  node.entries.push_back({part, where, {}});
  node.entries.back().value.where = where;
  return node.entries.back().value;
}

std::string shortened(const std::string& text) {
  constexpr std::size_t longest = 60;
  return text.size() > longest ? text.substr(0, longest) + "..." : text;
}

void apply(const Override& change, YamlNode& root, Diagnostics& diagnostics) {
  Location where{"--set " + change.path + "=" + shortened(change.value), 0, 0};
  try {
    YamlNode value = parse_yaml(change.value, where.file);
    where.file = "--set " + change.path + "=" + shortened(one_line(value));
    move_to(value, where);
    YamlNode* node = &root;
    std::string path;
    for (const std::string& part : split(change.path)) {
      if (part.empty()) throw OverrideError{change.path, "is not a path of keys such as analysis.dynamic.end"};
      node = &descend(*node, part, path, where);
      path += (path.empty() ? "" : ".") + part;
    }
    *node = std::move(value);
  } catch (const OverrideError& error) {
    diagnostics.error(where, error.path, error.message);
  } catch (const SyntaxError& error) {
    diagnostics.error(where, change.path, error.what());
  }
}

/// Names in ${...} anywhere, also in parts that cannot be read: a parameter used there is not unused.
void collect_used(const YamlNode& node, std::set<std::string>& names) {
  for (std::size_t i = node.text.find("${"); i != std::string::npos; i = node.text.find("${", i + 2)) {
    const std::size_t end = node.text.find('}', i);
    if (end != std::string::npos) names.insert(node.text.substr(i + 2, end - i - 2));
  }
  for (const YamlNode& item : node.items) collect_used(item, names);
  for (const YamlNode::Entry& entry : node.entries) collect_used(entry.value, names);
}

std::vector<std::string> names_of(const std::set<std::string>& names) { return {names.begin(), names.end()}; }

/// `used` has those of the file as it was written: a change on the command line does not make a parameter a mistake.
void check_parameters_used(const YamlNode& root, std::set<std::string> used, Reader& reader) {
  const YamlNode::Entry* parameters = root.find("parameters");
  if (parameters == nullptr) return;
  collect_used(root, used);
  const Reader::Scope scope(reader, "parameters");
  for (const YamlNode::Entry& entry : parameters->value.entries) {
    const Reader::Scope name_scope(reader, entry.key);
    const bool is_reported = reader.failed(reader.path());
    if (used.contains(entry.key) || is_reported) continue;
    const bool is_from_command_line = entry.where.line == 0;
    reader.error(entry.where, is_from_command_line
                                  ? "the model has no such parameter" + did_you_mean(entry.key, names_of(used))
                                  : "is never used; write ${" + entry.key + "} where it is meant, or remove it");
  }
}

std::string resolved_text(const ModelSpec& model, const Table<ModelSpec>& table) {
  std::string text = "# Written by Freeplay: the model with every default spelled out and all parameters put in.\n";
  for (const Parameter& parameter : model.parameters) {
    const std::string unit = parameter.value.has_unit ? base_unit_text(parameter.value.dimension) : "";
    text += "# ${" + parameter.name + "} = " + quantity_text(parameter.value.value, unit) + "\n";
  }
  return text + to_yaml(table.write(model));
}

ModelSpec read_tree(YamlNode root, const std::string& name, const std::vector<Override>& overrides) {
  Diagnostics diagnostics;
  std::set<std::string> used;
  collect_used(root, used);
  for (const Override& change : overrides) apply(change, root, diagnostics);
  const Location start{name, 1, 1};
  if (root.kind == YamlNode::Kind::null) {
    diagnostics.error(start, "", "the file is empty; a model begins with 'freeplay: 1'");
    diagnostics.throw_if_errors();
  }
  ModelSpec model;
  model.file = name;
  Reader reader(diagnostics);
  const Table<ModelSpec>& table = current_table();
  table.read(root, start, reader, model);
  if (root.kind == YamlNode::Kind::map) {
    check_parameters_used(root, std::move(used), reader);
    check_model(model, root, reader);
  }
  reader.warn_of_missing_units();
  diagnostics.throw_if_errors();
  model.warnings = diagnostics.lines();
  complete_beams(model);
  model.resolved = resolved_text(model, table);
  return model;
}

/// What is wrong with the file as a whole, as an InputError.
template <class Function>
auto with_input_errors(const Function& function) {
  try {
    return function();
  } catch (const SyntaxError& error) {
    Diagnostics diagnostics;
    diagnostics.error(error.where(), "", error.what());
    diagnostics.throw_if_errors();
    throw;
  }
}

YamlNode parse(const std::string& text, const std::string& name) {
  return with_input_errors([&] { return parse_yaml(text, name); });
}

}  // namespace

std::string read_model_file(const std::string& file) {
  return with_input_errors([&] { return read_text_file(file); });
}

ModelSpec read_model_text(const std::string& text, const std::string& name, const std::vector<Override>& overrides) {
  return read_tree(parse(text, name), name, overrides);
}

YamlNode model_tree(const std::string& text, const std::string& name, const std::vector<Override>& overrides) {
  YamlNode root = parse(text, name);
  Diagnostics diagnostics;
  for (const Override& change : overrides) apply(change, root, diagnostics);
  diagnostics.throw_if_errors();
  return root;
}

std::string model_json_schema() { return json_schema(model_table().keys()); }

std::string model_reference() { return markdown_reference(model_table().keys()); }

}  // namespace freeplay
