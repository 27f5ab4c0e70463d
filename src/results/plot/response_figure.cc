#include <algorithm>
#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <numbers>

#include "freeplay/base/diagnostics.h"
#include "freeplay/base/names.h"
#include "series.h"

namespace freeplay {

namespace {

/// Columns of the largest amplitudes: `disk.displacement`, `film.force`, not their components.
std::vector<std::size_t> amplitudes_in(const CsvTable& table, const std::string& end) {
  std::vector<std::size_t> numbers;
  for (std::size_t k = 0; k < table.columns().size(); ++k)
    if (table.columns()[k].name.ends_with(end)) numbers.push_back(k);
  return numbers;
}

Panel amplitude_panel(const CsvTable& table, const std::string& quantity, const Axis& x_axis,
                      const std::vector<double>& x) {
  Panel panel;
  panel.x = x_axis;
  const std::vector<std::size_t> numbers = amplitudes_in(table, "." + quantity);
  Series series = table.read(numbers);
  for (std::size_t k = 0; k < numbers.size(); ++k) {
    const CsvTable::Column& column = table.columns()[numbers[k]];
    panel.y = {quantity, column.unit, {}};
    PlotCurve curve;
    curve.name = column.name.substr(0, column.name.size() - quantity.size() - 1);
    curve.colour = static_cast<int>(k);
    curve.x = x;
    curve.y = std::move(series[k]);
    panel.curves.push_back(std::move(curve));
  }
  return panel;
}

}  // namespace

Figure response_figure(const std::filesystem::path& directory, const std::optional<std::string>& title) {
  const std::filesystem::path file = directory / "response.csv";
  std::error_code ignored;
  if (!std::filesystem::exists(file, ignored))
    throw InputError("error: there is no response.csv in '" + directory.string() +
                     "': give the directory of the results of `freeplay response`");
  const CsvTable table(file);
  if (table.columns().size() < 3 || table.columns()[0].name != "speed" || table.columns()[1].name != "frequency")
    throw InputError("error: " + file.string() + " has no columns of amplitudes over speed and frequency");
  const Series places = table.read(std::vector<std::size_t>{0, 1});
  if (places[0].empty()) throw InputError("error: " + file.string() + " has no rows");
  // The response to a load has one speed and many frequencies.
  const bool is_over_speed = places[0].front() != places[0].back() || places[1].front() == places[1].back();
  std::vector<double> x = places[is_over_speed ? 0 : 1];
  constexpr double rpm = 2.0 * std::numbers::pi / 60.0;  // [rad/s]
  if (is_over_speed)
    for (double& value : x) value /= rpm;
  Axis axis{is_over_speed ? "speed [rpm]" : "frequency", is_over_speed ? "" : "Hz", {}};
  const auto [first, last] = std::ranges::minmax(x);
  if (last > first) axis.range = std::pair{first, last};
  Figure figure;
  std::ifstream stream(directory / "response.json");
  const nlohmann::json found = nlohmann::json::parse(stream, nullptr, false);
  figure.title = title.value_or(found.is_object() ? found.value("title", "") : "");
  for (const char* quantity : {"displacement", "force"})
    if (Panel panel = amplitude_panel(table, quantity, axis, x); !panel.curves.empty())
      figure.panels.push_back(std::move(panel));
  if (figure.panels.empty()) throw InputError("error: " + file.string() + " has no amplitudes");
  return figure;
}

}  // namespace freeplay
