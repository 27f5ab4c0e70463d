#pragma once

// A study is data: a model, what is varied in it, and the numbers wanted of every case. See doc/study.md.

#include <string>
#include <vector>

#include "freeplay/analysis/bench/measure.h"
#include "freeplay/analysis/bench/run_request.h"
#include "freeplay/base/diagnostics.h"
#include "freeplay/base/location.h"

namespace freeplay {

/// The values that one place of the model file takes.
struct VariedPath {
  std::string path;                 ///< as for `freeplay run --set`
  std::vector<std::string> values;  ///< as for `freeplay run --set`
  std::vector<std::string> shown;   ///< the same in one line, for people
  Location where;
};

/// Places of the model file that change together. The axes of a study are combined in every way.
struct StudyAxis {
  std::vector<VariedPath> paths;
  std::vector<std::string> labels;  ///< names of the values; may be empty
  Location where;

  std::size_t size() const { return paths.empty() ? 0 : paths.front().values.size(); }
};

/// A column of study.csv.
struct StudyResult {
  std::string name;
  Measure measure;
  Location where;
};

struct Study {
  std::string file;
  std::string text;  ///< of the file
  std::string title;
  std::string model;  ///< path of the model file
  Location model_where;
  std::vector<std::string> settings;  ///< `PATH=VALUE`, the same in all cases
  int n_modes = 0;                    ///< natural frequencies instead of the analysis in the file
  std::vector<StudyAxis> axes;
  std::vector<StudyResult> results;
};

/// Reads and checks a study file, without its model. What is wrong is left out.
Study read_study(const std::string& file, Diagnostics& diagnostics);

/// The same, but throws InputError with all messages.
Study read_study(const std::string& file);

struct StudyCase {
  RunRequest run;                  ///< its name is that of the directory of the results
  std::vector<std::string> cells;  ///< of the columns that varied_columns() names
};

/// Headers of the columns of study.csv that tell the cases apart. Numbers are in SI units.
std::vector<std::string> varied_columns(const Study& study);

/// All combinations; the last axis changes fastest.
std::vector<StudyCase> study_cases(const Study& study);

}  // namespace freeplay
