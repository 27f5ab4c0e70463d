#include <algorithm>
#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <numbers>

#include "freeplay/base/diagnostics.h"
#include "freeplay/base/names.h"
#include "freeplay/base/units.h"
#include "series.h"

namespace freeplay {

namespace {

constexpr double rpm = 2.0 * std::numbers::pi / 60.0;  // [rad/s]

/// A mode over speed: frequency [Hz] and whirl (-1 backward, 1 forward, 0 planar, mixed or none).
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
  // At rest nothing whirls; as drawn, the line begins as it goes on.
  for (ModeCurve& mode : campbell.modes)
    if (campbell.speed.size() > 1 && campbell.speed[0] == 0.0 && mode.whirl[0] == 0.0) mode.whirl[0] = mode.whirl[1];
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
  const char* const names[] = {" backward", "", " forward"};
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

/// A straight line, also a vertical one.
PlotCurve straight(const std::string& name, std::vector<double> x, std::vector<double> y, int colour) {
  PlotCurve line;
  line.name = name;
  line.colour = colour;
  line.thin = true;
  line.x = std::move(x);
  line.y = std::move(y);
  return line;
}

std::string in_rpm_text(double speed) { return rounded_text(std::round(10.0 * speed / rpm) / 10.0); }

/// What the program has found: where modes are as fast as the rotor. Unbalance hardly drives those that whirl backward
/// or not at all.
PlotCurve critical_speeds(const nlohmann::json& found, bool driven) {
  PlotCurve marks;
  marks.kind = PlotCurve::Kind::marks;
  marks.colour = driven ? 9 : 8;
  marks.symbol = driven ? 0 : 4;
  std::vector<std::string> speeds;
  for (const nlohmann::json& critical : found.value("critical_speeds", nlohmann::json::array())) {
    if (!critical.is_object() || !critical.value("speed", nlohmann::json()).is_number()) continue;
    const std::string whirl = critical.value("whirl", "");
    if ((whirl != "backward" && whirl != "none") != driven) continue;
    const double speed = critical["speed"];
    marks.x.push_back(speed / rpm);
    marks.y.push_back(std::abs(speed) / (2.0 * std::numbers::pi));
    speeds.push_back(in_rpm_text(speed));
  }
  constexpr std::size_t few = 4;
  marks.name = !driven ? "1x meets backward or no whirl" : speeds.size() > 1 ? "critical speeds" : "critical speed";
  if (driven && speeds.size() <= few) marks.name += " " + joined(speeds) + " rpm";
  return marks;
}

nlohmann::json findings_of(const std::filesystem::path& directory) {
  std::ifstream stream(directory / "campbell.json");
  const nlohmann::json found = nlohmann::json::parse(stream, nullptr, false);
  return found.is_object() ? found : nlohmann::json::object();
}

}  // namespace

Figure campbell_figure(const std::filesystem::path& directory, const std::optional<std::string>& title) {
  const Campbell campbell = read_campbell(directory);
  const nlohmann::json found = findings_of(directory);
  const std::vector<double> x = in_rpm(campbell.speed);
  Panel panel;
  panel.x = {"speed [rpm]", "", {}};
  panel.y = {"frequency", "Hz", {}};
  // A few times the rotor's own frequency: modes far above would press all others to the ground.
  constexpr double of_interest = 4.0;
  std::vector<double> revolutions;
  for (const double speed : campbell.speed) revolutions.push_back(std::abs(speed) / (2.0 * std::numbers::pi));
  const double fastest = *std::ranges::max_element(revolutions);
  double highest = 0.0, lowest = INFINITY;
  std::size_t n_above = 0;
  const auto is_above = [&](const ModeCurve& mode) {
    const double least = *std::ranges::min_element(mode.frequency);
    lowest = std::min(lowest, least);
    return fastest > 0.0 && least > of_interest * fastest && least > lowest;
  };
  for (std::size_t m = 0; m < campbell.modes.size(); ++m) {
    if (is_above(campbell.modes[m])) {
      ++n_above;
      continue;
    }
    for (const double whirl : {1.0, -1.0, 0.0})
      if (std::ranges::find(campbell.modes[m].whirl, whirl) != campbell.modes[m].whirl.end())
        panel.curves.push_back(part_of(campbell.modes[m], x, whirl, static_cast<int>(m)));
    for (const double frequency : campbell.modes[m].frequency)
      if (std::isfinite(frequency)) highest = std::max(highest, frequency);
  }
  if (panel.curves.empty() || highest == 0.0)
    throw InputError("error: " + (directory / "campbell.csv").string() + " has no mode with a frequency");
  const std::string label = n_above > 0 ? "1x (" + std::to_string(n_above) + " higher modes are not shown)" : "1x";
  panel.curves.push_back(straight(label, x, revolutions, -1));
  const nlohmann::json limit = found.value("stability_limit", nlohmann::json());
  if (limit.is_object() && limit.value("speed", nlohmann::json()).is_number()) {
    const double speed = limit["speed"];
    panel.curves.push_back(
        straight("unstable from " + in_rpm_text(speed) + " rpm", {speed / rpm, speed / rpm}, {0.0, 1e3 * highest}, 9));
  }
  for (const bool driven : {true, false})
    if (PlotCurve marks = critical_speeds(found, driven); !marks.x.empty()) panel.curves.push_back(marks);
  // The line 1x may be far above all modes.
  panel.y.range = std::pair{0.0, 1.06 * highest};
  const auto [first, last] = std::ranges::minmax(x);
  if (last > first) panel.x.range = std::pair{first, last};
  Figure figure;
  figure.title = title.value_or(found.value("title", ""));
  figure.panels = {panel};
  return figure;
}

}  // namespace freeplay
