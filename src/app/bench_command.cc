#include <algorithm>
#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>

#include "freeplay/app/bench_runs.h"
#include "freeplay/app/commands.h"
#include "freeplay/app/streams.h"
#include "freeplay/base/diagnostics.h"
#include "freeplay/base/exit_code.h"
#include "freeplay/base/names.h"

namespace freeplay {

namespace {

namespace fs = std::filesystem;

/// Where the benchmarks are: what the user says, else here, else beside the program (in its build folder or installed).
fs::path benchmarks_directory(const std::optional<std::string>& requested) {
  if (requested) {
    if (benchmark_names(*requested).empty())
      throw InputError("error: --directory " + *requested + ": no folder in it has a bench.yaml or accuracy.yaml");
    return *requested;
  }
  std::error_code ignored;
  const fs::path program = fs::read_symlink("/proc/self/exe", ignored).parent_path();
  for (const fs::path& place :
       {fs::path("benchmarks"), program / "../benchmarks", program / "../share/freeplay/benchmarks"})
    if (!benchmark_names(place).empty()) return place.lexically_normal();
  throw InputError("error: there is no folder 'benchmarks' here; say where it is with --directory DIR");
}

std::vector<std::string> chosen_names(const fs::path& directory, const std::vector<std::string>& wanted) {
  const std::vector<std::string> known = benchmark_names(directory);
  for (const std::string& name : wanted)
    if (std::find(known.begin(), known.end(), name) == known.end())
      throw InputError("error: there is no benchmark '" + name + "' in " + directory.string() +
                       did_you_mean(name, known) + " (" + joined(known) + ")");
  return wanted.empty() ? known : wanted;
}

/// Reads and checks a benchmark, so that it can be done.
std::function<BenchReport(const BenchResults&)> read(const fs::path& directory, const std::string& name) {
  if (is_accuracy_set(directory, name))
    return [set = read_accuracy_set(directory, name)](const BenchResults& results) {
      return do_accuracy_set(set, results);
    };
  return [benchmark = read_benchmark(directory, name)](const BenchResults& results) {
    return do_benchmark(benchmark, results);
  };
}

}  // namespace

int bench_command(const BenchOptions& options) {
  const fs::path directory = benchmarks_directory(options.directory);
  std::vector<std::function<BenchReport(const BenchResults&)>> benchmarks;
  for (const std::string& name : chosen_names(directory, options.names)) benchmarks.push_back(read(directory, name));

  const BenchResults results(options.output_directory);
  nlohmann::ordered_json json = nlohmann::ordered_json::array();
  int code = exit_ok;
  for (const auto& benchmark : benchmarks) {
    const BenchReport report = benchmark(results);
    json.push_back(nlohmann::ordered_json::parse(report.json));
    if (!options.json) write_to_standard_output(report.text);
    if (report.exit_code == exit_interrupted) return exit_interrupted;
    if (code == exit_ok || code == exit_differs) code = report.exit_code == exit_ok ? code : report.exit_code;
  }
  if (options.json) write_to_standard_output(json.dump(2) + "\n");
  return code;
}

}  // namespace freeplay
