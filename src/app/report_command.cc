#include <cstdio>
#include <filesystem>

#include "freeplay/app/commands.h"
#include "freeplay/app/streams.h"
#include "freeplay/app/version.h"
#include "freeplay/base/diagnostics.h"
#include "freeplay/base/exit_code.h"
#include "freeplay/results/report/report.h"

namespace freeplay {

namespace {

namespace fs = std::filesystem;

/// The page without data: beside the program in its build folder, or installed.
fs::path template_file(const std::optional<std::string>& requested) {
  std::error_code ignored;
  if (requested) return *requested;
  const fs::path program = fs::read_symlink("/proc/self/exe", ignored).parent_path();
  for (const fs::path& place : {program / "report.html", program / "../share/freeplay/report.html"})
    if (fs::is_regular_file(place, ignored)) return place.lexically_normal();
  throw InputError("error: the page of the report is missing: there is neither " + (program / "report.html").string() +
                   " nor " + (program / "../share/freeplay/report.html").lexically_normal().string() +
                   "; build the program anew, or say where it is with `freeplay report --template FILE`");
}

}  // namespace

void check_report_is_possible() { template_file(std::nullopt); }

std::string make_report(const std::string& directory, const ReportOptions& options, bool is_writing_them) {
  kind_of_results(directory);  // complains first: a page that is missing is another matter
  const ReportMaker maker{std::string("freeplay ") + version, is_writing_them};
  std::optional<fs::path> file;
  if (options.file) file = *options.file;
  return write_report(directory, file, template_file(options.page_template), maker).string();
}

int report_command(const ReportOptions& options) {
  try {
    const std::string file = make_report(options.directory, options, false);
    return options.quiet ? static_cast<int>(exit_ok) : write_to_standard_output("  report           " + file + "\n");
  } catch (const InputError&) {
    throw;
  } catch (const std::runtime_error& error) {
    std::fprintf(stderr, "freeplay: error: %s\n", error.what());
    return exit_output_error;
  }
}

int exit_code_with_report(int code, const std::string& directory, bool quiet) {
  ReportOptions options;
  options.directory = directory;
  try {
    const std::string file = make_report(directory, options, true);
    if (!quiet) write_to_standard_output("  report           " + file + "\n");
    return code;
  } catch (const std::runtime_error& error) {
    std::fprintf(stderr, "freeplay: the report cannot be made: %s\n", error.what());
    return code == exit_ok ? static_cast<int>(exit_output_error) : code;
  }
}

}  // namespace freeplay
