#pragma once

#include "freeplay/results/plot/figures.h"

namespace freeplay {

/// Rows that are asked for: one vector per column.
using Series = std::vector<std::vector<double>>;

/// Columns of a history by number, of rows whose first column is in the range asked for.
Series read_series(const PlotRequest& request, const PlottedRun& run, const std::vector<std::size_t>& columns);

/// Number of a column with exactly this name.
std::optional<std::size_t> find_column(const PlottedRun& run, const std::string& name);

/// Numbers of the columns that fit a name or pattern; none if there are none.
std::vector<std::size_t> matching_columns(const CsvTable& table, const std::string& pattern);

/// That nothing fits, and what would.
std::string no_such_column(const CsvTable& table, const std::string& pattern);

std::vector<double> values_at(const std::vector<double>& values, const std::vector<std::size_t>& rows);

/// Rows of a curve that is no function of x: none that would be drawn on the place of the one before.
std::vector<std::size_t> distant_rows(const std::vector<double>& x, const std::vector<double>& y,
                                      std::size_t resolution);

/// From the least to the largest number of all curves.
std::optional<std::pair<double, double>> x_range_of(const std::vector<Panel>& panels);

/// `interrupted at t = 0.5 s`, with names if there are several runs.
std::string troubles_of(const PlotRequest& request);

/// A panel with a row of marks for each joint to which something happens within `range`.
Panel event_panel(const PlotRequest& request, std::pair<double, double> range);

/// Title and remark that all figures of runs have.
Figure titled_figure(const PlotRequest& request);

/// The x axis of histories.
Axis first_axis(const PlotRequest& request);

}  // namespace freeplay
