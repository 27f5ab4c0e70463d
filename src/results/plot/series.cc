#include "series.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "freeplay/assembly/columns.h"
#include "freeplay/base/diagnostics.h"
#include "freeplay/base/names.h"
#include "freeplay/base/units.h"

namespace freeplay {

namespace {

/// `pin.force.x` of `pin.force.x [N]`, as it stands in the header.
std::string without_unit(const std::string& name) {
  const std::size_t bracket = name.ends_with(']') ? name.rfind(" [") : std::string::npos;
  return name.substr(0, bracket);
}

std::vector<std::string> names_in(const CsvTable& table) {
  std::vector<std::string> names;
  for (const CsvTable::Column& column : table.columns()) names.push_back(column.name);
  return names;
}

std::string range_text(const PlotRequest& request) {
  if (!request.from && !request.to) return "";
  return " from " + (request.from ? rounded_text(*request.from) : "the start") + " to " +
         (request.to ? rounded_text(*request.to) : "the end");
}

}  // namespace

Series read_series(const PlotRequest& request, const PlottedRun& run, const std::vector<std::size_t>& columns) {
  std::vector<std::size_t> chosen{0};
  chosen.insert(chosen.end(), columns.begin(), columns.end());
  Series series(columns.size());
  run.history().for_each_row(chosen, [&](std::span<const double> values) {
    if (!request.is_asked(values[0])) return;
    for (std::size_t k = 0; k < columns.size(); ++k) series[k].push_back(values[k + 1]);
  });
  if (!series.empty() && series[0].empty())
    throw InputError("error: " + run.history().file().string() + " has no rows" + range_text(request));
  return series;
}

std::optional<std::size_t> find_column(const PlottedRun& run, const std::string& name) {
  const auto& columns = run.history().columns();
  const auto found = std::ranges::find(columns, name, &CsvTable::Column::name);
  return found == columns.end() ? std::nullopt : std::optional<std::size_t>(found - columns.begin());
}

std::vector<std::size_t> matching_columns(const CsvTable& table, const std::string& pattern) {
  const std::string name = without_unit(pattern);
  std::vector<std::size_t> found;
  const auto collect = [&](const auto& is_meant) {
    for (std::size_t k = 0; k < table.columns().size(); ++k)
      if (is_meant(table.columns()[k].name)) found.push_back(k);
  };
  collect([&](const std::string& each) { return fits(each, name); });
  // A vector by its name alone.
  if (found.empty())
    collect([&](const std::string& each) {
      return each.size() == name.size() + 2 && each.starts_with(name + ".") && each.back() >= 'x' && each.back() <= 'z';
    });
  return found;
}

std::string no_such_column(const CsvTable& table, const std::string& pattern) {
  constexpr std::size_t few = 12;
  const std::string name = without_unit(pattern);
  std::vector<std::string> below;
  for (const std::string& each : names_in(table))
    if (each.starts_with(name + ".")) below.push_back(each);
  std::string text = table.file().string() + " has no column '" + pattern + "'";
  if (below.empty()) {
    text += did_you_mean(name, names_in(table));
  } else {
    const bool are_many = below.size() > few;
    if (are_many) below.resize(few);
    text += ", but " + joined(below) + (are_many ? ", ..." : "");
  }
  return text + (text.ends_with('?') ? " " : "; ") + "'freeplay plot " + table.file().parent_path().string() +
         " --list' lists all";
}

std::vector<double> values_at(const std::vector<double>& values, const std::vector<std::size_t>& rows) {
  std::vector<double> chosen;
  chosen.reserve(rows.size());
  for (const std::size_t row : rows) chosen.push_back(values[row]);
  return chosen;
}

std::vector<std::size_t> distant_rows(const std::vector<double>& x, const std::vector<double>& y,
                                      std::size_t resolution) {
  const auto size_of = [](const std::vector<double>& values) {
    double least = INFINITY, largest = -INFINITY;
    for (const double value : values)
      if (std::isfinite(value)) least = std::min(least, value), largest = std::max(largest, value);
    return largest > least ? largest - least : 1.0;
  };
  const double near = 0.5 / static_cast<double>(resolution), x_size = size_of(x), y_size = size_of(y);
  std::vector<std::size_t> rows;
  for (std::size_t k = 0; k < x.size(); ++k) {
    const bool is_last = k + 1 == x.size();
    // A distance to what is no number is none: such rows and those after them are kept.
    const bool is_near = !rows.empty() && std::abs(x[k] - x[rows.back()]) < near * x_size &&
                         std::abs(y[k] - y[rows.back()]) < near * y_size;
    if (is_last || !is_near) rows.push_back(k);
  }
  return rows;
}

std::optional<std::pair<double, double>> x_range_of(const std::vector<Panel>& panels) {
  std::pair<double, double> range{INFINITY, -INFINITY};
  for (const Panel& panel : panels)
    for (const PlotCurve& curve : panel.curves)
      for (std::size_t k = 0; k < curve.x.size(); ++k) {
        if (!std::isfinite(curve.x[k])) continue;
        range.first = std::min(range.first, curve.x[k]);
        range.second = std::max(range.second, curve.x[k]);
      }
  return range.first < range.second ? std::optional(range) : std::nullopt;
}

std::string troubles_of(const PlotRequest& request) {
  const std::vector<std::string> names = names_of(request.runs);
  std::vector<std::string> texts;
  for (std::size_t k = 0; k < request.runs.size(); ++k) {
    const std::string trouble = request.runs[k].trouble();
    if (!trouble.empty()) texts.push_back((names.size() > 1 ? names[k] + ": " : "") + trouble);
  }
  return joined(texts, "; ");
}

Panel event_panel(const PlotRequest& request, std::pair<double, double> range) {
  const std::vector<std::string> names = names_of(request.runs);
  const double pixel = (range.second - range.first) / static_cast<double>(request.resolution);
  Panel panel;
  panel.x = first_axis(request);
  std::map<std::string, std::size_t> kinds;
  std::map<std::pair<std::string, std::string>, double> last;  // mark of this kind in this row
  for (std::size_t r = 0; r < request.runs.size(); ++r)
    for (const PlottedEvent& event : request.runs[r].events()) {
      if (event.time < range.first || event.time > range.second) continue;
      const std::string row = (names.size() > 1 ? names[r] + ": " : "") + event.joint;
      if (const auto before = last.find({event.kind, row}); before != last.end() && event.time - before->second < pixel)
        continue;
      last[{event.kind, row}] = event.time;
      auto place = std::ranges::find(panel.rows, row);
      if (place == panel.rows.end()) place = panel.rows.insert(place, row);
      const auto [kind, is_new] = kinds.emplace(event.kind, panel.curves.size());
      if (is_new) {
        const int number = static_cast<int>(panel.curves.size());
        panel.curves.push_back(
            {event.kind, {}, {}, {}, PlotCurve::Kind::marks, PlotCurve::Side::left, number, 0, number, false});
      }
      panel.curves[kind->second].x.push_back(event.time);
      panel.curves[kind->second].y.push_back(static_cast<double>(place - panel.rows.begin()));
    }
  // What happens at the same time is side by side.
  for (std::size_t k = 0; k < panel.curves.size(); ++k)
    for (double& y : panel.curves[k].y)
      y += 0.6 * ((static_cast<double>(k) + 0.5) / static_cast<double>(panel.curves.size()) - 0.5);
  panel.fixed_height = std::min(300.0, 10.0 * static_cast<double>((panel.curves.size() + 1) * panel.rows.size()));
  return panel;
}

Figure titled_figure(const PlotRequest& request) {
  Figure figure;
  figure.title = request.title.value_or(request.runs.size() == 1 ? request.runs[0].title() : "");
  figure.remark = troubles_of(request);
  return figure;
}

Axis first_axis(const PlotRequest& request) {
  const CsvTable::Column& first = request.runs[0].history().columns()[0];
  return {first.name, first.unit, {}};
}

}  // namespace freeplay
