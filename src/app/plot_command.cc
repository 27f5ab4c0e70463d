#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>

#include "freeplay/app/commands.h"
#include "freeplay/app/streams.h"
#include "freeplay/base/diagnostics.h"
#include "freeplay/base/exit_code.h"
#include "freeplay/base/names.h"
#include "freeplay/base/output_file.h"
#include "freeplay/base/units.h"
#include "freeplay/results/plot/figures.h"
#include "freeplay/results/plot/gnuplot.h"

namespace freeplay {

namespace {

namespace fs = std::filesystem;

bool is_directory(const std::string& word) {
  std::error_code ignored;
  return fs::is_directory(word, ignored) || (fs::path(word).filename() == "history.csv" && fs::exists(word, ignored));
}

/// Directories and columns are told apart by what is there.
struct Words {
  std::vector<std::string> directories, columns;
};

Words sorted(const std::vector<std::string>& words) {
  Words result;
  for (const std::string& word : words) {
    const bool is_path = word.find('/') != std::string::npos || result.directories.empty();
    if (is_directory(word))
      result.directories.push_back(word);
    else if (is_path)
      throw InputError("error: there is no directory '" + word +
                       "': give the results of a run first, such as results/pendulum, then columns");
    else
      result.columns.push_back(word);
  }
  return result;
}

double parse_place(const char* option, const std::string& text) {
  try {
    const Quantity place = parse_quantity(text);
    const bool fits = !place.has_unit || place.dimension == Dimension{0.0, 0.0, 1.0};
    if (fits && std::isfinite(place.value)) return place.value;
  } catch (const UnitError&) {
  }
  throw InputError("error: " + std::string(option) + " '" + text + "' is not a time, such as \"0.5 s\"");
}

PictureSize parse_size(const std::optional<std::string>& text) {
  PictureSize size;
  if (!text) return size;
  char rest = '\0';
  constexpr int least = 200, largest = 10000;
  const bool is_size = std::sscanf(text->c_str(), "%dx%d%c", &size.width, &size.height, &rest) == 2;
  if (is_size && std::min(size.width, size.height) >= least && std::max(size.width, size.height) <= largest)
    return size;
  throw InputError("error: --size '" + *text + "' is not WIDTHxHEIGHT in pixels from 200 to 10000, such as 1200x720");
}

PictureFormat format_of(const fs::path& file) {
  for (const auto& [extension, format] :
       {std::pair{".png", PictureFormat::png}, {".svg", PictureFormat::svg}, {".pdf", PictureFormat::pdf}})
    if (file.extension() == extension) return format;
  throw InputError("error: -o '" + file.string() + "': the name of a picture ends with .png, .svg or .pdf");
}

/// Named after what it shows, with a number if there is one of that name already.
fs::path new_name(const fs::path& directory, const std::string& what) {
  std::string name = "plot-";
  for (const char c : what)
    name += std::isalnum(static_cast<unsigned char>(c)) || c == '.' || c == '_' || c == '-' || c == '@' ? c : '_';
  constexpr std::size_t longest = 80;
  name.resize(std::min(name.size(), longest));
  for (int number = 1;; ++number) {
    const fs::path file = directory / (name + (number > 1 ? "-" + std::to_string(number) : "") + ".png");
    if (!fs::exists(file)) return file;
  }
}

fs::path picture_file(const PlotOptions& options, const fs::path& directory, const std::string& what) {
  if (!options.output_file) return new_name(directory, what);
  const fs::path file = *options.output_file;
  format_of(file);
  if (fs::exists(file) && !options.overwrite)
    throw InputError("error: '" + file.string() + "' exists; choose another name, or add --overwrite");
  if (!file.parent_path().empty() && !fs::is_directory(file.parent_path()))
    throw InputError("error: -o: there is no directory '" + file.parent_path().string() + "'");
  return file;
}

int list_columns(const PlottedRun& run) {
  std::string text;
  for (const CsvTable::Column& column : run.history().columns())
    text += column.name + (column.unit.empty() ? "" : " [" + column.unit + "]") + "\n";
  return write_to_standard_output(text);
}

/// Results without a history.
bool is_of_rotor(const PlotOptions& options) { return options.campbell || options.response; }

/// One picture shows one thing.
void check_choice(const PlotOptions& options, const Words& words) {
  const int n = !words.columns.empty() + !options.orbits.empty() + options.energy + options.campbell + options.response;
  if (n > 1)
    throw InputError("error: choose one for each picture: columns, --orbit, --energy, --campbell or --response");
  if (n == 0)
    throw InputError("error: which columns? 'freeplay plot " + words.directories[0] +
                     " --list' lists them; or give --orbit, --energy, --campbell or --response");
  if (options.events && (options.x || !options.orbits.empty() || is_of_rotor(options)))
    throw InputError("error: --events needs time as the x axis");
  if (options.x && words.columns.empty()) throw InputError("error: --x is for plots of columns");
  if (is_of_rotor(options) && words.directories.size() > 1)
    throw InputError(std::string("error: ") + (options.campbell ? "--campbell" : "--response") +
                     " takes one directory");
}

PlotRequest request_of(const PlotOptions& options, const Words& words) {
  PlotRequest request;
  if (!is_of_rotor(options))
    for (const std::string& directory : words.directories) request.runs.emplace_back(directory);
  request.columns = words.columns;
  request.x = options.x;
  if (options.from) request.from = parse_place("--from", *options.from);
  if (options.to) request.to = parse_place("--to", *options.to);
  request.title = options.title;
  request.events = options.events;
  request.resolution = parse_size(options.size).width;
  return request;
}

}  // namespace

int plot_command(const PlotOptions& options) {
  const Words words = sorted(options.words);
  if (options.list) return list_columns(PlottedRun(words.directories[0]));
  check_choice(options, words);
  const PlotRequest request = request_of(options, words);
  const PictureSize size = parse_size(options.size);
  const std::string what = options.energy            ? "energy"
                           : options.campbell        ? "campbell"
                           : options.response        ? "response"
                           : !options.orbits.empty() ? "orbit-" + joined(options.orbits, "-")
                                                     : joined(words.columns, "-");
  const fs::path directory = is_of_rotor(options) ? fs::path(words.directories[0]) : request.runs[0].directory();
  const fs::path file = picture_file(options, directory, what);
  std::vector<std::string> warnings;
  const Figure figure = options.energy            ? energy_figure(request)
                        : options.campbell        ? campbell_figure(directory, options.title)
                        : options.response        ? response_figure(directory, options.title)
                        : !options.orbits.empty() ? orbit_figure(request, options.orbits)
                                                  : column_figure(request, warnings);
  for (const std::string& warning : warnings) std::fprintf(stderr, "%s\n", warning.c_str());
  replace_file(file, draw_with_gnuplot(figure_script(figure, format_of(file), size)));
  return write_to_standard_output(file.string() + "\n");
}

}  // namespace freeplay
