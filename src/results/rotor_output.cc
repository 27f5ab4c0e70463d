#include "freeplay/results/rotor_output.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <numbers>

#include "freeplay/base/csv_cell.h"
#include "freeplay/base/names.h"
#include "freeplay/base/units.h"

namespace freeplay {

namespace {

using Json = nlohmann::ordered_json;
constexpr double rpm = two_pi / 60.0;

template <class... Values>
std::string format(const char* pattern, Values... values) {
  char text[512];
  std::snprintf(text, sizeof text, pattern, values...);
  return text;
}

const char* name_of(Whirl whirl) {
  switch (whirl) {
    case Whirl::none:
      return "none";
    case Whirl::forward:
      return "forward";
    case Whirl::backward:
      return "backward";
    case Whirl::planar:
      return "planar";
    case Whirl::mixed:
      return "mixed";
  }
  return "";
}

/// In a table of many numbers.
const char* sign_of(Whirl whirl) {
  switch (whirl) {
    case Whirl::forward:
      return "+";
    case Whirl::backward:
      return "-";
    case Whirl::mixed:
      return "~";
    case Whirl::none:
    case Whirl::planar:
      break;
  }
  return " ";
}

int number_of(Whirl whirl) { return whirl == Whirl::forward ? 1 : whirl == Whirl::backward ? -1 : 0; }

std::string describe(const EngineJob& job, const Rotor& rotor) {
  std::string text = job.model.title.empty() ? "" : job.model.title + "\n";
  const Vec3 axis = rotor.axis();
  text += "rotor: " + joined(rotor.bodies(job.assembled->model)) + "; axis of '" + rotor.joint + "' (" +
          rounded_text(axis.x()) + ", " + rounded_text(axis.y()) + ", " + rounded_text(axis.z()) + ")\n";
  for (const std::string& note : rotor.notes) text += "note: " + note + "\n";
  return text;
}

/// At most so many of n, evenly spread, with both ends.
std::vector<std::size_t> some_of(std::size_t n, std::size_t most) {
  std::vector<std::size_t> numbers;
  const std::size_t count = std::min(n, most);
  for (std::size_t k = 0; k < count; ++k)
    numbers.push_back(count == 1 ? 0 : (k * (n - 1) + (count - 1) / 2) / (count - 1));
  return numbers;
}

/// Modes over speed: frequencies, or damping ratios.
std::string lines_table(const Campbell& campbell, bool damping) {
  constexpr std::size_t most_rows = 13, most_columns = 10;
  const std::size_t n = std::min(campbell.lines.size(), most_columns);
  std::string text =
      damping ? "damping ratio\n       rpm" : "frequency [Hz], + forward, - backward, ~ mixed whirl\n       rpm";
  for (std::size_t l = 0; l < n; ++l) text += format("%12s", ("mode " + std::to_string(l + 1)).c_str());
  text += "\n";
  for (const std::size_t k : some_of(campbell.speeds.size(), most_rows)) {
    text += format("%10.5g", campbell.speeds[k] / rpm);
    for (std::size_t l = 0; l < n; ++l) {
      const auto& mode = campbell.lines[l].at[k];
      text += !mode     ? format("%12s", "")
              : damping ? format("%11.4g ", mode->damping_ratio())
                        : format("%11.6g%s", mode->frequency() / two_pi, sign_of(mode->whirl));
    }
    while (text.ends_with(' ')) text.pop_back();
    text += "\n";
  }
  if (n < campbell.lines.size()) text += format("  and %zu more modes in campbell.csv\n", campbell.lines.size() - n);
  return text;
}

std::string critical_text(const Campbell& campbell) {
  if (campbell.critical.empty()) return "critical speeds: none in this range\n";
  std::string text = "critical speeds\n       rpm       rad/s          Hz  mode  whirl     damping ratio\n";
  for (const CriticalSpeed& critical : campbell.critical)
    text += format("%10.6g %11.6g %11.6g  %4d  %-9s %9.4g\n", critical.speed / rpm, critical.speed,
                   critical.speed / two_pi, critical.line + 1, name_of(critical.whirl), critical.damping_ratio);
  return text;
}

std::string stability_text(const Campbell& campbell) {
  if (!campbell.stability_limit) return "stable at all these speeds\n";
  const StabilityLimit& limit = *campbell.stability_limit;
  return format("unstable %s %.6g rpm (%.6g rad/s): %s whirl of %.6g Hz grows\n",
                limit.at_start ? "already at" : "from", limit.speed / rpm, limit.speed, name_of(limit.whirl),
                limit.frequency / two_pi);
}

Json about(const EngineJob& job, const Rotor& rotor) {
  return {{"model", job.model.file},
          {"title", job.model.title},
          {"results", job.output_directory},
          {"joint", rotor.joint},
          {"axis", {rotor.axis().x(), rotor.axis().y(), rotor.axis().z()}},
          {"rotor", rotor.bodies(job.assembled->model)},
          {"axes", rotor.axes == Rotor::Axes::fixed ? "fixed" : "rotating"},
          {"notes", rotor.notes}};
}

Json line_json(const CampbellLine& line, std::size_t number) {
  Json frequency = Json::array(), damping = Json::array(), decay = Json::array(), whirl = Json::array();
  std::string body;
  for (const auto& mode : line.at) {
    frequency.push_back(mode ? Json(mode->frequency() / two_pi) : Json());
    damping.push_back(mode ? Json(mode->damping_ratio()) : Json());
    decay.push_back(mode ? Json(mode->decay_rate()) : Json());
    whirl.push_back(mode ? Json(name_of(mode->whirl)) : Json());
    if (body.empty() && mode) body = mode->body;
  }
  return {{"number", number},         {"body", body},        {"frequency_hz", frequency},
          {"damping_ratio", damping}, {"decay_rate", decay}, {"whirl", whirl}};
}

/// Speeds or frequencies whose shapes are in modes.bin, by their numbers.
Json numbers_of_points(const std::vector<VibrationShapes>& shapes) {
  Json points = Json::array();
  for (const VibrationShapes& at : shapes) points.push_back(at.point);
  return points;
}

std::string unit_of(const ResponseQuantity& quantity) { return quantity.is_force ? "N" : "m"; }
const char* what_is(const ResponseQuantity& quantity) { return quantity.is_force ? "force" : "displacement"; }

/// [rad], from -pi to pi; 0 where nothing vibrates.
double phase(std::complex<double> amplitude) { return amplitude == 0.0 ? 0.0 : std::arg(amplitude); }

}  // namespace

std::string campbell_table(const EngineJob& job, const Campbell& campbell) {
  std::string text = describe(job, campbell.rotor);
  if (campbell.n_rigid > 0)
    text += format("note: not shown: %d motion%s that nothing hinders\n", campbell.n_rigid,
                   campbell.n_rigid == 1 ? "" : "s");
  if (campbell.n_creeping > 0) text += "note: not shown: motions that decay without vibrating\n";
  text += lines_table(campbell, false);
  if (campbell.damped || campbell.stability_limit) text += lines_table(campbell, true);
  return text + critical_text(campbell) + stability_text(campbell);
}

Json campbell_json(const EngineJob& job, const Campbell& campbell) {
  Json result = about(job, campbell.rotor);
  result["speeds"] = campbell.speeds;
  result["modes"] = Json::array();
  for (std::size_t l = 0; l < campbell.lines.size(); ++l)
    result["modes"].push_back(line_json(campbell.lines[l], l + 1));
  result["critical_speeds"] = Json::array();
  for (const CriticalSpeed& critical : campbell.critical)
    result["critical_speeds"].push_back({{"speed", critical.speed},
                                         {"speed_rpm", critical.speed / rpm},
                                         {"frequency_hz", critical.speed / two_pi},
                                         {"mode", critical.line + 1},
                                         {"whirl", name_of(critical.whirl)},
                                         {"damping_ratio", critical.damping_ratio}});
  result["stability_limit"] = nullptr;
  if (const auto& limit = campbell.stability_limit)
    result["stability_limit"] = {{"speed", limit->speed},
                                 {"speed_rpm", limit->speed / rpm},
                                 {"below_first_speed", limit->at_start},
                                 {"frequency_hz", limit->frequency / two_pi},
                                 {"whirl", name_of(limit->whirl)}};
  result["shapes_at"] = numbers_of_points(campbell.shapes);
  return result;
}

std::string campbell_csv(const Campbell& campbell) {
  std::string text = "speed [rad/s]";
  for (std::size_t l = 0; l < campbell.lines.size(); ++l) {
    const std::string mode = ",mode" + std::to_string(l + 1);
    text += mode + ".frequency [Hz]" + mode + ".damping_ratio" + mode + ".whirl";
  }
  text += "\n";
  for (std::size_t k = 0; k < campbell.speeds.size(); ++k) {
    text += number_text(campbell.speeds[k]);
    for (const CampbellLine& line : campbell.lines) {
      const auto& mode = line.at[k];
      text += mode ? "," + number_text(mode->frequency() / two_pi) + "," + number_text(mode->damping_ratio()) + "," +
                         std::to_string(number_of(mode->whirl))
                   : std::string(",nan,nan,nan");
    }
    text += "\n";
  }
  return text;
}

std::string response_table(const EngineJob& job, const RotorResponse& response) {
  std::string text = describe(job, response.rotor);
  if (job.rotor->what == RotorRequest::What::harmonic)
    text += "response to the load '" + job.rotor->load + "', rotor at " + rounded_text(response.speeds.front() / rpm) +
            " rpm\n";
  text += "  largest amplitude across the axis    at rpm       at Hz\n";
  for (const ResponseQuantity& quantity : response.quantities) {
    const auto largest = std::ranges::max_element(quantity.at, {}, &ResponsePoint::largest);
    const std::size_t k = largest - quantity.at.begin();
    text += format("  %-18.60s %10.4g %-3s %10.6g %11.6g\n", quantity.name.c_str(), largest->largest,
                   unit_of(quantity).c_str(), response.speeds[k] / rpm, response.frequencies[k] / two_pi);
  }
  return text;
}

Json response_json(const EngineJob& job, const RotorResponse& response) {
  Json result = about(job, response.rotor);
  result["response_to"] = job.rotor->what == RotorRequest::What::harmonic ? "load " + job.rotor->load : "unbalance";
  const Vec3 zero = response.rotor.basis.col(0);
  result["angle_zero"] = {zero.x(), zero.y(), zero.z()};
  result["speed"] = response.speeds;
  Json frequencies = Json::array();
  for (const double w : response.frequencies) frequencies.push_back(w / two_pi);
  result["frequency_hz"] = frequencies;
  result["quantities"] = Json::array();
  for (const ResponseQuantity& quantity : response.quantities) {
    Json item{{"name", quantity.name}, {"what", what_is(quantity)}, {"unit", unit_of(quantity)}};
    Json largest = Json::array();
    for (const ResponsePoint& point : quantity.at) largest.push_back(point.largest);
    item["largest"] = largest;
    for (int c = 0; c < 3; ++c) {
      Json amplitude = Json::array(), phases = Json::array();
      for (const ResponsePoint& point : quantity.at) {
        amplitude.push_back(std::abs(point.amplitude[c]));
        phases.push_back(phase(point.amplitude[c]));
      }
      const std::string axis(1, static_cast<char>('x' + c));
      item["amplitude_" + axis] = amplitude;
      item["phase_" + axis] = phases;
    }
    result["quantities"].push_back(item);
  }
  result["shapes_at"] = numbers_of_points(response.shapes);
  return result;
}

std::string response_csv(const RotorResponse& response) {
  std::string text = "speed [rad/s],frequency [Hz]";
  for (const ResponseQuantity& quantity : response.quantities) {
    const std::string name = quantity.name + "." + what_is(quantity), unit = " [" + unit_of(quantity) + "]";
    std::string cells = csv_cell(name + unit);
    for (const char axis : {'x', 'y', 'z'})
      cells += "," + csv_cell(name + "." + axis + unit) + "," + csv_cell(name + "." + axis + ".phase [rad]");
    text += "," + cells;
  }
  text += "\n";
  for (std::size_t k = 0; k < response.speeds.size(); ++k) {
    text += number_text(response.speeds[k]) + "," + number_text(response.frequencies[k] / two_pi);
    for (const ResponseQuantity& quantity : response.quantities) {
      const ResponsePoint& point = quantity.at[k];
      text += "," + number_text(point.largest);
      for (int c = 0; c < 3; ++c)
        text += "," + number_text(std::abs(point.amplitude[c])) + "," + number_text(phase(point.amplitude[c]));
    }
    text += "\n";
  }
  return text;
}

}  // namespace freeplay
