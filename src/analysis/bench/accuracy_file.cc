#include <algorithm>
#include <cstdio>
#include <functional>

#include "freeplay/analysis/bench/accuracy.h"
#include "freeplay/deck/table.h"

namespace freeplay {

namespace {

namespace fs = std::filesystem;

void check_lengths(const KnownVector& known, const Given& given, Reader& reader) {
  if (!reader.failed(reader.path()) && known.columns.size() != known.reference.size())
    reader.error(given.place("reference"), "must have as many numbers as there are columns");
}

Format<KnownVector> known_vector() {
  Table<KnownVector> table("Known vector", "What the solution is at a time.");
  table.required("columns", &KnownVector::columns, list_of(text(), 1), "Columns of history.csv, without units.");
  table.required("at", &KnownVector::at, number("s"), "Time.");
  table.required("reference", &KnownVector::reference, list_of(number(""), 1), "Values of the columns, in SI units.");
  table.required(
      "size", &KnownVector::size, number("", above(0)),
      "What the error is relative to, in SI units: the distance travelled until then, or the largest force.");
  table.check(check_lengths);
  return nested(table);
}

Format<AccuracyProblem> accuracy_problem() {
  using Kind = AccuracyProblem::Kind;
  Table<AccuracyProblem> table("Problem", "A problem whose solution is known.");
  table.required("model", &AccuracyProblem::model, text(), "Model file, relative to this file.");
  table.optional("set", &AccuracyProblem::settings, list_of(text()), "Changes, as for `freeplay run --set`.");
  table.optional("kind", &AccuracyProblem::kind,
                 choice<Kind>({{"smooth", Kind::smooth}, {"contact", Kind::contact}, {"friction", Kind::friction}}),
                 "What rules its steps.");
  table.required("source", &AccuracyProblem::source, text(), "Where the reference values are from.");
  table.optional("quick", &AccuracyProblem::is_quick, boolean(), "It is also one of the tests of the project.");
  table.required("compare", &AccuracyProblem::compare, list_of(known_vector(), 1), "What is compared.");
  return nested(table);
}

Table<AccuracySet> accuracy_table_of_keys() {
  Table<AccuracySet> table("Accuracy set", "Problems that are run at several tolerances.");
  table.required("title", &AccuracySet::title, text(), "Title.");
  table.required("tolerances", &AccuracySet::tolerances, list_of(number("", above(0)), 2), "The tolerances.");
  table.required("problems", &AccuracySet::problems, named(accuracy_problem()), "Problems by name.");
  return table;
}

fs::path file_of(const fs::path& directory, const std::string& name) { return directory / name / "accuracy.yaml"; }

}  // namespace

bool is_accuracy_set(const fs::path& directory, const std::string& name) {
  return fs::is_regular_file(file_of(directory, name));
}

AccuracySet read_accuracy_set(const fs::path& directory, const std::string& name) {
  const std::string file = file_of(directory, name).string();
  Diagnostics diagnostics;
  AccuracySet set;
  try {
    const YamlNode root = parse_yaml(read_text_file(file), file);
    Reader reader(diagnostics);
    accuracy_table_of_keys().read(root, {file, 1, 1}, reader, set);
    for (AccuracyProblem& problem : set.problems) {
      problem.model = (directory / name / problem.model).lexically_normal().string();
      if (!diagnostics.has_errors() && !fs::is_regular_file(problem.model))
        reader.error(problem.where, "there is no model file " + problem.model);
    }
  } catch (const SyntaxError& error) {
    diagnostics.error(error.where(), "", error.what());
  }
  diagnostics.throw_if_errors();
  set.name = name;
  std::sort(set.tolerances.begin(), set.tolerances.end(), std::greater<>());
  return set;
}

RunRequest AccuracyProblem::run(double tolerance) const {
  char text[32];
  std::snprintf(text, sizeof text, "%.3g", tolerance);
  RunRequest run;
  run.name = name + "/" + text;
  run.model = model;
  run.settings = settings;
  run.settings.push_back(std::string("analysis.dynamic.tolerance=") + text);
  run.where = where;
  return run;
}

}  // namespace freeplay
