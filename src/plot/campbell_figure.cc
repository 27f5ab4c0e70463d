#include <algorithm>
#include <cmath>
#include <numbers>

#include "freeplay/base/diagnostics.h"
#include "freeplay/base/units.h"
#include "series.h"

namespace freeplay {

namespace {

constexpr double rpm = 2.0 * std::numbers::pi / 60.0;  // [rad/s]

/// A mode over speed: frequency [Hz] and whirl (-1 backward, 1 forward, 0 planar).
struct ModeCurve {
  std::string name;
  std::vector<double> frequency, whirl;
};

struct Campbell {
  std::vector<double> speed;  ///< [rad/s]
  std::vector<ModeCurve> modes;
};

Campbell read_campbell(const std::filesystem::path& directory) {
  const std::filesystem::path file = directory / "campbell.csv";
  std::error_code ignored;
  if (!std::filesystem::exists(file, ignored))
    throw InputError("error: there is no campbell.csv in '" + directory.string() +
                     "': give the directory of the results of `freeplay campbell`");
  const CsvTable table(file);
  const std::string end = ".frequency";
  std::vector<std::size_t> numbers;
  Campbell campbell;
  const auto number_of = [&](const std::string& name) -> std::optional<std::size_t> {
    const auto found = std::ranges::find(table.columns(), name, &CsvTable::Column::name);
    return found == table.columns().end() ? std::nullopt : std::optional<std::size_t>(found - table.columns().begin());
  };
  for (const CsvTable::Column& column : table.columns()) {
    if (!column.name.ends_with(end)) continue;
    const std::string name = column.name.substr(0, column.name.size() - end.size());
    const std::optional<std::size_t> whirl = number_of(name + ".whirl");
    if (!whirl) continue;
    campbell.modes.push_back({name, {}, {}});
    numbers.insert(numbers.end(), {*number_of(column.name), *whirl});
  }
  const std::optional<std::size_t> speed = number_of("speed");
  if (!speed || campbell.modes.empty())
    throw InputError("error: " + file.string() + " has no columns of modes over speed");
  numbers.push_back(*speed);
  Series series = table.read(numbers);
  for (std::size_t m = 0; m < campbell.modes.size(); ++m) {
    campbell.modes[m].frequency = std::move(series[2 * m]);
    campbell.modes[m].whirl = std::move(series[2 * m + 1]);
  }
  campbell.speed = std::move(series.back());
  if (campbell.speed.empty()) throw InputError("error: " + file.string() + " has no rows");
  return campbell;
}

std::vector<double> in_rpm(const std::vector<double>& speed) {
  std::vector<double> result;
  for (const double value : speed) result.push_back(value / rpm);
  return result;
}

/// The part of a mode that whirls in one direction, up to the next point.
PlotCurve part_of(const ModeCurve& mode, const std::vector<double>& x, double whirl, int colour) {
  const char* const names[] = {" backward", " planar", " forward"};
  PlotCurve curve;
  curve.name = mode.name + names[static_cast<int>(whirl) + 1];
  curve.colour = colour;
  curve.dash = whirl > 0.0 ? 0 : whirl < 0.0 ? 1 : 2;
  curve.x = x;
  for (std::size_t k = 0; k < x.size(); ++k) {
    const bool is_part = mode.whirl[k] == whirl || (k > 0 && mode.whirl[k - 1] == whirl);
    curve.y.push_back(is_part ? mode.frequency[k] : NAN);
  }
  return curve;
}

/// Where modes are as fast as the rotor. Unbalance drives them if they whirl forward, or stay in a plane.
PlotCurve critical_speeds(const Campbell& campbell, bool driven) {
  PlotCurve marks;
  marks.kind = PlotCurve::Kind::marks;
  marks.colour = driven ? 9 : 8;
  marks.symbol = driven ? 0 : 4;
  for (const ModeCurve& mode : campbell.modes)
    for (std::size_t k = 1; k < campbell.speed.size(); ++k) {
      const auto excess = [&](std::size_t row) {
        return 2.0 * std::numbers::pi * mode.frequency[row] - campbell.speed[row];
      };
      const bool crosses = (excess(k - 1) > 0.0) != (excess(k) > 0.0) && std::isfinite(excess(k - 1) + excess(k));
      if (!crosses || (mode.whirl[k] >= 0.0) != driven || campbell.speed[k - 1] == 0.0) continue;
      const double part = excess(k - 1) / (excess(k - 1) - excess(k));
      const double speed = std::lerp(campbell.speed[k - 1], campbell.speed[k], part);
      marks.x.push_back(speed / rpm);
      marks.y.push_back(speed / (2.0 * std::numbers::pi));
    }
  marks.name = driven ? "critical speed" : "1x meets backward whirl";
  constexpr std::size_t few = 4;
  if (driven && marks.x.size() <= few)
    for (std::size_t k = 0; k < marks.x.size(); ++k)
      marks.name += (k == 0 ? " " : ", ") + rounded_text(std::round(10.0 * marks.x[k]) / 10.0);
  if (driven && marks.x.size() <= few) marks.name += " rpm";
  return marks;
}

}  // namespace

Figure campbell_figure(const std::filesystem::path& directory, const std::optional<std::string>& title) {
  const Campbell campbell = read_campbell(directory);
  const std::vector<double> x = in_rpm(campbell.speed);
  Panel panel;
  panel.x = {"speed [rpm]", "", {}};
  panel.y = {"frequency", "Hz", {}};
  for (std::size_t m = 0; m < campbell.modes.size(); ++m)
    for (const double whirl : {1.0, -1.0, 0.0})
      if (std::ranges::find(campbell.modes[m].whirl, whirl) != campbell.modes[m].whirl.end())
        panel.curves.push_back(part_of(campbell.modes[m], x, whirl, static_cast<int>(m)));
  if (panel.curves.empty())
    throw InputError("error: " + (directory / "campbell.csv").string() + " has no mode with a direction of whirl");
  PlotCurve line;
  line.name = "1x";
  line.colour = -1;
  line.thin = true;
  line.x = x;
  for (const double speed : campbell.speed) line.y.push_back(speed / (2.0 * std::numbers::pi));
  panel.curves.push_back(line);
  for (const bool driven : {true, false})
    if (PlotCurve marks = critical_speeds(campbell, driven); !marks.x.empty()) panel.curves.push_back(marks);
  Figure figure;
  figure.title = title.value_or("");
  figure.panels = {panel};
  figure.panels[0].x.range = x_range_of(figure.panels);
  return figure;
}

}  // namespace freeplay
