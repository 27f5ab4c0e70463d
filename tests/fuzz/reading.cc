#include <filesystem>
#include <fstream>

#include "base/file_testing.h"
#include "freeplay/analysis/bench/accuracy.h"
#include "freeplay/analysis/bench/benchmark.h"
#include "freeplay/analysis/study/case_check.h"
#include "freeplay/analysis/study/study.h"
#include "freeplay/app/model_summary.h"
#include "freeplay/assembly/assembly.h"
#include "freeplay/base/diagnostics.h"
#include "freeplay/deck/model_file.h"
#include "fuzz/entry.h"
#include "fuzz/size_limit.h"

namespace freeplay::fuzz {

namespace {

bool has_main_key(const std::string& text, const std::string& key) {
  return text.starts_with(key + ":") || text.find("\n" + key + ":") != std::string::npos;
}

/// Studies and the like are read from files. One folder for all, because making one takes longer than reading.
std::filesystem::path written(const std::string& text, const std::string& name) {
  static const TemporaryDirectory folder;
  const std::filesystem::path file = folder / name;
  write_file(file, text);
  return file;
}

void read_study_file(const std::string& text) { study_cases(read_study(written(text, "study.yaml").string())); }

void read_bench_file(const std::string& text, const std::string& name) {
  const std::filesystem::path folder = written(text, name).parent_path();
  if (name == "bench.yaml")
    read_benchmark(folder.parent_path(), folder.filename());
  else
    read_accuracy_set(folder.parent_path(), folder.filename());
}

}  // namespace

Outcome read(const std::string& text) {
  try {
    if (has_main_key(text, "vary"))
      read_study_file(text);
    else if (has_main_key(text, "problems"))
      read_bench_file(text, "accuracy.yaml");
    else if (has_main_key(text, "quantities"))
      read_bench_file(text, "bench.yaml");
    else
      read_model_text(text, "model.yaml");
  } catch (const InputError&) {
    return Outcome::refused;
  }
  return Outcome::done;
}

Outcome check(const std::string& text) {
  try {
    const ModelSpec spec = read_model_text(text, "model.yaml");
    if (is_large(spec)) return Outcome::skipped;
    model_summary(spec, assemble(spec));
  } catch (const InputError&) {
    return Outcome::refused;
  }
  return Outcome::done;
}

}  // namespace freeplay::fuzz
