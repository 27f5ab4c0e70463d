#pragma once

#include "freeplay/results/plot/figure.h"
#include "freeplay/results/plot/plotted_run.h"

namespace freeplay {

/// What is asked for. Times are those of the first column of the history: of statics, load factors.
struct PlotRequest {
  std::vector<PlottedRun> runs;
  std::vector<std::string> columns;  ///< names or patterns with `*`
  std::optional<std::string> x;      ///< a column; absent: the first
  std::optional<double> from, to;
  std::optional<std::string> title;  ///< absent: that of the model, if there is one run
  bool events = false;               ///< add a panel with marks
  std::size_t resolution = 1200;     ///< places on the x axis that can be told apart; more rows are not drawn

  bool is_asked(double time) const { return !(from && time < *from) && !(to && time > *to); }
};

// Each throws InputError that names what the results do not have, and what they have. `warnings` are lines for the
// user.

/// Columns over time or over another column: one axis per unit, panels if there are more than two.
Figure column_figure(const PlotRequest& request, std::vector<std::string>& warnings);
/// Paths of journals in their clearances.
Figure orbit_figure(const PlotRequest& request, const std::vector<std::string>& joints);
/// What is stored and lost, stacked up to what was put in, and what the ledger leaves open.
Figure energy_figure(const PlotRequest& request);
/// Natural frequencies over the speed of a rotor, from campbell.csv in this directory.
Figure campbell_figure(const std::filesystem::path& directory, const std::optional<std::string>& title);
/// Amplitudes of places and forces over speed or frequency, from response.csv in this directory.
Figure response_figure(const std::filesystem::path& directory, const std::optional<std::string>& title);

}  // namespace freeplay
