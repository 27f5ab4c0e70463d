#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <numbers>

#include "freeplay/app/commands.h"
#include "freeplay/app/engine_loader.h"
#include "freeplay/app/launcher.h"
#include "freeplay/app/results_directory.h"
#include "freeplay/app/streams.h"
#include "freeplay/assembly/assembly.h"
#include "freeplay/base/diagnostics.h"
#include "freeplay/base/exit_code.h"
#include "freeplay/base/formatted.h"
#include "freeplay/base/names.h"
#include "freeplay/base/units.h"

namespace freeplay {

namespace {

std::string trimmed(const std::string& text) {
  const std::size_t first = text.find_first_not_of(' ');
  return first == std::string::npos ? "" : text.substr(first, text.find_last_not_of(' ') - first + 1);
}

/// A quantity of one of these dimensions, or a number without a unit.
std::optional<Quantity> parse_of(const std::string& text, const Dimension& dimension) {
  try {
    const Quantity quantity = parse_quantity(trimmed(text));
    if (std::isfinite(quantity.value) && (!quantity.has_unit || quantity.dimension == dimension)) return quantity;
  } catch (const UnitError&) {
  }
  return std::nullopt;
}

/// `from .. to` as evenly spread numbers, or one. `parse` gives nothing for what is wrong. The unit of the last number
/// counts for the first, if that has none: `0 .. 6000 rpm`.
template <class Parse>
std::vector<double> parse_range(const std::string& text, int n_points, const Parse& parse) {
  const std::size_t dots = text.find("..");
  std::string first = trimmed(text.substr(0, dots));
  if (dots != std::string::npos && leading_number(first) == first.size()) {
    const std::string last = trimmed(text.substr(dots + 2));
    first += last.substr(leading_number(last));
  }
  const std::optional<double> from = parse(first);
  if (!from || *from < 0.0) return {};
  if (dots == std::string::npos) return {*from};
  const std::optional<double> to = parse(text.substr(dots + 2));
  if (!to || !(*to > *from)) return {};
  std::vector<double> values;
  for (int k = 0; k < n_points; ++k)
    values.push_back(k + 1 == n_points ? *to : *from + (*to - *from) * k / (n_points - 1));
  return values;
}

std::vector<double> parse_speeds(const std::string& text, int n_points) {
  const auto parse = [](const std::string& part) -> std::optional<double> {
    const auto speed = parse_of(part, {0.0, 0.0, -1.0});
    if (!speed) return std::nullopt;
    const bool in_turns =
        part.find("Hz") != std::string::npos;  // a rotor that turns with 50 Hz makes 50 turns per second
    return in_turns ? 2.0 * std::numbers::pi * speed->value : speed->value;
  };
  const std::vector<double> speeds = parse_range(text, n_points, parse);
  if (speeds.empty())
    throw InputError("error: --speed '" + text +
                     "' is not a range of angular velocities from 0 on, such as \"0 rpm .. 6000 rpm\", nor one such as "
                     "\"50 rad/s\"");
  return speeds;
}

/// [rad/s]. Hz are full vibrations, and so are numbers without a unit.
std::vector<double> parse_frequencies(const std::string& text, int n_points) {
  const auto parse = [](const std::string& part) -> std::optional<double> {
    const std::string word = trimmed(part);
    const auto frequency = parse_of(word, {0.0, 0.0, -1.0});
    if (!frequency) return std::nullopt;
    const bool angular = word.find("rad") != std::string::npos || word.find("rpm") != std::string::npos;
    return angular ? frequency->value : 2.0 * std::numbers::pi * frequency->value;
  };
  const std::vector<double> frequencies = parse_range(text, n_points, parse);
  if (frequencies.empty())
    throw InputError("error: --frequency '" + text +
                     "' is not a range of frequencies from 0 on, such as \"0 Hz .. 200 Hz\"");
  return frequencies;
}

/// `disk: 10 g*mm at 30 deg`
UnbalanceSpec parse_unbalance(const std::string& text) {
  const std::size_t colon = text.rfind(':');
  if (colon != std::string::npos) {
    UnbalanceSpec unbalance{trimmed(text.substr(0, colon)), 0.0, 0.0};
    const std::string value = text.substr(colon + 1);
    const std::size_t at = value.find(" at ");
    const auto amount = parse_of(value.substr(0, at), {1.0, 1.0, 0.0});
    const auto angle = at == std::string::npos ? Quantity{} : parse_of(value.substr(at + 4), {});
    if (!unbalance.place.empty() && amount && angle) {
      unbalance.amount = amount->value;
      unbalance.angle = angle->value;
      return unbalance;
    }
  }
  throw InputError("error: --unbalance '" + text +
                   "' is not PLACE: MASS*LENGTH at ANGLE, such as \"disk: 10 g*mm at 30 deg\"");
}

int points_of(const RotorOptions& options, int standard) { return options.n_points.value_or(standard); }

std::string ways_to_look(const RotorOptions& options, const std::string& directory, const std::string& command) {
  const std::string place = shell_word(directory);
  const std::string report = options.report ? "" : "  look at it       freeplay report " + place + "\n";
  return report + "  plot             freeplay plot " + place + " --" + command + "\n";
}

int run_rotor(const RotorOptions& options, RotorRequest request, const std::string& command) {
  if (launched_process().rank != 0) return 0;
  if (options.report) check_report_is_possible();
  leave_launcher();  // the work is not shared: the first process does it as if it were alone
  request.joint = options.joint;
  request.json = options.json;
  EngineJob job;
  job.model_text = read_model_file(options.model_file);
  const ModelSpec model = read_model_text(job.model_text, options.model_file, parse_settings(options.settings));
  std::vector<std::string> loads;
  for (const LoadSpec& load : model.loads) loads.push_back(load.name);
  for (const LineLoadSpec& load : model.line_loads) loads.push_back(load.name);
  std::vector<std::string> left_out = loads;
  for (const ActuatorSpec& load : model.actuators) left_out.push_back(load.name);
  if (!request.load.empty() && std::ranges::find(loads, request.load) == loads.end())
    throw InputError("error: --load: there is no load '" + request.load + "'" + did_you_mean(request.load, loads) +
                     (loads.empty() ? ": the model has none" : " (loads: " + joined(loads) + ")"));
  const auto follows = [&](const auto& load) { return load.name == request.load && load.following; };
  if (std::ranges::any_of(model.loads, follows) || std::ranges::any_of(model.line_loads, follows))
    throw InputError("error: --load: '" + request.load +
                     "' is `following`: give a load whose components are in the axes of ground");
  job.model = model_for_rotor(model, request);
  job.rotor = request;
  print_warnings(job.model, options.quiet);
  std::erase(loads, request.load);
  if (!left_out.empty() && !options.quiet)
    std::fprintf(stderr, "note: loads are left out: %s\n", joined(left_out).c_str());
  job.petsc_options = options.petsc_options;
  job.quiet = options.quiet;
  job.assembled = std::make_shared<Assembled>(assemble(job.model));
  const ResultsDirectory directory =
      options.output_directory
          ? ResultsDirectory::create(*options.output_directory)
          : ResultsDirectory::create_for(std::filesystem::path(options.model_file).stem().string() + "-" + command);
  job.output_directory = directory.path().string();
  const int code = run_engine(job);
  // Only the engine knows whether the model is a rotor.
  std::error_code ignored;
  if (code == exit_input_error) std::filesystem::remove(directory.path(), ignored);
  if (code != exit_ok) return code;
  const bool says_more = !options.quiet && !options.json;
  if (says_more) write_to_standard_output(ways_to_look(options, job.output_directory, command));
  return options.report ? exit_code_with_report(code, job.output_directory, !says_more) : code;
}

}  // namespace

int campbell_command(const RotorOptions& options) {
  constexpr int standard_points = 61;
  if (!options.speed)
    throw InputError("error: --speed is missing: give a range, such as --speed \"0 rpm .. 6000 rpm\"");
  RotorRequest request;
  request.what = RotorRequest::What::campbell;
  request.speeds = parse_speeds(*options.speed, points_of(options, standard_points));
  request.n_modes = options.n_modes;
  return run_rotor(options, request, "campbell");
}

int response_command(const RotorOptions& options) {
  constexpr int standard_points = 201;
  RotorRequest request;
  request.places = options.places;
  if (options.load.has_value() != options.frequency.has_value())
    throw InputError(options.load
                         ? "error: --load needs --frequency, such as --frequency \"0 Hz .. 200 Hz\""
                         : "error: --frequency needs --load NAME; over the speed of the rotor use --speed alone");
  if (options.load) {
    request.what = RotorRequest::What::harmonic;
    request.load = *options.load;
    request.frequencies = parse_frequencies(*options.frequency, points_of(options, standard_points));
    request.speeds = options.speed ? parse_speeds(*options.speed, 2) : std::vector{0.0};
    if (request.speeds.size() > 1)
      throw InputError("error: --speed with --load is one speed, such as --speed \"3000 rpm\"");
    if (!options.unbalances.empty()) throw InputError("error: --unbalance has no meaning for the response to a load");
    return run_rotor(options, request, "response");
  }
  if (!options.speed)
    throw InputError(
        "error: nothing to respond to: give --speed \"0 rpm .. 6000 rpm\" for the response to unbalance, or --load "
        "NAME "
        "--frequency \"0 Hz .. 200 Hz\"");
  request.what = RotorRequest::What::unbalance;
  request.speeds = parse_speeds(*options.speed, points_of(options, standard_points));
  for (const std::string& text : options.unbalances) request.unbalances.push_back(parse_unbalance(text));
  return run_rotor(options, request, "response");
}

}  // namespace freeplay
