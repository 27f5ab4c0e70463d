#include <signal.h>
#include <unistd.h>

#include <chrono>
#include <cmath>
#include <deque>
#include <fstream>
#include <list>
#include <nlohmann/json.hpp>
#include <thread>

#include "freeplay/analysis/study/case_check.h"
#include "freeplay/analysis/study/study_table.h"
#include "freeplay/app/child_process.h"
#include "freeplay/app/commands.h"
#include "freeplay/app/launcher.h"
#include "freeplay/app/quiet_run.h"
#include "freeplay/app/results_directory.h"
#include "freeplay/app/streams.h"
#include "freeplay/app/study_progress.h"
#include "freeplay/base/diagnostics.h"
#include "freeplay/base/exit_code.h"
#include "freeplay/base/names.h"
#include "freeplay/base/output_file.h"

namespace freeplay {

namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds poll_interval{10};

volatile sig_atomic_t interrupted = 0;

/// The first Ctrl-C ends the study in good order, the second at once.
void catch_interrupts() {
  struct sigaction action {};
  action.sa_handler = [](int) { interrupted = 1; };
  action.sa_flags = SA_RESETHAND;
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

std::string text_of_file(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

/// What a run that failed has to say.
std::string message_of(const fs::path& results, const std::string& printed, int exit_code) {
  const nlohmann::json summary = nlohmann::json::parse(text_of_file(results / "summary.json"), nullptr, false);
  if (summary.is_object() && summary.contains("message") && summary["message"].is_string()) return summary["message"];
  const std::string line = printed.substr(0, printed.find('\n'));
  if (!line.empty()) return line;
  return exit_code > 128 ? "ended by signal " + std::to_string(exit_code - 128) : "failed without a message";
}

std::string command_to_continue(const Study& study, const fs::path& directory) {
  return "freeplay study " + study.file + " -o " + directory.string() + " --continue";
}

/// Runs the cases that are still to be done, several at a time.
class StudyRun {
 public:
  StudyRun(const Study& study, const std::vector<StudyCase>& cases, const fs::path& directory, int n_processes)
      : cases_(cases), directory_(directory), n_processes_(n_processes), table_(study, cases, directory) {}

  /// The exit code of the last case that can be done again with success (one that was killed, or met a full disk).
  int operator()(std::deque<std::size_t> todo, bool quiet) {
    StudyProgress progress(static_cast<int>(todo.size()), quiet);
    bool is_asked_to_end = false;
    table_.update();
    while (!running_.empty() || (!todo.empty() && !interrupted)) {
      while (!todo.empty() && !interrupted && static_cast<int>(running_.size()) < n_processes_) {
        start(todo.front());
        todo.pop_front();
      }
      if (interrupted && !is_asked_to_end) {
        for (Running& each : running_) each.process.interrupt();
        is_asked_to_end = true;
      }
      if (collect(progress)) table_.update();
      progress.running(static_cast<int>(running_.size()));
      std::this_thread::sleep_for(poll_interval);
    }
    return code_;
  }

 private:
  struct Running {
    std::size_t number;
    Clock::time_point start;
    BackgroundProcess process;
  };

  void start(std::size_t number) {
    const RunRequest& run = cases_[number].run;
    const fs::path results = directory_ / run.name;
    fs::remove_all(results);  // half a run, of a study that was killed
    running_.push_back({number, Clock::now(), BackgroundProcess([run, results] {
                          leave_launcher();
                          return run_quietly(run, results.string());
                        })});
  }

  /// True if a case has ended.
  bool collect(StudyProgress& progress) {
    bool any = false;
    for (auto each = running_.begin(); each != running_.end();) {
      const std::optional<int> code = each->process.poll();
      if (code) {
        note_end(*each, *code, progress);
        each = running_.erase(each);
        any = true;
      } else {
        ++each;
      }
    }
    return any;
  }

  void note_end(const Running& ended, int code, StudyProgress& progress) {
    const std::string& name = cases_[ended.number].run.name;
    CaseOutcome outcome;
    outcome.exit_code = code;
    outcome.seconds = std::chrono::duration<double>(Clock::now() - ended.start).count();
    if (code != exit_ok) outcome.message = message_of(directory_ / name, ended.process.output(), code);
    if (interrupted && code != exit_ok) return;  // it did not fail: it was not allowed to finish
    write_outcome(directory_ / name, outcome);
    if (!read_outcome(directory_ / name)) code_ = code;
    const std::string how = code == exit_ok
                                ? "finished in " + rounded_text(std::round(100.0 * outcome.seconds) / 100.0) + " s"
                                : "failed with code " + std::to_string(code) + ": " + outcome.message;
    progress.ended(name, how, code != exit_ok);
  }

  const std::vector<StudyCase>& cases_;
  fs::path directory_;
  int n_processes_;
  StudyTable table_;
  int code_ = exit_ok;
  std::list<Running> running_;
};

/// Whether the results of this case are there. A case of another model under the same name is the user's to decide on.
bool is_done(const fs::path& results, const ModelSpec& model) {
  if (!read_outcome(results)) return false;
  const std::string resolved = text_of_file(results / "resolved.yaml");
  if (!resolved.empty() && resolved != model.resolved)
    throw InputError("error: " + results.string() +
                     " has results of another model: the model file or the study has changed since. Choose a new "
                     "directory with -o, or remove this one");
  return !resolved.empty();
}

/// Only the first process makes the directory; the others wait for it.
std::optional<ResultsDirectory> open_directory(const StudyOptions& options, const Study& study, int rank) {
  if (rank > 0) {
    while (!fs::exists(fs::path(*options.output_directory) / "study.yaml")) std::this_thread::sleep_for(poll_interval);
    return std::nullopt;
  }
  ResultsDirectory directory = options.resume ? ResultsDirectory::reopen(*options.output_directory)
                               : options.output_directory
                                   ? ResultsDirectory::create(*options.output_directory)
                                   : ResultsDirectory::create_for(fs::path(options.study_file).stem().string());
  replace_file(directory.path() / "study.yaml", study.text);
  return directory;
}

struct CaseCount {
  int done = 0, failed = 0;
};

CaseCount count_cases(const std::vector<StudyCase>& cases, const fs::path& directory) {
  CaseCount count;
  for (const StudyCase& each : cases) {
    const auto outcome = read_outcome(directory / each.run.name);
    count.done += outcome.has_value();
    count.failed += outcome && outcome->exit_code != exit_ok;
  }
  return count;
}

std::string closing_json(const Study& study, const std::vector<StudyCase>& cases, const fs::path& directory) {
  const CaseCount count = count_cases(cases, directory);
  const nlohmann::ordered_json json{{"title", study.title},
                                    {"results", directory.string()},
                                    {"cases", cases.size()},
                                    {"done", count.done},
                                    {"failed", count.failed}};
  return json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

std::string closing_text(const Study& study, const std::vector<StudyCase>& cases, const fs::path& directory) {
  const auto [n_done, n_failed] = count_cases(cases, directory);
  const int n = static_cast<int>(cases.size());
  std::string text = n_done == n ? "finished\n" : interrupted ? "interrupted\n" : "not finished\n";
  text += "  cases            " + std::to_string(n_done) + " of " + std::to_string(n) + " done, " +
          std::to_string(n_failed) + " of them failed\n";
  text += "  results          " + (directory / "study.csv").string() + "\n";
  if (n_done < n) text += "  to go on         " + command_to_continue(study, directory) + "\n";
  return text;
}

int list_cases(const std::vector<StudyCase>& cases) {
  std::string text;
  for (const StudyCase& each : cases) {
    text += each.run.name + "\n";
    for (const std::string& setting : each.run.settings)
      text += "  --set \"" + setting.substr(0, setting.find_last_not_of('\n') + 1) + "\"\n";
  }
  return write_to_standard_output(text + std::to_string(cases.size()) + " cases\n");
}

int number_of_processes(const StudyOptions& options, int launched) {
  if (options.n_processes > 0) return options.n_processes;
  return launched > 1 ? 1 : std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

int do_study(const StudyOptions& options, const LaunchedProcess& self) {
  if (self.size > 1 && !options.output_directory)
    throw InputError("error: under mpirun the directory of the results must be given: -o DIR");
  Diagnostics diagnostics;
  const Study study = read_study(options.study_file, diagnostics);
  check_with_model(study, diagnostics);
  diagnostics.throw_if_errors();
  const std::vector<StudyCase> cases = study_cases(study);
  const std::vector<ModelSpec> models = read_case_models(study, cases);
  if (self.rank == 0) {
    // In a child, because beams load their meshes: what forks must stay light.
    const int code = run_in_child([&] {
      check_case_models(study, cases, models);
      return static_cast<int>(exit_ok);
    });
    if (code != exit_ok) return code;
  }
  if (options.list) return self.rank == 0 ? list_cases(cases) : static_cast<int>(exit_ok);

  const std::optional<ResultsDirectory> held = open_directory(options, study, self.rank);
  const fs::path directory = held ? held->path() : fs::path(*options.output_directory);
  std::deque<std::size_t> todo;
  for (std::size_t i = 0; i < cases.size(); ++i)
    if (static_cast<int>(i % self.size) == self.rank && !is_done(directory / cases[i].run.name, models[i]))
      todo.push_back(i);
  catch_interrupts();
  StudyRun run(study, cases, directory, number_of_processes(options, self.size));
  int code = run(std::move(todo), options.quiet);
  if (options.json && self.rank == 0) write_to_standard_output(closing_json(study, cases, directory));
  if (!options.quiet && !options.json && self.size == 1)
    write_to_standard_output(closing_text(study, cases, directory));
  if (options.report && self.rank == 0)
    code = exit_code_with_report(code, directory.string(), options.quiet || options.json);
  if (interrupted) return exit_interrupted;
  return self.size == 1 ? code : static_cast<int>(exit_ok);  // mpirun would end the other processes
}

}  // namespace

int study_command(const StudyOptions& options) {
  if (options.report) check_report_is_possible();
  const LaunchedProcess self = launched_process();
  if (self.rank == 0) return do_study(options, self);
  try {
    return do_study(options, self);
  } catch (const InputError&) {
    return exit_input_error;  // the first process says it
  }
}

}  // namespace freeplay
