#include <algorithm>
#include <cctype>
#include <set>

#include "freeplay/analysis/study/study.h"
#include "freeplay/base/names.h"
#include "unit_symbol.h"

namespace freeplay {

namespace {

/// `parameters.L` is known as `L`.
std::string short_name(const std::string& path) {
  const std::string prefix = "parameters.";
  return path.starts_with(prefix) ? path.substr(prefix.size()) : path;
}

/// The values as numbers in SI units, if all are numbers of one dimension; else nothing.
std::vector<Quantity> quantities_of(const VariedPath& varied) {
  std::vector<Quantity> result;
  for (const std::string& value : varied.values) {
    try {
      const std::size_t begin = value.find_first_not_of("\"'"), end = value.find_last_not_of("\"'\n");
      if (begin == std::string::npos) return {};
      result.push_back(parse_quantity(value.substr(begin, end + 1 - begin)));
    } catch (const UnitError&) {
      return {};
    }
    if (!(result.back().dimension == result.front().dimension)) return {};
  }
  return result;
}

std::string header_of(const VariedPath& varied) {
  const std::vector<Quantity> quantities = quantities_of(varied);
  const bool has_unit =
      std::any_of(quantities.begin(), quantities.end(), [](const Quantity& each) { return each.has_unit; });
  return short_name(varied.path) + (has_unit ? " [" + unit_symbol(quantities.front().dimension) + "]" : "");
}

std::vector<std::string> cells_of(const VariedPath& varied) {
  std::vector<std::string> cells = varied.shown;
  const std::vector<Quantity> quantities = quantities_of(varied);
  for (std::size_t i = 0; i < quantities.size(); ++i) cells[i] = number_text(quantities[i].value);
  return cells;
}

/// Only what is harmless in names of directories and on command lines.
std::string clean(const std::string& text) {
  std::string result;
  for (const char c : text) {
    const bool is_kept =
        std::isalnum(static_cast<unsigned char>(c)) || std::string("._+-").find(c) != std::string::npos;
    if (is_kept)
      result += c;
    else if (c != ' ' && !result.ends_with('-'))
      result += '-';
  }
  return result;
}

/// `L=2m`, or the label.
std::string part_of_name(const StudyAxis& axis, std::size_t index) {
  if (!axis.labels.empty()) return clean(axis.labels[index]);
  std::vector<std::string> parts;
  for (const VariedPath& varied : axis.paths)
    parts.push_back(clean(short_name(varied.path)) + "=" + clean(varied.shown[index]));
  return joined(parts, "_");
}

std::string unique(std::string name, std::set<std::string>& taken) {
  constexpr std::size_t longest = 120;  // far below what file systems allow
  name = name.substr(0, longest);
  if (name.empty() || name.front() == '.' || name.front() == '-') name = "case" + name;
  std::string candidate = name;
  for (int number = 2; !taken.insert(candidate).second; ++number) candidate = name + "-" + std::to_string(number);
  return candidate;
}

/// The case with these values of the axes.
StudyCase case_of(const Study& study, const std::vector<std::vector<std::vector<std::string>>>& cells,
                  const std::vector<std::size_t>& indices) {
  StudyCase result;
  result.run.model = study.model;
  result.run.settings = study.settings;
  result.run.n_modes = study.n_modes;
  result.run.where = study.axes.front().where;
  std::vector<std::string> parts;
  for (std::size_t a = 0; a < study.axes.size(); ++a) {
    const StudyAxis& axis = study.axes[a];
    parts.push_back(part_of_name(axis, indices[a]));
    if (!axis.labels.empty()) result.cells.push_back(axis.labels[indices[a]]);
    for (std::size_t p = 0; p < axis.paths.size(); ++p) {
      result.run.settings.push_back(axis.paths[p].path + "=" + axis.paths[p].values[indices[a]]);
      result.cells.push_back(cells[a][p][indices[a]]);
    }
  }
  result.run.name = joined(parts, "_");
  return result;
}

/// To the next combination; false after the last.
bool advance(const Study& study, std::vector<std::size_t>& indices) {
  for (std::size_t a = indices.size(); a-- > 0;) {
    if (++indices[a] < study.axes[a].size()) return true;
    indices[a] = 0;
  }
  return false;
}

}  // namespace

std::vector<std::string> varied_columns(const Study& study) {
  std::vector<std::string> headers;
  int n_labels = 0;
  for (const StudyAxis& axis : study.axes) {
    if (!axis.labels.empty()) {
      ++n_labels;
      headers.push_back(n_labels == 1 ? "label" : "label " + std::to_string(n_labels));
    }
    for (const VariedPath& varied : axis.paths) headers.push_back(header_of(varied));
  }
  return headers;
}

std::vector<StudyCase> study_cases(const Study& study) {
  std::vector<std::vector<std::vector<std::string>>> cells(study.axes.size());
  for (std::size_t a = 0; a < study.axes.size(); ++a)
    for (const VariedPath& varied : study.axes[a].paths) cells[a].push_back(cells_of(varied));
  std::vector<StudyCase> cases;
  std::set<std::string> taken;
  std::vector<std::size_t> indices(study.axes.size(), 0);
  do {
    cases.push_back(case_of(study, cells, indices));
    cases.back().run.name = unique(cases.back().run.name, taken);
  } while (advance(study, indices));
  return cases;
}

}  // namespace freeplay
