#include "freeplay/results/closing_table.h"

#include <algorithm>
#include <cmath>

#include "freeplay/base/formatted.h"
#include "freeplay/base/names.h"

namespace freeplay {

namespace {

std::string line(const char* label, const std::string& text) { return formatted("  %-16s %s\n", label, text.c_str()); }

/// `error of motion (61 %), approaching contact (30 %)`: what made most of the steps as long as they were.
std::string rulers(const RunStatistics& statistics) {
  struct Ruler {
    long n;
    const char* name;
  };
  std::vector<Ruler> list = {{statistics.ruled_by_motion, "error of motion"},
                             {statistics.ruled_by_friction, "error of friction"},
                             {statistics.ruled_by_contact, "approaching contact"},
                             {statistics.ruled_by_target, "output and corners"},
                             {statistics.ruled_by_user, "max-step"}};
  std::ranges::stable_sort(list, std::ranges::greater(), &Ruler::n);
  const double all = static_cast<double>(std::max(1L, statistics.steps));
  constexpr double worth_telling = 0.1;
  std::vector<std::string> texts;
  for (const Ruler& ruler : list)
    if (static_cast<double>(ruler.n) >= worth_telling * all)
      texts.push_back(formatted("%s (%.0f %%)", ruler.name, 100.0 * static_cast<double>(ruler.n) / all));
  return joined(texts);
}

std::string accuracy(const AnalysisSpec& analysis) {
  if (analysis.step) return formatted("fixed step %g s, errors are not controlled", *analysis.step);
  return formatted("tolerance %g: about that part of the distance that each body travels", analysis.tolerance);
}

double relative(double energy, const Ledger& ledger) {
  return ledger.largest_energy > 0.0 ? std::abs(energy) / ledger.largest_energy : 0.0;
}

std::string steps_table(const AnalysisSpec& analysis, const RunStatistics& statistics, const Ledger& ledger) {
  std::string table =
      line("steps", formatted("%ld (%ld rejected), dt %.3g ... %.3g s", statistics.steps, statistics.rejected(),
                              statistics.smallest_step, statistics.largest_step));
  if (!analysis.step) table += line("steps ruled by", rulers(statistics));
  table += line("accuracy", accuracy(analysis));
  table += line("energy balance", formatted("open by %.2g J (%.1g of the largest energy)", std::abs(ledger.residual),
                                            ledger.relative_residual()));
  return table + line("numerical loss", formatted("%.2g J (%.1g of the largest energy)", ledger.numerical_loss,
                                                  relative(ledger.numerical_loss, ledger)));
}

}  // namespace

std::string closing_table(const EngineJob& job, const RunOutcome& outcome, const RunStatistics& statistics,
                          const Ledger& ledger) {
  const AnalysisSpec& analysis = job.model.analysis;
  const bool is_static = analysis.kind == AnalysisSpec::Kind::static_equilibrium;
  std::string table = line("reached", formatted(is_static ? "load factor %.6g in %.2f s" : "t = %.6g s in %.2f s",
                                                outcome.reached, outcome.seconds));
  if (statistics.steps > 0) table += steps_table(analysis, statistics, ledger);
  if (outcome.n_warnings > 0) table += line("warnings", formatted("%d, see above or in run.log", outcome.n_warnings));
  return table + line("results", job.output_directory);
}

}  // namespace freeplay
