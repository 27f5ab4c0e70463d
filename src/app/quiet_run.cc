#include "freeplay/app/quiet_run.h"

#include "freeplay/app/commands.h"

namespace freeplay {

int run_quietly(const RunRequest& run, const std::string& results) {
  if (run.n_modes > 0) {
    ModesOptions options;
    options.model_file = run.model;
    options.settings = run.settings;
    options.n_modes = run.n_modes;
    options.output_directory = results;
    options.quiet = true;
    return modes_command(options);
  }
  if (run.campbell || run.response) {
    RotorOptions options;
    options.model_file = run.model;
    options.settings = run.settings;
    options.speed = run.campbell ? run.campbell : run.response;
    options.n_points = run.n_points;
    options.output_directory = results;
    options.quiet = true;
    return run.campbell ? campbell_command(options) : response_command(options);
  }
  RunOptions options;
  options.model_file = run.model;
  options.settings = run.settings;
  options.end = run.end;
  options.output_directory = results;
  options.quiet = true;
  return run_command(options);
}

}  // namespace freeplay
