#include <algorithm>
#include <cmath>
#include <numeric>

#include "freeplay/base/diagnostics.h"
#include "freeplay/base/thinning.h"
#include "series.h"

namespace freeplay {

namespace {

/// The ledger of a run over time [J].
struct LedgerHistory {
  std::vector<double> x;
  std::vector<std::string> names;  ///< of what is stacked
  Series parts;
  std::vector<double> put_in;  ///< energy at the start and work since; empty: there is no ledger
  std::vector<double> residual;
};

Series columns_of(const PlotRequest& request, const PlottedRun& run, const std::vector<std::string>& names) {
  std::vector<std::size_t> numbers;
  for (const std::string& name : names) {
    const std::optional<std::size_t> number = find_column(run, name);
    if (!number)
      throw InputError("error: " + run.history().file().string() + " has no column '" + name +
                       "': output.columns of the model leaves it out");
    numbers.push_back(*number);
  }
  return read_series(request, run, numbers);
}

/// The zero of gravity is arbitrary: here, its lowest value.
void lift(std::vector<double>& gravity, double least) {
  for (double& value : gravity) value -= least;
}

LedgerHistory read_ledger(const PlotRequest& request, const PlottedRun& run) {
  LedgerHistory ledger;
  ledger.names = {"energy.kinetic", "energy.elastic", "energy.contact", "energy.friction_state", "energy.gravity"};
  const std::size_t gravity = ledger.names.size() - 1;
  const bool has_ledger = find_column(run, "ledger.residual").has_value();
  if (has_ledger)
    for (const char* loss : {"loss.damping", "loss.friction", "loss.contact", "loss.numerical", "loss.projection"})
      ledger.names.push_back(loss);
  const std::size_t n_parts = ledger.names.size();
  std::vector<std::string> wanted = ledger.names;
  wanted.push_back(run.history().columns()[0].name);
  if (has_ledger) wanted.insert(wanted.end(), {"ledger.residual", "work.loads", "work.drives"});
  Series series = columns_of(request, run, wanted);
  ledger.x = series[n_parts];
  double least = INFINITY;
  for (const double value : series[gravity])
    if (std::isfinite(value)) least = std::min(least, value);
  lift(series[gravity], least);
  if (has_ledger) {
    ledger.residual = series[n_parts + 1];
    // ledger.residual = stored - stored at the start - work + losses
    for (std::size_t k = 0; k < ledger.x.size(); ++k) {
      double sum = -ledger.residual[k];
      for (std::size_t p = 0; p < n_parts; ++p) sum += series[p][k];
      ledger.put_in.push_back(sum);
    }
  }
  series.resize(n_parts);
  ledger.parts = std::move(series);
  return ledger;
}

/// Rows in which any part has an extreme, so that the parts still add up.
std::vector<std::size_t> rows_of(const LedgerHistory& ledger, std::size_t resolution) {
  std::vector<std::size_t> rows;
  const auto add = [&](const std::vector<double>& values) {
    const std::vector<std::size_t> more = extreme_rows(values, resolution / 4);
    rows.insert(rows.end(), more.begin(), more.end());
  };
  for (const std::vector<double>& part : ledger.parts) add(part);
  if (!ledger.put_in.empty()) add(ledger.put_in);
  std::ranges::sort(rows);
  rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
  return rows;
}

double largest_of(const std::vector<double>& values) {
  double largest = 0.0;
  for (const double value : values)
    if (std::isfinite(value)) largest = std::max(largest, std::abs(value));
  return largest;
}

Panel stack_of(const PlotRequest& request, const LedgerHistory& ledger) {
  const std::vector<std::size_t> rows = rows_of(ledger, request.resolution);
  Panel panel;
  panel.x = first_axis(request);
  panel.y = {"energy", "J", {}};
  double largest = 0.0;
  for (const std::vector<double>& part : ledger.parts) largest = std::max(largest, largest_of(part));
  std::vector<double> sum(rows.size(), 0.0);
  const std::vector<double> x = values_at(ledger.x, rows);
  for (std::size_t p = 0; p < ledger.parts.size(); ++p) {
    constexpr double visible = 1e-3;  // of the largest part; less is thinner than a pixel
    if (largest_of(ledger.parts[p]) <= visible * largest) continue;
    PlotCurve curve;
    curve.name = ledger.names[p];
    curve.kind = PlotCurve::Kind::band;
    curve.colour = static_cast<int>(p);
    curve.x = x;
    curve.lower = sum;
    for (std::size_t k = 0; k < rows.size(); ++k) sum[k] += ledger.parts[p][rows[k]];
    curve.y = sum;
    panel.curves.push_back(std::move(curve));
  }
  if (!ledger.put_in.empty()) {
    PlotCurve curve;
    curve.name = "at the start + work";
    curve.colour = -1;
    curve.x = x;
    curve.y = values_at(ledger.put_in, rows);
    panel.curves.push_back(std::move(curve));
  }
  // Bands stand on the axis.
  double least = 0.0, most = 0.0;
  for (const PlotCurve& curve : panel.curves)
    for (const double value : curve.y)
      if (std::isfinite(value)) least = std::min(least, value), most = std::max(most, value);
  if (most > least) panel.y.range = std::pair{least, most + 0.06 * (most - least)};
  return panel;
}

}  // namespace

Figure energy_figure(const PlotRequest& request) {
  const std::vector<std::string> names = names_of(request.runs);
  Figure figure = titled_figure(request);
  Panel open;
  open.x = first_axis(request);
  open.y = {"ledger.residual", "J", {}};
  open.height = 0.35;
  for (std::size_t r = 0; r < request.runs.size(); ++r) {
    const LedgerHistory ledger = read_ledger(request, request.runs[r]);
    figure.panels.push_back(stack_of(request, ledger));
    if (names.size() > 1) figure.panels.back().title = names[r];
    if (ledger.residual.empty()) continue;
    const std::vector<std::size_t> rows = extreme_rows(ledger.residual, request.resolution);
    PlotCurve curve;
    curve.name = names.size() > 1 ? names[r] : "";
    curve.colour = static_cast<int>(r);
    curve.x = values_at(ledger.x, rows);
    curve.y = values_at(ledger.residual, rows);
    open.curves.push_back(std::move(curve));
  }
  if (!open.curves.empty()) figure.panels.push_back(std::move(open));
  const auto range = x_range_of(figure.panels);
  if (request.events && range) figure.panels.push_back(event_panel(request, *range));
  std::erase_if(figure.panels, [](const Panel& panel) { return panel.curves.empty(); });
  if (figure.panels.empty()) throw InputError("error: there is nothing to draw: all energies are zero");
  for (Panel& panel : figure.panels) panel.x.range = range;
  return figure;
}

}  // namespace freeplay
