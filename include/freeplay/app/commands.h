#pragma once

#include <optional>
#include <string>
#include <vector>

#include "freeplay/deck/model_file.h"
#include "freeplay/deck/spec.h"

namespace freeplay {

/// What the user typed after `freeplay run`.
struct RunOptions {
  std::string model_file;
  std::optional<std::string> output_directory;  ///< absent: a new one below results/
  std::vector<std::string> settings;            ///< `path=value`
  std::optional<std::string> end;               ///< a time with or without a unit; absent: as in the file
  std::string petsc_options;
  bool resume = false;
  bool report = false;  ///< make report.html
  bool json = false;
  bool quiet = false;
};

/// What the user typed after `freeplay check`.
struct CheckOptions {
  std::string model_file;
  std::vector<std::string> settings;
  bool json = false;
};

/// What the user typed after `freeplay modes`.
struct ModesOptions {
  std::string model_file;
  std::optional<std::string> output_directory;  ///< absent: a new one below results/
  std::vector<std::string> settings;            ///< `path=value`
  int n_modes = 10;
  bool at_rest = false;
  std::optional<std::string> speed;  ///< an angular velocity with or without a unit
  std::optional<std::string> axis;   ///< `x`, `-y`, or three numbers
  std::string petsc_options;
  bool json = false;
  bool paraview = false;
  bool report = false;  ///< make report.html
  bool quiet = false;
};

/// What the user typed after `freeplay campbell` or `freeplay response`.
struct RotorOptions {
  std::string model_file;
  std::optional<std::string> output_directory;  ///< absent: a new one below results/
  std::vector<std::string> settings;            ///< `path=value`
  std::optional<std::string> speed;             ///< `0 rpm .. 6000 rpm`, or one
  std::optional<std::string> frequency;         ///< `0 Hz .. 200 Hz`, or one
  std::optional<std::string> load;
  std::string joint;
  std::vector<std::string> unbalances;  ///< `disk: 10 g*mm at 30 deg`
  std::vector<std::string> places;
  std::optional<int> n_points;
  int n_modes = 8;
  std::string petsc_options;
  bool json = false;
  bool report = false;  ///< make report.html
  bool quiet = false;
};

/// What the user typed after `freeplay stiction`.
struct StictionOptions {
  std::string model_file;
  std::optional<std::string> output_directory;  ///< absent: a new one below results/
  std::vector<std::string> settings;            ///< `path=value`
  std::optional<std::string> time;              ///< with or without a unit
  std::vector<std::string> scaled;              ///< loads
  double search = 1.0;                          ///< how many times the usual
  bool rigid = false;
  bool json = false;
  bool report = false;  ///< make report.html
  bool quiet = false;
};

/// What the user typed after `freeplay verify`.
struct VerifyOptions {
  std::string model_file;
  std::vector<std::string> settings;            ///< `path=value`
  std::optional<std::string> output_directory;  ///< absent: results are not kept
};

/// What the user typed after `freeplay bench`.
struct BenchOptions {
  std::vector<std::string> names;               ///< empty: all
  std::optional<std::string> directory;         ///< absent: looked for
  std::optional<std::string> output_directory;  ///< absent: results are not kept
  bool json = false;
};

/// What the user typed after `freeplay study`.
struct StudyOptions {
  std::string study_file;
  std::optional<std::string> output_directory;  ///< absent: a new one below results/
  int n_processes = 0;                          ///< at a time; 0: as many as the machine has cores
  bool resume = false;
  bool list = false;
  bool report = false;  ///< make report.html
  bool json = false;
  bool quiet = false;
};

/// What the user typed after `freeplay report`.
struct ReportOptions {
  std::string directory;
  std::optional<std::string> file;           ///< absent: report.html in the directory
  std::optional<std::string> page_template;  ///< absent: the one of the program
  bool quiet = false;
};

/// What the user typed after `freeplay examples`.
struct ExamplesOptions {
  std::string directory = "freeplay_examples";
  bool list = false;
  bool where = false;
};

/// What the user typed after `freeplay plot`.
struct PlotOptions {
  std::vector<std::string> words;          ///< directories and columns
  std::vector<std::string> orbits;         ///< joints
  std::optional<std::string> output_file;  ///< absent: a new one in the first directory
  std::optional<std::string> x, from, to, title, size;
  bool energy = false, campbell = false, response = false, events = false;
  bool list = false;
  bool overwrite = false;
};

// Each command returns an exit code and throws InputError for what the user has to correct.
int run_command(const RunOptions& options);
int modes_command(const ModesOptions& options);
int campbell_command(const RotorOptions& options);
int response_command(const RotorOptions& options);
int stiction_command(const StictionOptions& options);
int check_command(const CheckOptions& options);
int bench_command(const BenchOptions& options);
int verify_command(const VerifyOptions& options);
int study_command(const StudyOptions& options);
int report_command(const ReportOptions& options);
int examples_command(const ExamplesOptions& options);
int plot_command(const PlotOptions& options);
int schema_command();
int reference_command();

/// Settings of the command line. Throws InputError.
std::vector<Override> parse_settings(const std::vector<std::string>& settings);
/// Prints warnings of the reader: modes, rotors and certificates have none of their own.
void print_warnings(const ModelSpec& model, bool quiet);
/// Throws InputError if there is no page to put reports into: said before a run, not after it.
void check_report_is_possible();
/// Makes the report of results that this process has just written, if they are worth one, and says where it is. Returns
/// the exit code of the command: that of the results, or one that tells that there is no report.
int exit_code_with_report(int code, const std::string& directory, bool quiet);

/// The model of a file with settings from the command line. Throws InputError.
ModelSpec read_model_with(const std::string& file, const std::vector<std::string>& settings);

}  // namespace freeplay
