#include "freeplay/analysis/study/case_check.h"

#include <algorithm>
#include <filesystem>

#include "freeplay/assembly/assembly.h"
#include "freeplay/assembly/columns.h"
#include "freeplay/assembly/summary_names.h"
#include "freeplay/base/diagnostics.h"
#include "freeplay/base/names.h"
#include "freeplay/deck/model_file.h"
#include "freeplay/deck/node.h"

namespace freeplay {

namespace {

/// So that a mistake in the model does not fill the screen once for every case.
constexpr int most_cases_reported = 3;

const std::string parameter_prefix = "parameters.";

std::string indented(const std::string& text) {
  std::string result = "\n    ";
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\n' && i + 1 == text.size()) break;
    result += text[i];
    if (text[i] == '\n') result += "    ";
  }
  return result;
}

/// Does something with every case; what it throws becomes a message of the study.
template <class Action>
void for_each_case(const std::vector<StudyCase>& cases, Diagnostics& diagnostics, const Action& action) {
  for (std::size_t i = 0; i < cases.size() && diagnostics.n_errors() < most_cases_reported; ++i) {
    try {
      action(i);
    } catch (const InputError& error) {
      diagnostics.error(cases[i].run.where, "vary",
                        "the model of case '" + cases[i].run.name + "' is not valid:" + indented(error.what()));
    }
  }
}

bool is_setting(const std::string& text) { return text.find('=') != std::string::npos && text.front() != '='; }

Override override_of(const std::string& setting) {
  const std::size_t equals = setting.find('=');
  return {setting.substr(0, equals), setting.substr(equals + 1)};
}

std::vector<Override> overrides_of(const StudyCase& study_case) {
  std::vector<Override> overrides;
  for (const std::string& setting : study_case.run.settings) overrides.push_back(override_of(setting));
  return overrides;
}

void check_settings(const Study& study, Diagnostics& diagnostics) {
  for (const std::string& setting : study.settings)
    if (!is_setting(setting))
      diagnostics.error({study.file, 0, 0}, "set",
                        "'" + setting + "' is not PATH=VALUE, such as \"parameters.L=50 cm\"");
}

std::vector<std::string> parameters_of(const YamlNode& root) {
  std::vector<std::string> names;
  if (const YamlNode::Entry* entry = root.find("parameters"))
    for (const YamlNode::Entry& each : entry->value.entries) names.push_back(each.key);
  return names;
}

/// `--set` would make a parameter that is missing.
bool is_missing(const std::string& path, const std::vector<std::string>& parameters) {
  return path.starts_with(parameter_prefix) &&
         std::find(parameters.begin(), parameters.end(), path.substr(parameter_prefix.size())) == parameters.end();
}

void check_parameters(const Study& study, const std::vector<std::string>& parameters, Diagnostics& diagnostics) {
  for (const StudyAxis& axis : study.axes)
    for (const VariedPath& varied : axis.paths) {
      if (!is_missing(varied.path, parameters)) continue;
      const std::string name = varied.path.substr(parameter_prefix.size());
      diagnostics.error(
          varied.where, "vary",
          "the model file " + study.model + " has no parameter '" + name + "'" + did_you_mean(name, parameters) +
              (parameters.empty() ? " (it has no parameters)" : " (parameters: " + joined(parameters) + ")"));
    }
}

/// Those of the first case, without what cannot be right.
std::vector<Override> first_overrides(const Study& study, const std::vector<std::string>& parameters) {
  std::vector<Override> overrides;
  for (const std::string& setting : study.settings)
    if (is_setting(setting)) overrides.push_back(override_of(setting));
  for (const StudyAxis& axis : study.axes)
    for (const VariedPath& varied : axis.paths)
      if (!varied.values.empty() && !is_missing(varied.path, parameters))
        overrides.push_back({varied.path, varied.values.front()});
  return overrides;
}

std::vector<std::string> columns_of(const Measure& measure) {
  if (!measure.norm.empty()) return measure.norm;
  if (!measure.sum.empty()) return measure.sum;
  return measure.column.empty() ? std::vector<std::string>{} : std::vector<std::string>{measure.column};
}

/// What results can be taken from in a case.
struct CaseOutput {
  std::vector<HistoryColumn> columns;
  std::vector<std::string> joints;   ///< those that may have events
  std::vector<std::string> summary;  ///< numbers of summary.json
};

CaseOutput output_of(const ModelSpec& model) {
  const Assembled assembled = assemble(model);
  const auto columns = history_columns(assembled, model.analysis.kind);
  CaseOutput output;
  if (model.output.columns) {
    Diagnostics ignored;
    for (const std::size_t i : select_columns(columns, *model.output.columns, ignored))
      output.columns.push_back(columns[i]);
  } else {
    output.columns = columns;
  }
  output.summary = summary_numbers(assembled.model, model.analysis.kind);
  for (const Joint& joint : assembled.model.joints) output.joints.push_back(joint.name);
  for (const auto& element : assembled.model.elements)
    if (element->is_contact()) output.joints.push_back(element->name());
  return output;
}

/// Finds what the results of a study need in the output of a case.
class ResultCheck {
 public:
  ResultCheck(const CaseOutput& output, std::string case_name, Diagnostics& diagnostics)
      : output_(output), case_(std::move(case_name)), diagnostics_(diagnostics) {
    for (const HistoryColumn& column : output.columns) names_.push_back(column.name);
  }

