#include "freeplay/analysis/bench/measurement.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>

#include "freeplay/base/names.h"

namespace freeplay {

namespace {

namespace fs = std::filesystem;

struct Signal {
  std::vector<double> time, value;
  std::string unit;
};

std::ifstream open_file(const fs::path& file) {
  std::ifstream stream(file);
  if (!stream) throw NoMeasurement("there is no " + file.filename().string() + " in the results");
  return stream;
}

const std::vector<std::string>& names_of_columns(const Measure& measure, std::vector<std::string>& single) {
  if (!measure.norm.empty()) return measure.norm;
  if (!measure.sum.empty()) return measure.sum;
  single = {measure.column};
  return single;
}

/// Where the wanted columns are in a row; all must have the same unit.
std::vector<std::size_t> find_columns(const HistoryFile& history, const std::vector<std::string>& wanted) {
  const std::vector<std::string>&names = history.names(), &units = history.units();
  std::vector<std::size_t> columns;
  for (const std::string& name : wanted) {
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end())
      throw NoMeasurement("history.csv has no column '" + name + "'" + did_you_mean(name, names));
    columns.push_back(static_cast<std::size_t>(found - names.begin()));
    if (units[columns.back()] != units[columns.front()])
      throw NoMeasurement("the columns '" + wanted.front() + "' and '" + name + "' have different units");
  }
  return columns;
}

Signal read_signal(const Measure& measure, const fs::path& results) {
  HistoryFile history(results);
  Signal signal;
  std::vector<std::string> single;
  const std::vector<std::size_t> columns = find_columns(history, names_of_columns(measure, single));
  signal.unit = history.units()[columns.front()];
  while (history.next()) {
    double sum = 0.0, squares = 0.0;
    for (const std::size_t column : columns) {
      const double x = history.number(column);
      sum += x;
      squares += x * x;
    }
    signal.time.push_back(history.time());
    signal.value.push_back(measure.norm.empty() ? sum : std::sqrt(squares));
  }
  if (signal.time.empty()) throw NoMeasurement("history.csv has no rows");
  return signal;
}

Signal cut(const Signal& signal, const Measure& measure) {
  Signal part;
  part.unit = signal.unit;
  const double from = measure.from.value_or(-std::numeric_limits<double>::infinity());
  const double to = measure.to.value_or(std::numeric_limits<double>::infinity());
  for (std::size_t i = 0; i < signal.time.size(); ++i) {
    if (signal.time[i] < from || signal.time[i] > to) continue;
    part.time.push_back(signal.time[i]);
    part.value.push_back(signal.value[i]);
  }
  if (part.time.empty()) throw NoMeasurement("no row of history.csv is in the interval");
  return part;
}

double value_at(const Signal& signal, double time) {
  // Times in the file have 12 digits.
  const double round_off = 1e-11 * std::max(1.0, std::abs(time));
  if (time < signal.time.front() - round_off || time > signal.time.back() + round_off)
    throw NoMeasurement("the run ends at " + rounded_text(signal.time.back()) + " s");
  const auto after = std::lower_bound(signal.time.begin(), signal.time.end(), time - round_off);
  const auto i = static_cast<std::size_t>(after - signal.time.begin());
  if (i == 0 || std::abs(signal.time[i] - time) <= round_off) return signal.value[i];
  const double part = (time - signal.time[i - 1]) / (signal.time[i] - signal.time[i - 1]);
  return signal.value[i - 1] + part * (signal.value[i] - signal.value[i - 1]);
}

double first_crossing(const Signal& signal, double level) {
  for (std::size_t i = 1; i < signal.time.size(); ++i) {
    const double before = signal.value[i - 1] - level, after = signal.value[i] - level;
    if ((before < 0.0) == (after < 0.0)) continue;
    return signal.time[i - 1] + before / (before - after) * (signal.time[i] - signal.time[i - 1]);
  }
  throw NoMeasurement("the level is never crossed");
}

/// Over time, with the signal taken as linear between rows.
double mean(const Signal& signal) {
  const double duration = signal.time.back() - signal.time.front();
  if (duration == 0.0) return signal.value.front();
  double integral = 0.0;
  for (std::size_t i = 1; i < signal.time.size(); ++i)
    integral += 0.5 * (signal.value[i - 1] + signal.value[i]) * (signal.time[i] - signal.time[i - 1]);
  return integral / duration;
}

Measurement take_from_signal(const Measure& measure, const fs::path& results) {
  const Signal whole = read_signal(measure, results);
  if (measure.kind == Measure::Kind::value)
    return {measure.at ? value_at(whole, *measure.at) : whole.value.back(), whole.unit};
  const Signal signal = cut(whole, measure);
  const auto [least, largest] = std::minmax_element(signal.value.begin(), signal.value.end());
  switch (measure.kind) {
    case Measure::Kind::maximum:
      return {*largest, signal.unit};
    case Measure::Kind::minimum:
      return {*least, signal.unit};
    case Measure::Kind::mean:
      return {mean(signal), signal.unit};
    case Measure::Kind::range:
      return {*largest - *least, signal.unit};
    case Measure::Kind::time_of_maximum:
      return {signal.time[static_cast<std::size_t>(largest - signal.value.begin())], "s"};
    default:
      break;
  }
  const Dimension dimension = parse_unit(signal.unit).dimension;
  if (!(measure.level.dimension == dimension))
    throw NoMeasurement("the level is " + describe(measure.level.dimension) + ", the column " + describe(dimension));
  return {first_crossing(signal, measure.level.value), "s"};
}

Measurement take_from_events(const Measure& measure, const fs::path& results) {
  std::ifstream file = open_file(results / "events.csv");
  std::string line;
  std::getline(file, line);
  int n = 0;
  while (std::getline(file, line)) {
    const std::vector<std::string> cells = cells_of(line);
    if (cells.size() < 3) continue;
    if (!measure.event.empty() && cells[1] != measure.event) continue;
    if (!measure.joint.empty() && cells[2] != measure.joint) continue;
    const double time = number_of(cells[0]);
    if (time < measure.from.value_or(time) || time > measure.to.value_or(time)) continue;
    ++n;
    if (measure.kind == Measure::Kind::events || n < measure.number) continue;
    if (measure.kind == Measure::Kind::event_time) return {time, "s"};
    if (cells.size() < 5 || cells[3].empty())
      throw NoMeasurement("the event '" + measure.event + "' of '" + measure.joint + "' has no value");
    return {number_of(cells[3]), cells[4]};
  }
  if (measure.kind == Measure::Kind::events) return {static_cast<double>(n), ""};
  throw NoMeasurement("there are only " + std::to_string(n) + " events" +
                      (measure.event.empty() ? "" : " '" + measure.event + "'") +
                      (measure.joint.empty() ? "" : " of '" + measure.joint + "'"));
}

nlohmann::json read_json(const fs::path& file) {
  std::ifstream stream = open_file(file);
  return nlohmann::json::parse(stream, nullptr, false);
}

Measurement take_from_summary(const Measure& measure, const fs::path& results) {
  const nlohmann::json summary = read_json(results / "summary.json");
  std::string pointer = "/" + measure.key;
  std::replace(pointer.begin(), pointer.end(), '.', '/');
  const nlohmann::json value = summary.value(nlohmann::json::json_pointer(pointer), nlohmann::json());
  if (!value.is_number()) throw NoMeasurement("summary.json has no number '" + measure.key + "'");
  return {value.get<double>(), ""};
}

Measurement take_from_modes(const Measure& measure, const fs::path& results) {
  const nlohmann::json modes = read_json(results / "modes.json");
  for (const nlohmann::json& mode : modes.value("modes", nlohmann::json::array()))
    if (mode.value("number", 0) == measure.number) return {mode.value("angular_frequency", 0.0), "rad/s"};
  throw NoMeasurement("there is no mode " + std::to_string(measure.number) + " in the results");
}

Measurement take_from_campbell(const Measure& measure, const fs::path& results) {
  const nlohmann::json campbell = read_json(results / "campbell.json");
  const nlohmann::json none;
  if (measure.kind == Measure::Kind::stability_limit) {
    const nlohmann::json limit = campbell.value("stability_limit", none);
    if (!limit.is_object()) throw NoMeasurement("the rotor is stable at all speeds of the run");
    return {limit.value("speed", 0.0), "rad/s"};
  }
  const nlohmann::json speeds = campbell.value("critical_speeds", nlohmann::json::array());
  const auto number = static_cast<std::size_t>(measure.number);
  if (number > speeds.size())
    throw NoMeasurement("there are only " + std::to_string(speeds.size()) + " critical speeds in the results");
  return {speeds[number - 1].value("speed", 0.0), "rad/s"};
}

}  // namespace

Measurement take(const Measure& measure, const fs::path& results) {
  switch (measure.kind) {
    case Measure::Kind::event_time:
    case Measure::Kind::event_value:
    case Measure::Kind::events:
      return take_from_events(measure, results);
    case Measure::Kind::summary:
      return take_from_summary(measure, results);
    case Measure::Kind::mode:
      return take_from_modes(measure, results);
    case Measure::Kind::critical_speed:
    case Measure::Kind::stability_limit:
      return take_from_campbell(measure, results);
    default:
      return take_from_signal(measure, results);
  }
}

}  // namespace freeplay
