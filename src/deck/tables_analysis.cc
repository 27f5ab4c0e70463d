#include "freeplay/base/time_resolution.h"
#include "freeplay/base/units.h"
#include "tables.h"

namespace freeplay {

namespace {

using Analysis = AnalysisSpec;

Table<Analysis> newton_table(double Analysis::*tolerance) {
  Table<Analysis> table("Newton iteration", "When the equations of a step count as solved.");
  table.optional("tolerance", tolerance, number("", above(0)), "Relative size of the residual.");
  table.optional("iterations", &Analysis::newton_iterations, integer(at_least(1)), "At most so many iterations.");
  return table;
}

Table<StictionSpec> stiction_table() {
  using Redundancy = StictionSpec::Redundancy;
  Table<StictionSpec> table(
      "Stiction",
      "Friction forces in a closed loop of rigid bodies that is stuck are not unique. This says which are taken; the "
      "run "
      "names the joints concerned, and `freeplay stiction` says within which limits the forces are.");
  table.optional("redundancy", &StictionSpec::redundancy,
                 choice<Redundancy>({{"minimum-norm", Redundancy::minimum_norm},
                                     {"eliminate", Redundancy::eliminate},
                                     {"gauss", Redundancy::gauss}}),
                 "`minimum-norm`: of all forces that hold the loop, those whose sum of squares is least. `eliminate`: "
                 "an equation of a named joint is left out while it is redundant. `gauss`: least constraint, the loop "
                 "stays at rest as long as any forces within the limits of friction hold it.");
  table
      .optional("eliminate", &StictionSpec::eliminate, list_of(text(), 1),
                "Joints of which an equation may be left out.")
      .place(&StictionSpec::eliminate_where)
      .written_if([](const StictionSpec& stiction) { return !stiction.eliminate.empty(); });
  table.check([](const StictionSpec& stiction, const Given& given, Reader& reader) {
    const bool eliminates = stiction.redundancy == Redundancy::eliminate;
    if (eliminates && !given.has("eliminate"))
      reader.error(given.place(), "'redundancy: eliminate' needs 'eliminate', a list of joints");
    if (!eliminates && given.has("eliminate")) {
      const Reader::Scope scope(reader, "eliminate");
      reader.error(given.place("eliminate"), "is for 'redundancy: eliminate' only; add that, or remove this");
    }
  });
  return table;
}

bool is_error_controlled(const Analysis& analysis) { return !analysis.step.has_value(); }

/// Steps that sums of times cannot tell from none.
void check_resolution(const Analysis& analysis, const Given& given, Reader& reader) {
  if (!given.has("end")) return;
  const double resolution = time_resolution(analysis.end);
  const auto check = [&](const char* key, const std::optional<double>& step) {
    if (!step || *step >= resolution) return;
    const Reader::Scope scope(reader, key);
    reader.error(given.place(key), "is below the resolution of time, " + rounded_text(resolution) +
                                       " s in an analysis of this length; look at the units");
  };
  check("step", analysis.step);
  check("min-step", analysis.min_step);
  check("initial-step", analysis.initial_step);
  check("max-step", analysis.max_step);
}

void check_steps(const Analysis& analysis, const Given& given, Reader& reader) {
  if (given.has("step")) {
    for (const char* key : {"tolerance", "max-step", "min-step", "initial-step"}) {
      if (!given.has(key)) continue;
      const Reader::Scope scope(reader, key);
      reader.error(given.place(key), "is for error-controlled steps and excludes 'step'; remove one of the two");
    }
  }
  if (analysis.min_step && analysis.max_step && *analysis.min_step > *analysis.max_step) {
    const Reader::Scope scope(reader, "min-step");
    reader.error(given.place("min-step"), "must not be greater than 'max-step'");
  }
}

Table<Analysis> dynamic_table() {
  Table<Analysis> table("Dynamic analysis", "Integrates the equations of motion from t = 0.");
  table.required("end", &Analysis::end, number("s", above(0)), "Time at which the analysis ends.");
  table.optional("step", &Analysis::step, number("s", above(0)),
                 "Fixed step; if absent: the step follows `tolerance`.");
  table
      .optional("tolerance", &Analysis::tolerance, number("", above(0)),
                "Relative error of the distance that each body travels, also in contact and with friction: one number "
                "refines "
                "everything. See `freeplay verify`.")
      .written_if(is_error_controlled);
  table.optional("max-step", &Analysis::max_step, number("s", above(0)), "Largest step.");
  table.optional(
      "min-step", &Analysis::min_step, number("s", above(0)),
      "Smallest step: the run fails if a smaller one is needed. If absent: a millionth of the first step, or of "
      "1/1000 of the analysis.");
  table.optional("initial-step", &Analysis::initial_step, number("s", above(0)), "First step.");
  table.optional("alpha", &Analysis::alpha, number("", between(0, 1)),
                 "Numerical damping: 1 annihilates the highest frequencies, 0 conserves energy.");
  table.optional("max-steps", &Analysis::max_steps, long_integer(at_least(1)), "The run fails beyond so many steps.");
  table.optional("stiction", &Analysis::stiction, nested(stiction_table()), "True stick (friction law `coulomb`).");
  table.group("newton", newton_table(&Analysis::newton_tolerance), "Solution of each step.");
  table.optional("solver", &Analysis::solver,
                 choice<std::string>({{"automatic", "automatic"},
                                      {"klu", "klu"},
                                      {"umfpack", "umfpack"},
                                      {"superlu", "superlu"},
                                      {"mumps", "mumps"}}),
                 "What factorises the Jacobian of a step. `automatic`: dense fronts along beams, KLU for what they "
                 "leave, MUMPS where that is large or several processes share it; the others take the whole matrix, "
                 "on one process.");
  table.check(check_steps);
  table.check(check_resolution);
  return table;
}

Table<Analysis> static_table() {
  using Path = Analysis::Path;
  Table<Analysis> table("Static analysis",
                        "Follows the equilibrium while forces, torques, gravity and drives (all as at t = 0) grow "
                        "together with a load factor from 0 to 1.");
  table.optional("path", &Analysis::path,
                 choice<Path>({{"automatic", Path::automatic},
                               {"load", Path::load},
                               {"arc-length", Path::arc_length},
                               {"descent", Path::descent}}),
                 "How the full loads are reached. `load`: the load factor grows from step to step. `arc-length`: the "
                 "length of the path does, so that limit points are passed. `descent`: no path, goes downhill to a "
                 "stable position under the full loads. `automatic`: `load` if the structure is stiff without loads, "
                 "`descent` if something moves freely.");
  table.optional("load-steps", &Analysis::load_steps, integer(at_least(1)),
                 "Number of equal steps of the load factor; more are made where these are too long (`arc-length`: size "
                 "of the first). If absent: automatic, at least 10.");
  table.optional("max-steps", &Analysis::max_load_steps, integer(at_least(1)), "The run fails beyond so many steps.");
  table.group("newton", newton_table(&Analysis::equilibrium_tolerance), "Solution of each step.");
  return table;
}

Table<Analysis> kinematic_table() {
  Table<Analysis> table("Kinematic analysis", "Follows the drives of a mechanism that has no freedom of its own.");
  table.required("end", &Analysis::end, number("s", above(0)), "Time at which the analysis ends.");
  table.optional("step", &Analysis::step, number("s", above(0)), "Step; if absent: the interval of the output.");
  table.check(check_resolution);
  return table;
}

/// Keeps the place, because only the assembled model knows which columns there are (assembly/history_names.h).
Format<ColumnPattern> column_pattern() {
  const auto read = [](const YamlNode& node, const Location&, Reader& reader) -> std::optional<ColumnPattern> {
    if (node.kind == YamlNode::Kind::scalar && !node.text.empty()) return ColumnPattern{node.text, node.where};
    reader.error(node.where, "must be the name of a column such as 'crank.position.x', with * for any characters");
    return std::nullopt;
  };
  return {{.kind = Shape::Kind::text, .phrase = "name of a column, `*` for any characters"},
          read,
          [](const ColumnPattern& pattern) { return YamlNode::scalar(pattern.text); }};
}

}  // namespace

Format<AnalysisSpec> analysis() {
  using Kind = Analysis::Kind;
  return one_of<Analysis>({alternative("dynamic", dynamic_table(), &Analysis::kind, Kind::dynamic),
                           alternative("static", static_table(), &Analysis::kind, Kind::static_equilibrium),
                           alternative("kinematic", kinematic_table(), &Analysis::kind, Kind::kinematic)});
}

Table<MeasureSpec> measure_table() {
  Table<MeasureSpec> table("Measure",
                           "Columns NAME.position, .velocity and .angular_velocity of a place, as seen by "
                           "somebody who moves with another place, in its axes.");
  table.required("of", &MeasureSpec::of, frame_reference(), "The place.");
  table.required("in", &MeasureSpec::in, frame_reference(), "Where it is seen from.");
  return table;
}

Table<OutputSpec> output_table() {
  Table<OutputSpec> paraview("ParaView output", "Files for ParaView.");
  paraview.required("every", &OutputSpec::paraview_every, number("s", above(0)),
                    "Interval of the pictures. A static analysis draws every row instead.");
  Table<OutputSpec> animation("Animation", "The moving picture of `freeplay report`.");
  animation.required(
      "frames", &OutputSpec::animation_frames, integer(at_least(0)),
      "About so many frames, equally far apart; 0: no animation. A static analysis has a frame per row.");
  Table<OutputSpec> table("Output", "What is written and how often.");
  table.optional("every", &OutputSpec::every, number("s", above(0)),
                 "Interval of history.csv; if absent: 1/500 of the analysis.");
  table.optional(
      "columns", &OutputSpec::columns, list_of(column_pattern(), 1),
      "Columns of history.csv and history.nc, by name without unit: `[\"crank.*\", \"*.force.x\"]`. The time "
      "is always there. If absent: all.");
  table.optional("measure", &OutputSpec::measures, named(nested(measure_table())),
                 "Relative motions, such as `measure: {tip: {of: arm.end, in: hub}}` for columns `tip.position.x` ...");
  table.group("paraview", paraview, "Write files for ParaView.");
  table.group("animation", animation,
              "Frames for `freeplay report`; if absent: 600, and fewer for models with thousands of moving parts.");
  table.optional("checkpoint-every", &OutputSpec::checkpoint_every, number("s", above(0)),
                 "Wall time between checkpoints.");
  return table;
}

}  // namespace freeplay
