#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <map>

#include "freeplay/analysis/study/study.h"
#include "freeplay/deck/one_line.h"
#include "freeplay/deck/table.h"
#include "unit_symbol.h"

namespace freeplay {

namespace {

namespace fs = std::filesystem;

const std::string label_key = "label";

/// `{from: 1 kN, to: 1 GN, count: 7, scale: log}`
struct ValueRange {
  Quantity from, to;
  int count = 2;
  bool logarithmic = false;
  Location where;
};

void check_range(const ValueRange& range, const Given& given, Reader& reader) {
  if (reader.failed(reader.path())) return;
  const bool same = range.from.dimension == range.to.dimension && range.from.has_unit == range.to.has_unit;
  if (!same) {
    reader.error(given.place("to"), "must have the dimension of 'from'");
    return;
  }
  const double a = range.from.value, b = range.to.value;
  if (range.logarithmic && (a == 0.0 || b == 0.0 || (a < 0.0) != (b < 0.0))) {
    reader.error(given.place("from"), "a logarithmic range needs ends of one sign, neither of them 0");
  } else if (!std::isfinite(b - a) || (range.logarithmic && !(std::isfinite(b / a) && b / a > 0.0))) {
    reader.error(given.place("to"), "is too far from 'from': there are no numbers for what is between them");
  }
}

Table<ValueRange> range_table() {
  Table<ValueRange> table("Range", "Values from one end to the other.");
  table.required("from", &ValueRange::from, any_quantity(), "First value.");
  table.required("to", &ValueRange::to, any_quantity(), "Last value.");
  table.required("count", &ValueRange::count, integer(between(2, 10000)), "How many values, with both ends.");
  table.optional("scale", &ValueRange::logarithmic, choice<bool>({{"linear", false}, {"log", true}}),
                 "Equal differences or equal ratios.");
  table.check(check_range);
  return table;
}

std::vector<double> values_of(const ValueRange& range) {
  std::vector<double> values;
  for (int i = 0; i < range.count; ++i) {
    const double part = static_cast<double>(i) / (range.count - 1);
    const double a = range.from.value, b = range.to.value;
    const double value = range.logarithmic ? a * std::pow(b / a, part) : a + part * (b - a);
    // Round-off in the last digits would only make names and tables unreadable.
    char text[32];
    std::snprintf(text, sizeof text, "%.12g", value);
    values.push_back(i == 0 ? a : i == range.count - 1 ? b : std::strtod(text, nullptr));
  }
  return values;
}

void add_range(const ValueRange& range, VariedPath& varied) {
  const std::string unit = range.from.has_unit ? unit_symbol(range.from.dimension) : "";
  for (const double value : values_of(range)) {
    varied.values.push_back(quantity_text(value, unit));
    varied.shown.push_back(unit.empty() ? rounded_text(value) : rounded_text(value) + " " + unit);
  }
}

void add_list(const YamlNode& list, Reader& reader, VariedPath& varied) {
  for (std::size_t i = 0; i < list.items.size(); ++i) {
    const Reader::Scope scope(reader, std::to_string(i));
    if (list.items[i].kind == YamlNode::Kind::null) reader.error(list.items[i].where, "has no value");
    varied.values.push_back(to_yaml(list.items[i]));
    varied.shown.push_back(one_line(list.items[i]));
  }
  if (list.items.empty()) reader.error(list.where, "needs at least one value");
}

VariedPath read_path(const YamlNode::Entry& entry, Reader& reader) {
  VariedPath varied;
  varied.path = entry.key;
  varied.where = entry.where;
  if (entry.value.kind == YamlNode::Kind::list) {
    add_list(entry.value, reader, varied);
  } else if (entry.value.kind == YamlNode::Kind::map) {
    ValueRange range;
    range_table().read(entry.value, entry.where, reader, range);
    if (!reader.failed(reader.path())) add_range(range, varied);
  } else {
    reader.error(entry.where, "must be a list of values, or a range {from: , to: , count: , scale: log}");
  }
  return varied;
}

void read_labels(const YamlNode::Entry& entry, Reader& reader, StudyAxis& axis) {
  if (const auto labels = list_of(text(), 1).read(entry.value, entry.where, reader)) axis.labels = *labels;
}

void check_sizes(const StudyAxis& axis, Reader& reader) {
  for (const VariedPath& varied : axis.paths) {
    if (varied.values.size() == axis.size() || varied.values.empty() || axis.size() == 0) continue;
    reader.error(varied.where, "'" + varied.path + "' has " + std::to_string(varied.values.size()) + " values and '" +
                                   axis.paths.front().path + "' " + std::to_string(axis.size()) +
                                   ": places that change together need equally many; to combine all values write them "
                                   "as items of their own ('- ')");
  }
  if (!axis.labels.empty() && axis.labels.size() != axis.size() && axis.size() > 0)
    reader.error(axis.where, "there are " + std::to_string(axis.size()) + " values but " +
                                 std::to_string(axis.labels.size()) + " labels");
}

/// `{PATH: [values], PATH: [values]}`: places that change together.
Format<StudyAxis> axis_format() {
  const auto read = [](const YamlNode& node, const Location& where, Reader& reader) -> std::optional<StudyAxis> {
    StudyAxis axis;
    axis.where = node.where.line > 0 ? node.where : where;
    if (node.kind != YamlNode::Kind::map) {
      reader.error(axis.where,
                   "must be a table of places in the model file and their values, such as "
                   "{parameters.L: [1 m, 2 m]}");
      return std::nullopt;
    }
    std::vector<std::string> keys;
    for (const YamlNode::Entry& entry : node.entries) keys.push_back(entry.key);
    reader.check_keys(node, where, keys);  // reports what is there twice
    for (const YamlNode::Entry& entry : node.entries) {
      const Reader::Scope scope(reader, entry.key);
      if (entry.key == label_key)
        read_labels(entry, reader, axis);
      else
        axis.paths.push_back(read_path(entry, reader));
    }
    if (axis.paths.empty()) reader.error(axis.where, "nothing is varied here");
    check_sizes(axis, reader);
    return axis;
  };
  const auto write = [](const StudyAxis&) { return YamlNode{}; };
  return {{.kind = Shape::Kind::map, .phrase = "places in the model file and their values"}, read, write};
}

Format<StudyResult> result_format() {
  const Format<Measure> measure = measure_format();
  const auto read = [=](const YamlNode& node, const Location& where, Reader& reader) -> std::optional<StudyResult> {
    StudyResult result;
    if (const auto value = measure.read(node, where, reader)) result.measure = *value;
    return result;
  };
  return {measure.shape(), read, [=](const StudyResult& result) { return measure.write(result.measure); }};
}

Table<Study> study_table() {
  Table<Study> table("Study", "A model, what is varied in it, and the numbers wanted of every case.");
  table.optional("title", &Study::title, text(), "Title.");
  table.required("model", &Study::model, text(), "Model file, relative to this file.").place(&Study::model_where);
  table.optional("set", &Study::settings, list_of(text()), "Changes in all cases, as for `freeplay run --set`.");
  table.optional("modes", &Study::n_modes, integer(at_least(1)),
                 "So many natural frequencies are found instead of the analysis in the model file.");
  table.required("vary", &Study::axes, list_of(axis_format(), 1), "What is varied.");
  table.required("results", &Study::results, named(result_format()), "Columns of study.csv.");
  return table;
}

void check_repeated_paths(const Study& study, Reader& reader) {
  std::map<std::string, const VariedPath*> seen;
  for (const StudyAxis& axis : study.axes)
    for (const VariedPath& varied : axis.paths) {
      const auto [first, is_new] = seen.emplace(varied.path, &varied);
      if (!is_new)
        reader.error(varied.where, "'" + varied.path + "' is varied twice, first in line " +
                                       std::to_string(first->second->where.line));
    }
}

void check_number_of_cases(const Study& study, Reader& reader) {
  constexpr double most = 1e5;
  double n = 1.0;
  for (const StudyAxis& axis : study.axes) n *= static_cast<double>(axis.size());
  if (n > most)
    reader.error(study.axes.front().where, "these are " + rounded_text(n) + " cases; at most 100000 are possible");
}

/// Natural frequencies and histories come from different runs.
void check_measures(const Study& study, Reader& reader) {
  for (const StudyResult& result : study.results) {
    if (reader.failed("results." + result.name)) continue;
    const bool is_mode = result.measure.kind == Measure::Kind::mode;
    if (result.measure.kind == Measure::Kind::critical_speed || result.measure.kind == Measure::Kind::stability_limit) {
      reader.error(result.where, "'" + result.name + "' is of a rotor over its speed, which a study does not run");
      continue;
    }
    if (is_mode && study.n_modes == 0)
      reader.error(result.where,
                   "'" + result.name + "' is of a natural frequency: add the key 'modes: N' to the study");
    if (!is_mode && study.n_modes > 0)
      reader.error(result.where, "'" + result.name + "' cannot be had from natural frequencies; only {mode: ...} can");
    if (is_mode && study.n_modes > 0 && result.measure.number > study.n_modes)
      reader.error(result.where, "'" + result.name + "': only " + std::to_string(study.n_modes) + " modes are found");
  }
}

}  // namespace

Study read_study(const std::string& file, Diagnostics& diagnostics) {
  Study study;
  study.file = file;
  try {
    study.text = read_text_file(file);
    const YamlNode root = parse_yaml(study.text, file);
    Reader reader(diagnostics);
    study_table().read(root, {file, 1, 1}, reader, study);
    check_repeated_paths(study, reader);
    if (!study.axes.empty()) check_number_of_cases(study, reader);
    check_measures(study, reader);
    const fs::path model = (fs::path(file).parent_path() / study.model).lexically_normal();
    if (!study.model.empty() && !fs::is_regular_file(model))
      reader.error(study.model_where, "there is no model file " + model.string());
    study.model = model.string();
  } catch (const SyntaxError& error) {
    diagnostics.error(error.where(), "", error.what());
  }
  return study;
}

Study read_study(const std::string& file) {
  Diagnostics diagnostics;
  Study study = read_study(file, diagnostics);
  diagnostics.throw_if_errors();
  return study;
}

}  // namespace freeplay
