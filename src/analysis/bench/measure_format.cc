#include "freeplay/analysis/bench/measure.h"
#include "freeplay/deck/alternative.h"

namespace freeplay {

Format<Quantity> any_quantity() {
  const auto read = [](const YamlNode& node, const Location& where, Reader& reader) {
    return reader.quantity(node, where);
  };
  const auto write = [](const Quantity& value) {
    return YamlNode::scalar(quantity_text(value.value, base_unit_text(value.dimension)));
  };
  return {{.kind = Shape::Kind::number, .phrase = "number with any unit"}, read, write};
}

namespace {

void check_signal(const Measure& measure, const Given& given, Reader& reader) {
  const int n = !measure.column.empty() + !measure.norm.empty() + !measure.sum.empty();
  if (n != 1 && !reader.failed(reader.path()))
    reader.error(given.place(), "needs exactly one of 'column', 'norm' and 'sum'");
}

Table<Measure> signal_table(const std::string& title, const std::string& description) {
  Table<Measure> table(title, description);
  table.optional("column", &Measure::column, text(), "Column of history.csv, without its unit.");
  table.optional("norm", &Measure::norm, list_of(text(), 1), "Columns: the root of the sum of their squares.");
  table.optional("sum", &Measure::sum, list_of(text(), 1), "Columns: their sum.");
  table.check(check_signal);
  return table;
}

void add_interval(Table<Measure>& table) {
  table.optional("from", &Measure::from, number("s"), "Beginning of the interval; if absent: of the run.");
  table.optional("to", &Measure::to, number("s"), "End of the interval; if absent: of the run.");
}

Table<Measure> interval_table(const std::string& title, const std::string& description) {
  Table<Measure> table = signal_table(title, description);
  add_interval(table);
  return table;
}

/// What events.csv can have: a kind that nothing ever writes would be counted as 0.
Format<std::string> event_kind() {
  std::vector<std::pair<std::string, std::string>> kinds;
  for (const char* kind : {"touch", "impact", "loss", "stick", "slip", "limit", "limit point", "bifurcation"})
    kinds.emplace_back(kind, kind);
  return choice<std::string>(kinds);
}

Table<Measure> event_table(const std::string& description) {
  Table<Measure> table("Event", description);
  table.optional("kind", &Measure::event, event_kind(), "Kind of the event, such as `touch`; if absent: any.");
  table.optional("joint", &Measure::joint, text(), "Joint; if absent: any.");
  add_interval(table);
  return table;
}

}  // namespace

Format<Measure> measure_format() {
  using Kind = Measure::Kind;
  Table<Measure> value = signal_table("Value", "A signal at a time.");
  value.optional("at", &Measure::at, number("s"),
                 "Time; between rows of the history the signal is taken as linear. If absent: the end of the run.");
  Table<Measure> crossing = interval_table("Crossing", "The time at which a signal first crosses a level.");
  crossing.required("level", &Measure::level, any_quantity(), "The level.");
  const auto numbered_event = [](const std::string& description) {
    Table<Measure> table = event_table(description);
    table.optional("number", &Measure::number, integer(at_least(1)), "First, second, ... in the interval.");
    return table;
  };
  const Table<Measure> events = event_table("How many events there are.");
  Table<Measure> summary("Summary", "A number of summary.json.");
  summary.required("key", &Measure::key, text(), "Its path, such as `ledger.relative_residual`.");
  Table<Measure> mode("Mode", "A natural angular frequency, of a run with `modes`.");
  mode.required("number", &Measure::number, integer(at_least(1)), "Number of the mode.");
  Table<Measure> critical("Critical speed", "A critical speed of a rotor, of a run with `campbell`.");
  critical.optional("number", &Measure::number, integer(at_least(1)), "First, second, ... of the range.");
  const Table<Measure> limit("Limit of stability",
                             "The lowest speed at which a rotor is unstable, of a run with `campbell`.");
  return one_of<Measure>(
      {alternative("value", value, &Measure::kind, Kind::value),
       alternative("maximum", interval_table("Maximum", "The largest value."), &Measure::kind, Kind::maximum),
       alternative("minimum", interval_table("Minimum", "The smallest value."), &Measure::kind, Kind::minimum),
       alternative("mean", interval_table("Mean", "The mean over time."), &Measure::kind, Kind::mean),
       alternative("time-of-maximum", interval_table("Time of the maximum", "When the value is largest."),
                   &Measure::kind, Kind::time_of_maximum),
       alternative("range", interval_table("Range", "Largest minus smallest value."), &Measure::kind, Kind::range),
       alternative("crossing", crossing, &Measure::kind, Kind::crossing),
       alternative("event", numbered_event("Time of an event."), &Measure::kind, Kind::event_time),
       alternative("event-value", numbered_event("Value of an event."), &Measure::kind, Kind::event_value),
       alternative("events", events, &Measure::kind, Kind::events),
       alternative("summary", summary, &Measure::kind, Kind::summary),
       alternative("mode", mode, &Measure::kind, Kind::mode),
       alternative("critical-speed", critical, &Measure::kind, Kind::critical_speed),
       alternative("stability-limit", limit, &Measure::kind, Kind::stability_limit)});
}

}  // namespace freeplay