  void operator()(const StudyResult& result) const {
    const std::string& joint = result.measure.joint;
    if (!joint.empty() && std::find(output_.joints.begin(), output_.joints.end(), joint) == output_.joints.end())
      error(result, case_ + " has no joint '" + joint + "'" + did_you_mean(joint, output_.joints));
    const std::string& key = result.measure.key;
    if (!key.empty() && std::find(output_.summary.begin(), output_.summary.end(), key) == output_.summary.end())
      error(result, "summary.json of " + case_ + " has no number '" + key + "'" + did_you_mean(key, output_.summary));
    std::vector<const HistoryColumn*> columns;
    for (const std::string& name : columns_of(result.measure)) {
      const auto found = std::find(names_.begin(), names_.end(), name);
      if (found == names_.end())
        error(result, "the history of " + case_ + " has no column '" + name + "'" + did_you_mean(name, names_));
      else
        columns.push_back(&output_.columns[static_cast<std::size_t>(found - names_.begin())]);
    }
    check_dimensions(result, columns);
  }

 private:
  void check_dimensions(const StudyResult& result, const std::vector<const HistoryColumn*>& columns) const {
    if (columns.empty()) return;
    const HistoryColumn& first = *columns.front();
    for (const HistoryColumn* each : columns)
      if (each->unit != first.unit)
        error(result, "the columns '" + first.name + "' and '" + each->name + "' have different units");
    const Dimension dimension = parse_unit(first.unit == "1" ? "" : first.unit).dimension;
    const Dimension& level = result.measure.level.dimension;
    if (result.measure.kind == Measure::Kind::crossing && !(level == dimension))
      error(result, "the level is " + describe(level) + ", the column '" + first.name + "' " + describe(dimension));
  }

  void error(const StudyResult& result, const std::string& message) const {
    diagnostics_.error(result.where, "results." + result.name, message);
  }

  const CaseOutput& output_;
  std::string case_;
  Diagnostics& diagnostics_;
  std::vector<std::string> names_;
};

void check_results(const Study& study, const CaseOutput& output, const std::string& case_name,
                   Diagnostics& diagnostics) {
  const ResultCheck check(output, case_name, diagnostics);
  for (const StudyResult& result : study.results) check(result);
}

/// For a study that is not right: what else is wrong, as far as its first case can be made.
void check_first_results(const Study& study, const std::string& text, const std::vector<Override>& overrides,
                         Diagnostics& diagnostics) {
  try {
    check_results(study, output_of(read_model_text(text, study.model, overrides)), "the first case", diagnostics);
  } catch (const InputError&) {
    // The study must be put right before the model can be looked at.
  }
}

}  // namespace

void check_with_model(const Study& study, Diagnostics& diagnostics) {
  check_settings(study, diagnostics);
  if (!std::filesystem::is_regular_file(study.model)) return;  // that has been said
  try {
    const std::string text = read_text_file(study.model);
    const std::vector<std::string> parameters = parameters_of(parse_yaml(text, study.model));
    check_parameters(study, parameters, diagnostics);
    if (diagnostics.has_errors()) check_first_results(study, text, first_overrides(study, parameters), diagnostics);
  } catch (const SyntaxError& error) {
    diagnostics.error(error.where(), "", error.what());
  }
}

std::vector<ModelSpec> read_case_models(const Study& study, const std::vector<StudyCase>& cases) {
  const std::string text = read_text_file(study.model);
  std::vector<ModelSpec> models(cases.size());
  Diagnostics diagnostics;
  for_each_case(cases, diagnostics,
                [&](std::size_t i) { models[i] = read_model_text(text, study.model, overrides_of(cases[i])); });
  if (diagnostics.has_errors()) check_first_results(study, text, overrides_of(cases.front()), diagnostics);
  diagnostics.throw_if_errors();
  return models;
}

void check_case_models(const Study& study, const std::vector<StudyCase>& cases, const std::vector<ModelSpec>& models) {
  std::vector<CaseOutput> outputs(cases.size());
  Diagnostics of_models;
  for_each_case(cases, of_models, [&](std::size_t i) { outputs[i] = output_of(models[i]); });
  of_models.throw_if_errors();
  for (std::size_t i = 0; i < cases.size(); ++i) {
    Diagnostics diagnostics;
    check_results(study, outputs[i], "case '" + cases[i].run.name + "'", diagnostics);
    diagnostics.throw_if_errors();
  }
}

}  // namespace freeplay
