#include "freeplay/assembly/columns.h"

#include <algorithm>

#include "freeplay/assembly/joint_reaction.h"
#include "freeplay/base/names.h"

namespace freeplay {

namespace {

using Columns = std::vector<HistoryColumn>;

void add_vector(const std::string& name, const std::string& unit, Columns& columns) {
  for (const char* axis : {".x", ".y", ".z"}) columns.push_back({name + axis, unit});
}

ColumnGroup point_columns(const OutputPoint& point) {
  ColumnGroup group;
  add_vector(point.name + ".position", "m", group.columns);
  add_vector(point.name + ".velocity", "m/s", group.columns);
  add_vector(point.name + ".acceleration", "m/s^2", group.columns);
  if (point.turns) add_vector(point.name + ".angular_velocity", "rad/s", group.columns);
  if (point.has_axes)
    for (const char* axis : {".axis1", ".axis2", ".axis3"}) add_vector(point.name + axis, "", group.columns);
  group.evaluate = [&point](const Instant& instant, ColumnValues& values) {
    const Frame& frame = point.frame;
    const Mat3& R = instant.snapshot.state.pose[frame.node].R;
    const Vec6& nu = instant.snapshot.state.twist[frame.node];
    const Vec6& rate = instant.snapshot.twist_rate[frame.node];
    const Vec3 w = nu.tail<3>();
    const Vec3 v = nu.head<3>() + w.cross(frame.offset);
    values.put(place_of(frame, instant.snapshot.state).x);
    values.put(R * v);
    values.put(R * (rate.head<3>() + Vec3(rate.tail<3>()).cross(frame.offset) + w.cross(v)));
    if (point.turns) values.put(R * w);
    if (point.has_axes)
      for (int k = 0; k < 3; ++k) values.put(Vec3(R.col(k)));
  };
  return group;
}

struct FrameVelocity {
  Vec3 v = Vec3::Zero(), w = Vec3::Zero();  ///< inertial axes
};

FrameVelocity velocity_of(const Frame& frame, const Instant& instant) {
  if (frame.node == ground) return {};
  const Vec6 node = instant.now.velocity_of(frame.node);
  const Vec3 w = node.tail<3>();
  return {node.head<3>() + w.cross(place_of(frame, instant.snapshot.state).r), w};
}

/// One place as seen by somebody who moves with another.
ColumnGroup measure_columns(const RelativeMotion& measure) {
  ColumnGroup group;
  add_vector(measure.name + ".position", "m", group.columns);
  add_vector(measure.name + ".velocity", "m/s", group.columns);
  if (measure.turns) add_vector(measure.name + ".angular_velocity", "rad/s", group.columns);
  group.evaluate = [&measure](const Instant& instant, ColumnValues& values) {
    const FramePlace A = place_of(measure.in, instant.snapshot.state);
    const Vec3 u = place_of(measure.of, instant.snapshot.state).x - A.x;
    const FrameVelocity a = velocity_of(measure.in, instant), b = velocity_of(measure.of, instant);
    values.put(A.a.transpose() * u);
    values.put(A.a.transpose() * (b.v - a.v - a.w.cross(u)));
    if (measure.turns) values.put(A.a.transpose() * (b.w - a.w));
  };
  return group;
}

void add_section(const std::string& name, Columns& columns) {
  add_vector(name + ".section_force", "N", columns);
  add_vector(name + ".section_moment", "N*m", columns);
  add_vector(name + ".strain", "", columns);
  add_vector(name + ".curvature", "1/m", columns);
}

void put_section(const SectionState& section, ColumnValues& values) {
  values.put(Vec3(section.force.head<3>()));
  values.put(Vec3(section.force.tail<3>()));
  values.put(Vec3(section.strain.head<3>()));
  values.put(Vec3(section.strain.tail<3>()));
}

ColumnGroup section_columns(const BeamPlace& place, const Model& model) {
  ColumnGroup group;
  if (place.has_two_results()) {
    for (const char* side : {".before", ".after"}) add_section(place.name + side, group.columns);
    group.evaluate = [&](const Instant& instant, ColumnValues& values) {
      for (const ElementEnd& side : place.sides) put_section(section_at(side, model, instant.snapshot.state), values);
    };
  } else {
    add_section(place.name, group.columns);
    group.evaluate = [&](const Instant& instant, ColumnValues& values) {
      put_section(section_at(place, model, instant.snapshot.state), values);
    };
  }
  return group;
}

ColumnGroup reaction_columns(const ReportedJoint& joint, const Model& model) {
  ColumnGroup group;
  add_vector(joint.name + ".force", "N", group.columns);
  add_vector(joint.name + ".moment", "N*m", group.columns);
  group.evaluate = [joint, &model](const Instant& instant, ColumnValues& values) {
    const Snapshot& snapshot = instant.snapshot;
    const JointReaction r = reaction(model, joint, snapshot.state, instant.now, snapshot.multipliers);
    values.put(r.axes.transpose() * r.force);
    values.put(r.axes.transpose() * r.moment);
  };
  return group;
}

/// Coordinates of a joint that are worth a column, those that it leaves free or drives, and the forces of its drives.
ColumnGroup position_columns(const Joint& joint, const Model& model) {
  using Coordinate = std::function<double(const Instant&, const FramePlace& A, const FramePlace& B)>;
  ColumnGroup group;
  std::vector<Coordinate> coordinates;
  const auto add = [&](const std::string& name, const std::string& unit, const Coordinate& coordinate) {
    group.columns.push_back({joint.name + name, unit});
    coordinates.push_back(coordinate);
  };
  if (joint.angle >= 0)
    add(".angle", "rad", [&](const Instant& instant, const FramePlace&, const FramePlace&) {
      return internal_of(model, instant.snapshot.state, joint.angle)[0];
    });
  if (joint.slides)
    add(".displacement", "m",
        [](const Instant&, const FramePlace& A, const FramePlace& B) { return A.a.col(2).dot(B.x - A.x); });
  if (joint.has_length)
    add(".length", "m", [](const Instant&, const FramePlace& A, const FramePlace& B) { return (B.x - A.x).norm(); });
  if (joint.normal_equation >= 0)
    add(".normal_force", "N", [&](const Instant& instant, const FramePlace&, const FramePlace&) {
      return -instant.snapshot.multipliers[joint.first_equation + joint.normal_equation];
    });
  for (std::size_t k = 0; k < joint.equations.size(); ++k) {
    const Equation& equation = joint.equations[k];
    if (!equation.is_driven()) continue;
    const auto force = [k, &joint](const Instant& instant, const FramePlace&, const FramePlace&) {
      return -instant.snapshot.multipliers[joint.first_equation + k];
    };
    equation.is_length() ? add(".drive_force", "N", force) : add(".drive_moment", "N*m", force);
  }
  group.evaluate = [&joint, coordinates](const Instant& instant, ColumnValues& values) {
    const FramePlace A = place_of(joint.a, instant.snapshot.state), B = place_of(joint.b, instant.snapshot.state);
    for (const Coordinate& coordinate : coordinates) values.put(coordinate(instant, A, B));
  };
  return group;
}

/// What a coupling does to each of the two joints that it ties, along its coordinate, on the second body of the joint.
ColumnGroup coupling_columns(const Joint& joint) {
  ColumnGroup group;
  std::vector<double> factors;
  const Equation& equation = joint.equations.front();
  const std::array<const char*, 2> which{".first", ".second"};
  std::vector<const Equation::Part*> parts;
  for (int pair = 0; pair < 2; ++pair)
    parts.push_back(&*std::ranges::find(equation.parts(), pair, &Equation::Part::pair));
  for (int pair = 0; pair < 2; ++pair) {
    const bool is_angle = parts[pair]->coordinate->is_angle();
    group.columns.push_back({joint.name + which[pair] + (is_angle ? "_moment" : "_force"), is_angle ? "N*m" : "N"});
    factors.push_back(-parts[pair]->factor);
  }
  group.evaluate = [factors, &joint](const Instant& instant, ColumnValues& values) {
    for (const double factor : factors) values.put(factor * instant.snapshot.multipliers[joint.first_equation]);
  };
  return group;
}

/// A joint with one direction of slip has signs: force on, and velocity of, the second body along it.
ColumnGroup friction_columns(const Model& model, int k) {
  const JointFriction& friction = model.frictions[k];
  const Joint& joint = model.joints[friction.joint];
  ColumnGroup group;
  group.columns = {{joint.name + ".normal_force", "N"},   {joint.name + ".friction_force", "N"},
                   {joint.name + ".friction_ratio", "1"}, {joint.name + ".slip_velocity", "m/s"},
                   {joint.name + ".bristle", "m"},        {joint.name + ".state", "1"}};
  group.evaluate = [&friction, &joint, k](const Instant& instant, ColumnValues& values) {
    const auto numbers = numbers_of(friction, instant.snapshot.state);
    const std::span<const double> multipliers(instant.snapshot.multipliers);
    const double normal_force = friction.normal_force(multipliers.subspan(joint.first_equation));
    Vec3 force = Vec3::Zero();
    for (int c = 0; c < friction.n_slips(); ++c) force[c] = -multipliers[friction.first_multiplier + c];
    const Vec3 slip = instant.friction.slip_displacement(k, instant.now);
    const bool has_sign = friction.n_slips() == 1;
    values.put(normal_force);
    values.put(has_sign ? force[0] : force.norm());
    values.put(normal_force > 0.0 ? force.norm() / normal_force : 0.0);
    values.put(has_sign ? slip[0] : slip.norm());
    values.put(numbers.bristles().norm());
    values.put(FrictionRows::is_at_rest(friction, slip, numbers) ? 1.0 : 2.0);
  };
  return group;
}

ColumnGroup element_columns(const Model& model, std::size_t e) {
  const ForceElement& element = *model.elements[e];
  ColumnGroup group;
  for (const ForceElement::Quantity& quantity : element.quantities())
    group.columns.push_back({element.name() + "." + quantity.name, quantity.unit});
  group.evaluate = [&model, &element, e, count = group.columns.size()](const Instant& instant, ColumnValues& values) {
    element.evaluate(instant.now, internal_of(model, instant.snapshot.state, e), values.take(count));
  };
  return group;
}

ColumnGroup energy_columns(AnalysisSpec::Kind analysis) {
  struct Entry {
    const char* name;
    double Ledger::*value;
  };
  std::vector<Entry> entries{{"energy.kinetic", &Ledger::kinetic},
                             {"energy.elastic", &Ledger::elastic},
                             {"energy.gravity", &Ledger::gravity},
                             {"energy.contact", &Ledger::contact},
                             {"energy.friction_state", &Ledger::friction_state}};
  if (has_ledger(analysis))
    entries.insert(entries.end(), {{"work.loads", &Ledger::load_work},
                                   {"work.drives", &Ledger::drive_work},
                                   {"loss.friction", &Ledger::friction_loss},
                                   {"loss.contact", &Ledger::contact_loss},
                                   {"loss.damping", &Ledger::damping_loss},
                                   {"loss.numerical", &Ledger::numerical_loss},
                                   {"loss.projection", &Ledger::projection_loss},
                                   {"ledger.residual", &Ledger::residual}});
  ColumnGroup group;
  for (const Entry& entry : entries) group.columns.push_back({entry.name, "J"});
  group.evaluate = [entries](const Instant& instant, ColumnValues& values) {
    for (const Entry& entry : entries) values.put(instant.snapshot.ledger.*entry.value);
  };
  return group;
}

ColumnGroup time_column(AnalysisSpec::Kind analysis) {
  if (analysis == AnalysisSpec::Kind::static_equilibrium)
    return {{{"load_factor", "1"}},
            [](const Instant& instant, ColumnValues& values) { values.put(instant.snapshot.state.load_factor); }};
  return {{{"time", "s"}},
          [](const Instant& instant, ColumnValues& values) { values.put(instant.snapshot.state.time); }};
}

/// What to tell about a pattern that nothing fits: a name that differs by a typing error, if there is one.
std::string remedy(const ColumnPattern& pattern, std::span<const HistoryColumn> columns) {
  std::vector<std::string> names;
  for (const HistoryColumn& column : columns) names.push_back(column.name);
  const std::string suggestion = did_you_mean(pattern.text, names);
  if (!suggestion.empty()) return suggestion;
  return ": write NAME.QUANTITY.AXIS such as 'crank.position.x', with * for any characters; without 'columns' all are "
         "written and can be seen in history.csv";
}

}  // namespace

bool has_ledger(AnalysisSpec::Kind analysis) { return analysis == AnalysisSpec::Kind::dynamic; }

std::vector<ColumnGroup> column_groups(const Assembled& assembled, AnalysisSpec::Kind analysis) {
  const Model& model = assembled.model;
  std::vector<ColumnGroup> groups{time_column(analysis)};
  for (const OutputPoint& point : model.points) groups.push_back(point_columns(point));
  for (const RelativeMotion& measure : assembled.measures) groups.push_back(measure_columns(measure));
  for (const Beam& beam : assembled.beams)
    for (const BeamPlace& place : beam.places) groups.push_back(section_columns(place, model));
  for (const ReportedJoint& joint : reported_joints(model)) {
    groups.push_back(reaction_columns(joint, model));
    if (joint.joint >= 0) groups.push_back(position_columns(model.joints[joint.joint], model));
  }
  for (const Joint& joint : model.joints)
    if (joint.n_places() > 2) groups.push_back(coupling_columns(joint));
  for (std::size_t k = 0; k < model.frictions.size(); ++k)
    groups.push_back(friction_columns(model, static_cast<int>(k)));
  for (std::size_t e = 0; e < model.elements.size(); ++e) groups.push_back(element_columns(model, e));
  groups.push_back(energy_columns(analysis));
  return groups;
}

Columns history_columns(const Assembled& assembled, AnalysisSpec::Kind analysis) {
  Columns columns;
  for (const ColumnGroup& group : column_groups(assembled, analysis))
    columns.insert(columns.end(), group.columns.begin(), group.columns.end());
  return columns;
}

bool fits(std::string_view name, std::string_view pattern) {
  const std::size_t star = pattern.find('*');
  if (star == std::string_view::npos) return name == pattern;
  if (!name.starts_with(pattern.substr(0, star))) return false;
  // The shortest text that a star can stand for is enough to try, except for what follows the last star.
  name.remove_prefix(star);
  pattern.remove_prefix(star + 1);
  while (true) {
    const std::size_t next = pattern.find('*');
    const std::string_view piece = pattern.substr(0, next);
    if (next == std::string_view::npos) return name.ends_with(piece);
    const std::size_t found = name.find(piece);
    if (found == std::string_view::npos) return false;
    name.remove_prefix(found + piece.size());
    pattern.remove_prefix(next + 1);
  }
}

std::vector<std::size_t> select_columns(std::span<const HistoryColumn> columns, std::span<const ColumnPattern> patterns,
                                        Diagnostics& diagnostics) {
  std::vector<bool> chosen(columns.size(), false);
  chosen[0] = true;
  for (std::size_t p = 0; p < patterns.size(); ++p) {
    bool any = false;
    for (std::size_t k = 0; k < columns.size(); ++k) {
      if (!fits(columns[k].name, patterns[p].text)) continue;
      any = chosen[k] = true;
    }
    if (!any)
      diagnostics.error(patterns[p].where, "output.columns." + std::to_string(p),
                        "'" + patterns[p].text + "' fits no column" + remedy(patterns[p], columns));
  }
  std::vector<std::size_t> numbers;
  for (std::size_t k = 0; k < columns.size(); ++k)
    if (chosen[k]) numbers.push_back(k);
  return numbers;
}

}  // namespace freeplay
