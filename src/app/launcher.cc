#include "freeplay/app/launcher.h"

#include <unistd.h>

#include <cstdlib>
#include <string>
#include <vector>

namespace freeplay {

namespace {

int number_in(const char* variable, int otherwise) {
  const char* text = std::getenv(variable);
  return text != nullptr && *text != '\0' ? std::atoi(text) : otherwise;
}

}  // namespace

LaunchedProcess launched_process() {
  struct Names {
    const char* rank;
    const char* size;
  };
  // SLURM_NTASKS alone says nothing: a batch script has it too.
  for (const Names& names : {Names{"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"}, Names{"PMI_RANK", "PMI_SIZE"},
                             Names{"PMIX_RANK", "SLURM_NTASKS"}})
    if (std::getenv(names.rank) != nullptr) return {number_in(names.rank, 0), number_in(names.size, 1)};
  return {};
}

void leave_launcher() {
  std::vector<std::string> names;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string text = *entry;
    for (const char* prefix : {"OMPI_", "PMIX_", "PMI_", "PRTE_", "SLURM_"})
      if (text.starts_with(prefix)) names.push_back(text.substr(0, text.find('=')));
  }
  for (const std::string& name : names) unsetenv(name.c_str());
}

}  // namespace freeplay
