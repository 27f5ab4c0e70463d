#pragma once

// The columns of the history by name and unit. Their values, in the same order, are made by output/history_columns.h;
// the names alone are known to `freeplay check`, which tells when the model file asks for columns that there are not.

#include <span>
#include <string>
#include <vector>

#include "freeplay/base/diagnostics.h"
#include "freeplay/beam/beam.h"
#include "freeplay/model/model.h"
#include "freeplay/model/spec.h"

namespace freeplay {

/// A column of history.csv and history.nc.
struct HistoryColumn {
  std::string name;  ///< `bob.position.x`
  std::string unit;  ///< `m`; empty or `1` if the quantity has none
};

/// Joint coordinates that are worth a column: those the joint leaves free or drives.
bool has_angle(const Joint& joint);
bool has_displacement(const Joint& joint);
bool has_length(const Joint& joint);

/// Only dynamic analyses have work and losses.
bool has_ledger(AnalysisSpec::Kind analysis);

/// All columns, the time as the first.
std::vector<HistoryColumn> history_columns(const Model& model, std::span<const Beam> beams,
                                           AnalysisSpec::Kind analysis);

/// Numbers of the columns that fit a pattern, ascending, and always the time. A pattern that nothing fits is an error.
std::vector<std::size_t> select_columns(std::span<const HistoryColumn> columns, std::span<const ColumnPattern> patterns,
                                        Diagnostics& diagnostics);

/// `*` stands for any characters, also none.
bool fits(std::string_view name, std::string_view pattern);

}  // namespace freeplay
