#include <algorithm>
#include <cmath>

#include "freeplay/base/diagnostics.h"
#include "freeplay/base/thinning.h"
#include "series.h"

namespace freeplay {

namespace {

/// More curves, or panels, cannot be told apart.
constexpr std::size_t most_curves = 40, most_panels = 10;

/// A column by name; of each run its number, if the run has it.
struct Chosen {
  std::string name, unit;
  std::vector<std::optional<std::size_t>> numbers;
};

std::string unit_of(const CsvTable::Column& column) { return column.unit == "1" ? "" : column.unit; }

std::vector<Chosen> choose(const PlotRequest& request, std::vector<std::string>& warnings) {
  std::vector<Chosen> chosen;
  for (const std::string& pattern : request.columns) {
    std::vector<std::string> missing;
    for (std::size_t r = 0; r < request.runs.size(); ++r) {
      const CsvTable& history = request.runs[r].history();
      const std::vector<std::size_t> found = matching_columns(history, pattern);
      if (found.empty()) missing.push_back(no_such_column(history, pattern));
      for (const std::size_t k : found) {
        const CsvTable::Column& column = history.columns()[k];
        auto place = std::ranges::find(chosen, column.name, &Chosen::name);
        if (place == chosen.end())
          place = chosen.insert(
              place, {column.name, unit_of(column), std::vector<std::optional<std::size_t>>(request.runs.size())});
        place->numbers[r] = k;
      }
    }
    if (missing.size() == request.runs.size()) throw InputError("error: " + missing.front());
    for (const std::string& text : missing) warnings.push_back("warning: " + text);
  }
  return chosen;
}

std::vector<std::string> units_of(const std::vector<Chosen>& columns) {
  std::vector<std::string> units;
  for (const Chosen& column : columns)
    if (std::ranges::find(units, column.unit) == units.end()) units.push_back(column.unit);
  return units;
}

/// What all names have in common: `pin.force` of its components, `gap` of several joints; else nothing.
std::string common_name(const std::vector<std::string>& names) {
  if (names.empty()) return "";
  std::size_t begin = names[0].size(), end = names[0].size();
  for (const std::string& name : names) {
    const auto same = [](auto a, auto a_end, auto b, auto b_end) {
      return std::mismatch(a, a_end, b, b_end).first - a;
    };
    begin = std::min<std::size_t>(begin, same(names[0].begin(), names[0].end(), name.begin(), name.end()));
    end = std::min<std::size_t>(end, same(names[0].rbegin(), names[0].rend(), name.rbegin(), name.rend()));
  }
  if (begin == names[0].size()) return names[0];
  const std::size_t dot = names[0].rfind('.', begin == 0 ? 0 : begin - 1);
  if (dot != std::string::npos && dot > 0) return names[0].substr(0, dot);
  const std::string tail = names[0].substr(names[0].size() - end);
  const std::size_t first = tail.find('.');
  return first == std::string::npos ? "" : tail.substr(first + 1);
}

class ColumnFigure {
 public:
  ColumnFigure(const PlotRequest& request, std::vector<std::string>& warnings)
      : request_(request), names_(names_of(request.runs)), columns_(choose(request, warnings)), warnings_(warnings) {}

  Figure operator()() {
    check_legible();
    make_panels();
    for (std::size_t r = 0; r < request_.runs.size(); ++r) add_run(r);
    Figure figure = titled_figure(request_);
    figure.panels = std::move(panels_);
    std::erase_if(figure.panels, [](const Panel& panel) { return panel.curves.empty(); });
    if (figure.panels.empty()) throw InputError("error: there is nothing to draw: no row has a number");
    // The axis says it.
    for (Panel& panel : figure.panels)
      if (panel.curves.size() == 1 && request_.runs.size() == 1) panel.curves[0].name.clear();
    const auto range = x_range_of(figure.panels);
    if (request_.events && range) {
      figure.panels.push_back(event_panel(request_, *range));
      if (figure.panels.back().curves.empty()) {
        figure.panels.pop_back();
        warnings_.push_back("warning: there are no events in this time");
      }
    }
    for (Panel& panel : figure.panels) panel.x.range = range;
    return figure;
  }

