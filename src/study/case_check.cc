#include "freeplay/study/case_check.h"

#include <algorithm>

#include "freeplay/assembly/assembly.h"
#include "freeplay/assembly/history_names.h"
#include "freeplay/base/diagnostics.h"
#include "freeplay/base/names.h"
#include "freeplay/input/node.h"
#include "freeplay/model/model_file.h"

namespace freeplay {

namespace {

/// So that a mistake in the model does not fill the screen once for every case.
constexpr int most_cases_reported = 3;

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
void for_each_case(const std::vector<StudyCase>& cases, const Action& action) {
  Diagnostics diagnostics;
  for (std::size_t i = 0; i < cases.size() && diagnostics.n_errors() < most_cases_reported; ++i) {
    try {
      action(i);
    } catch (const InputError& error) {
      diagnostics.error(cases[i].run.where, "vary",
                        "the model of case '" + cases[i].run.name + "' is not valid:" + indented(error.what()));
    }
  }
  diagnostics.throw_if_errors();
}

std::vector<Override> overrides_of(const StudyCase& study_case) {
  std::vector<Override> overrides;
  for (const std::string& setting : study_case.run.settings) {
    const std::size_t equals = setting.find('=');
    overrides.push_back({setting.substr(0, equals), setting.substr(equals + 1)});
  }
  return overrides;
}

void check_settings(const Study& study) {
  for (const std::string& setting : study.settings)
    if (setting.find('=') == std::string::npos || setting.front() == '=')
      throw InputError(study.file + ": error: set: '" + setting +
                       "' is not PATH=VALUE, such as \"parameters.L=50 cm\"");
}

/// `--set` would make a parameter that is missing; the model would then say that it is never used.
void check_parameters(const Study& study, const std::string& model_text) {
  const std::string prefix = "parameters.";
  std::vector<std::string> names;
  const YamlNode root = parse_yaml(model_text, study.model);
  if (const YamlNode::Entry* entry = root.find("parameters"))
    for (const YamlNode::Entry& each : entry->value.entries) names.push_back(each.key);
  Diagnostics diagnostics;
  for (const StudyAxis& axis : study.axes)
    for (const VariedPath& varied : axis.paths) {
      if (!varied.path.starts_with(prefix)) continue;
      const std::string name = varied.path.substr(prefix.size());
      if (std::find(names.begin(), names.end(), name) != names.end()) continue;
      diagnostics.error(varied.where, "vary",
                        "the model file " + study.model + " has no parameter '" + name + "'" +
                            did_you_mean(name, names) +
                            (names.empty() ? " (it has no parameters)" : " (parameters: " + joined(names) + ")"));
    }
  diagnostics.throw_if_errors();
}

std::vector<std::string> columns_of(const Measure& measure) {
  if (!measure.norm.empty()) return measure.norm;
  if (!measure.sum.empty()) return measure.sum;
  return measure.column.empty() ? std::vector<std::string>{} : std::vector<std::string>{measure.column};
}

/// The columns that the case will write.
std::vector<std::string> written_columns(const Assembled& assembled, const ModelSpec& model) {
  const auto columns = history_columns(assembled.model, assembled.beams, model.analysis.kind);
  Diagnostics ignored;
  std::vector<std::string> names;
  if (!model.output.columns) {
    for (const HistoryColumn& column : columns) names.push_back(column.name);
  } else {
    for (const std::size_t i : select_columns(columns, *model.output.columns, ignored))
      names.push_back(columns[i].name);
  }
  return names;
}

void check_results(const Study& study, const std::vector<std::string>& columns, const std::string& case_name) {
  Diagnostics diagnostics;
  for (const StudyResult& result : study.results)
    for (const std::string& name : columns_of(result.measure)) {
      if (std::find(columns.begin(), columns.end(), name) != columns.end()) continue;
      diagnostics.error(
          result.where, "results." + result.name,
          "the history of case '" + case_name + "' has no column '" + name + "'" + did_you_mean(name, columns));
    }
  diagnostics.throw_if_errors();
}

}  // namespace

std::vector<ModelSpec> read_case_models(const Study& study, const std::vector<StudyCase>& cases) {
  check_settings(study);
  std::string text;
  try {
    text = read_text_file(study.model);
    check_parameters(study, text);
  } catch (const SyntaxError& error) {
    Diagnostics diagnostics;
    diagnostics.error(error.where(), "", error.what());
    diagnostics.throw_if_errors();
  }
  std::vector<ModelSpec> models(cases.size());
  for_each_case(cases, [&](std::size_t i) { models[i] = read_model_text(text, study.model, overrides_of(cases[i])); });
  return models;
}

void check_case_models(const Study& study, const std::vector<StudyCase>& cases, const std::vector<ModelSpec>& models) {
  std::vector<std::vector<std::string>> columns(cases.size());
  for_each_case(cases, [&](std::size_t i) { columns[i] = written_columns(assemble(models[i]), models[i]); });
  for (std::size_t i = 0; i < cases.size(); ++i) check_results(study, columns[i], cases[i].run.name);
}

}  // namespace freeplay