 private:
  void check_legible() const {
    std::size_t n_curves = 0;
    for (const Chosen& column : columns_)
      n_curves += std::ranges::count_if(column.numbers, [](const auto& number) { return number.has_value(); });
    if (n_curves > most_curves)
      throw InputError("error: that would be " + std::to_string(n_curves) + " curves, and more than " +
                       std::to_string(most_curves) + " cannot be told apart: choose fewer columns");
    if (units_of(columns_).size() > most_panels)
      throw InputError("error: that would be more than " + std::to_string(most_panels) +
                       " panels, one for each unit: choose fewer columns");
  }

  void make_panels() {
    const std::vector<std::string> units = units_of(columns_);
    has_two_axes_ = units.size() == 2;
    panels_.resize(has_two_axes_ ? 1 : units.size());
    for (std::size_t u = 0; u < units.size(); ++u) {
      std::vector<std::string> names;
      for (const Chosen& column : columns_)
        if (column.unit == units[u]) names.push_back(column.name);
      Panel& panel = panels_[has_two_axes_ ? 0 : u];
      panel.x = x_axis();
      (has_two_axes_ && u == 1 ? panel.right : panel.y) = {common_name(names), units[u], {}};
    }
  }

  std::optional<std::size_t> x_column(const PlottedRun& run) const {
    if (!request_.x) return 0;
    const std::vector<std::size_t> found = matching_columns(run.history(), *request_.x);
    if (found.size() > 1)
      throw InputError("error: --x '" + *request_.x + "' fits " + std::to_string(found.size()) +
                       " columns: name one of them");
    if (found.empty()) throw InputError("error: --x: " + no_such_column(run.history(), *request_.x));
    return found[0];
  }

  Axis x_axis() const {
    const CsvTable::Column& column = request_.runs[0].history().columns()[*x_column(request_.runs[0])];
    return {column.name, unit_of(column), {}};
  }

  void add_run(std::size_t r) {
    std::vector<std::size_t> numbers{*x_column(request_.runs[r])};
    for (const Chosen& column : columns_)
      if (column.numbers[r]) numbers.push_back(*column.numbers[r]);
    const Series series = read_series(request_, request_.runs[r], numbers);
    std::size_t next = 1;
    for (std::size_t c = 0; c < columns_.size(); ++c)
      if (columns_[c].numbers[r]) add_curve(r, c, series[0], series[next++], numbers[0] == 0);
  }

  void add_curve(std::size_t r, std::size_t c, const std::vector<double>& x, const std::vector<double>& y,
                 bool is_function) {
    const std::string& name = columns_[c].name;
    if (std::ranges::none_of(y, [](double value) { return std::isfinite(value); })) {
      warnings_.push_back("warning: " + request_.runs[r].history().file().string() + ": '" + name + "' has no numbers");
      return;
    }
    const std::vector<std::size_t> rows =
        is_function ? extreme_rows(y, request_.resolution) : distant_rows(x, y, request_.resolution);
    const std::vector<std::string> units = units_of(columns_);
    const std::size_t unit = std::ranges::find(units, columns_[c].unit) - units.begin();
    PlotCurve curve;
    curve.x = values_at(x, rows);
    curve.y = values_at(y, rows);
    const bool is_right = has_two_axes_ && unit == 1;
    if (is_right) curve.side = PlotCurve::Side::right;
    // Runs of one column differ in colour; of several, columns differ in colour and runs in their dashes.
    const bool one_column = columns_.size() == 1;
    curve.colour = static_cast<int>(one_column ? r : c);
    curve.dash = static_cast<int>(one_column ? 0 : r);
    curve.name = names_.size() == 1 ? name : one_column ? names_[r] : names_[r] + ": " + name;
    if (is_right) curve.name += " (right)";
    panels_[has_two_axes_ ? 0 : unit].curves.push_back(std::move(curve));
  }

  const PlotRequest& request_;
  std::vector<std::string> names_;  ///< of runs
  std::vector<Chosen> columns_;
  std::vector<std::string>& warnings_;
  bool has_two_axes_ = false;
  std::vector<Panel> panels_;
};

}  // namespace

Figure column_figure(const PlotRequest& request, std::vector<std::string>& warnings) {
  return ColumnFigure(request, warnings)();
}

}  // namespace freeplay
