#include <algorithm>
#include <map>
#include <set>

#include "freeplay/base/names.h"
#include "freeplay/deck/beam_axis.h"
#include "freeplay/deck/joint_type.h"
#include "tables.h"

namespace freeplay {

namespace {

/// Two places that something connects, as the checks see it.
struct Connection {
  std::string path;  ///< with the type: joints.pin.revolute
  const Location& where;
  const std::array<FrameRef, 2>& between;
};

/// ` (bodies: a, b)`
std::string known(const std::string& what, const std::vector<std::string>& names) {
  constexpr std::size_t most = 20;  // more would hide the message
  if (names.empty() || names.size() > most) return {};
  return " (" + what + ": " + joined(names) + ")";
}

/// Which names there are.
class Places {
 public:
  Places(const ModelSpec& model, const YamlNode& root, Reader& reader) : reader_(reader) {
    add("ground", model.ground_points, reader.failed("ground"));
    for (const RigidBodySpec& body : model.bodies) add(body.name, body.points, reader.failed("bodies." + body.name));
    for (const BeamSpec& beam : model.beams) {
      add(beam.name, {}, false);
      points_[beam.name].is_beam = true;
    }
    // A body that could not be read still has its name.
    const YamlNode::Entry* bodies = root.find("bodies");
    if (bodies == nullptr) return;
    for (const YamlNode::Entry& entry : bodies->value.entries) {
      if (!points_.contains(entry.key)) add(entry.key, {}, true);
    }
  }

  /// Reports a body or a point that does not exist.
  void check(const FrameRef& reference) {
    if (reference.body.empty()) return;
    const auto body = points_.find(reference.body);
    if (body == points_.end()) {
      reader_.error(reference.where, "there is no body '" + reference.body + "'" +
                                         did_you_mean(reference.body, bodies_) + known("bodies", bodies_));
      return;
    }
    if (body->second.is_beam) {
      check_on_beam(reference);
    } else if (!body->second.incomplete) {
      check_on_rigid_body(reference, body->second);
    }
  }

  bool is_known(const std::string& name) const { return points_.contains(name); }

  bool is_beam(const std::string& name) const {
    const auto body = points_.find(name);
    return body != points_.end() && body->second.is_beam;
  }

  /// The axis of one of the points, or a point of which nothing is known because of another error.
  bool may_have_axis(const std::array<FrameRef, 2>& between) const {
    return std::any_of(between.begin(), between.end(), [&](const FrameRef& reference) {
      const auto body = points_.find(reference.body);
      if (body == points_.end() || body->second.incomplete) return true;
      const PointSpec* point = find(reference);
      return point != nullptr && point->axis.has_value();
    });
  }

 private:
  struct Body {
    std::vector<PointSpec> points;
    bool incomplete = false;
    bool is_beam = false;
  };

  void add(const std::string& name, const std::vector<PointSpec>& points, bool incomplete) {
    points_[name] = {points, incomplete};
    bodies_.push_back(name);
  }

  void check_on_beam(const FrameRef& reference) {
    if (place_along_beam(reference)) return;
    const std::string& name = reference.body;
    const std::string problem = reference.point.empty() ? "is a beam, name a place on it"
                                                        : "is a beam and has no point '" + reference.point + "'" +
                                                              did_you_mean(reference.point, {"start", "end"});
    reader_.error(reference.where, "'" + name + "' " + problem + " (its places: " + name + ".start, " + name +
                                       ".end, and " + name + "@s with s from 0 to 1)");
  }

  void check_on_rigid_body(const FrameRef& reference, const Body& body) {
    std::vector<std::string> names;
    for (const PointSpec& point : body.points) names.push_back(point.name);
    if (reference.s) {
      reader_.error(reference.where, "'" + reference.body + "' is not a beam: only beams have places with @" +
                                         known("its points", names));
    } else if (!reference.point.empty() && find(reference) == nullptr) {
      reader_.error(reference.where, "'" + reference.body + "' has no point '" + reference.point + "'" +
                                         did_you_mean(reference.point, names) + known("its points", names));
    }
  }

  const PointSpec* find(const FrameRef& reference) const {
    const auto body = points_.find(reference.body);
    if (body == points_.end()) return nullptr;
    for (const PointSpec& point : body->second.points) {
      if (point.name == reference.point) return &point;
    }
    return nullptr;
  }

  Reader& reader_;
  std::map<std::string, Body> points_;
  std::vector<std::string> bodies_;
};

class ModelCheck {
 public:
  ModelCheck(const ModelSpec& model, const YamlNode& root, Reader& reader)
      : model_(model), root_(root), reader_(reader), places_(model, root, reader) {}

  void run() {
    if (check_sections_exist()) check_sections_used();
    check_number_of_nodes();
    if (!reader_.failed("sections") && !reader_.failed("bodies")) check_stiffness_of_beams();
    for (const JointSpec& joint : model_.joints) check_joint(joint);
    for (const ClearanceSpec& joint : model_.clearances) check_clearance(joint);
    check_laws_used();
    for (const SpringSpec& spring : model_.springs) check_spring(spring);
    for (const LoadSpec& load : model_.loads) check_load(load);
    for (const MeasureSpec& measure : model_.output.measures) check_measure(measure);
    for (const LineLoadSpec& load : model_.line_loads) check_line_load(load);
    check_stiction();
    check_names_differ();
    if (!reader_.failed("joints") && !reader_.failed("springs") && !reader_.failed("loads")) check_connected();
  }

 private:
  /// Also of things that could not be read.
  std::vector<std::string> names_in(const char* section) const {
    std::vector<std::string> names;
    const YamlNode::Entry* things = root_.find(section);
    if (things == nullptr) return names;
    for (const YamlNode::Entry& entry : things->value.entries) names.push_back(entry.key);
    return names;
  }

  /// True if all that beams name exist: one misspelt name makes no unused section.
  bool check_sections_exist() {
    const std::vector<std::string> names = names_in("sections");
    bool all_exist = true;
    for (const BeamSpec& beam : model_.beams) {
      all_exist = all_exist && !beam.sections.empty();
      for (std::size_t k = 0; k < beam.sections.size(); ++k) {
        const StationSpec& station = beam.sections[k];
        if (std::find(names.begin(), names.end(), station.section) != names.end()) continue;
        all_exist = false;
        const std::string index = beam.sections.size() > 1 ? "." + std::to_string(k) + ".section" : "";
        const Reader::Scope scope(reader_, "bodies." + beam.name + ".beam.section" + index);
        const bool is_given = !station.where.file.empty();
        if (!is_given || reader_.failed(reader_.path())) continue;
        reader_.error(station.where, "there is no section '" + station.section + "'" +
                                         did_you_mean(station.section, names) + known("sections", names));
      }
    }
    return all_exist;
  }

  /// Looks at the file, because a section of a beam that could not be read is not unused.
  void check_sections_used() {
    const YamlNode::Entry* bodies = root_.find("bodies");
    if (bodies == nullptr || bodies->value.kind != YamlNode::Kind::map) return;
    std::set<std::string> used;
    for (const YamlNode::Entry& body : bodies->value.entries) {
      for (const YamlNode::Entry& type : body.value.entries) {
        const YamlNode::Entry* along = type.value.find("section");
        if (along == nullptr) continue;
        used.insert(along->value.text);
        for (const YamlNode& station : along->value.items) {
          if (const YamlNode::Entry* section = station.find("section")) used.insert(section->value.text);
        }
      }
    }
    for (const SectionSpec& section : model_.sections) {
      const std::string path = "sections." + section.name;
      if (used.contains(section.name) || reader_.failed(path)) continue;
      const Reader::Scope scope(reader_, path);
      reader_.error(section.where, "is never used; give it to a beam ('section: " + section.name + "'), or remove it");
    }
  }

  /// Of all beams together: more than fits into memory is a slip of the pen.
  void check_number_of_nodes() {
    constexpr double most = 2e6;
    double n = 0.0;
    for (const BeamSpec& beam : model_.beams) {
      const double n_pieces = beam.polyline.empty() ? 1.0 : static_cast<double>(beam.polyline.size()) - 1.0;
      n += n_pieces * beam.elements * beam.degree;
      if (n <= most || reader_.failed("bodies." + beam.name)) continue;
      const Reader::Scope scope(reader_, "bodies." + beam.name);
      reader_.error(beam.where, "with this beam the model has " + rounded_text(n) +
                                    " nodes or more; at most 2000000 are possible: use fewer elements");
      return;
    }
  }

  /// Strains of the softest kind would be lost in the round-off of the stiffest: such a beam moves at random, or not at
  /// all, and its energies may balance all the same.
  void check_stiffness_of_beams() {
    constexpr double most = 1e16;
    constexpr std::array<const char*, 6> kinds{"shear along axis 1",   "shear along axis 2",   "stretching",
                                               "bending about axis 1", "bending about axis 2", "torsion"};
    for (const BeamSpec& beam : model_.beams) {
      const double length = BeamAxis(beam).length();
      for (const SectionSpec& section : model_.sections) {
        if (std::ranges::find(beam.sections, section.name, &StationSpec::section) == beam.sections.end()) continue;
        Vec6 forces = section.stiffness.diagonal();
        forces.tail<3>() /= length;
        forces.tail<3>() /= length;
        Eigen::Index softest = 0, stiffest = 0;
        forces.minCoeff(&softest);
        forces.maxCoeff(&stiffest);
        const Reader::Scope scope(reader_, "sections." + section.name);
        if (forces[stiffest] / most <= forces[softest] || reader_.failed(reader_.path())) continue;
        reader_.error(section.where, "is too stiff against " + std::string(kinds[stiffest]) + " (" +
                                         rounded_text(forces[stiffest]) + " N) beside " + kinds[softest] + " (" +
                                         rounded_text(forces[softest]) +
                                         " N; bending and torsion divided by length^2 of beam '" + beam.name +
                                         "'): numbers have 16 digits; look at the units");
      }
    }
  }

  void check_joint(const JointSpec& joint) {
    const Connection connection{"joints." + joint.name + "." + joint.type, joint.where, joint.between};
    if (joint.friction)
      check_law(connection.path + ".friction.law", "frictions", "friction law", joint.friction->law,
                joint.friction->law_where);
    if (!check_between(connection)) return;
    const auto types = joint_type_keys();
    const auto type =
        std::find_if(types.begin(), types.end(), [&](const auto& each) { return each.name == joint.type; });
    const bool has_place = !type->length && type->place;  // a distance has two
    const Reader::Scope scope(reader_, connection.path);
    if (has_place && !joint.at) require_place(connection);
    if (has_place) require_positions(connection, joint.at.has_value());
    if (type->axis && !joint.axis) require_axis(connection);
  }

  void check_clearance(const ClearanceSpec& joint) {
    const Connection connection{"joints." + joint.name + "." + joint.type, joint.where, joint.between};
    check_law(connection.path + ".contact", "contacts", "contact law", joint.contact, joint.contact_where);
    if (!joint.friction.empty()) {
      check_law(connection.path + ".friction", "frictions", "friction law", joint.friction, joint.friction_where);
      refuse_set_valued(connection.path, joint);
    }
    if (!check_between(connection)) return;
    const Reader::Scope scope(reader_, connection.path);
    const ClearanceTypeKeys& type = clearance_type_keys(joint.type);
    if (joint.at)
      require_position_of_attached(connection, 0);
    else if (!type.on_plane)
      require_positions(connection, false);
    if (type.axis && !joint.axis) require_axis(connection);
    if (joint.journal_radius == 0.0) require_stiffness(joint);
  }

  /// True stick is a constraint, which a contact that opens and closes cannot have.
  void refuse_set_valued(const std::string& path, const ClearanceSpec& joint) {
    for (const FrictionLawSpec& law : model_.frictions) {
      if (law.name != joint.friction || !law.set_valued_kinetic_coefficient) continue;
      const Reader::Scope scope(reader_, path + ".friction");
      reader_.error(joint.friction_where, "law '" + law.name +
                                              "' is for ideal joints only (it sticks by a constraint); use 'lugre', "
                                              "'regularised-coulomb' or another law in a joint with clearance");
    }
  }

  /// A point or a corner has no radius for Hertz's theory.
  void require_stiffness(const ClearanceSpec& joint) {
    for (const ContactLawSpec& law : model_.contacts) {
      if (law.name != joint.contact || !law.needs_radius || reader_.failed("contacts." + law.name)) continue;
      const Reader::Scope scope(reader_, "contact");
      reader_.error(joint.contact_where, "law '" + law.name +
                                             "' takes its stiffness from the radii, but a point has none: give the law "
                                             "a 'stiffness'");
    }
  }

  void check_law(const std::string& path, const char* section, const char* what, const std::string& name,
                 const Location& where) {
    if (name.empty() || reader_.failed(path)) return;
    const std::vector<std::string> names = names_in(section);
    if (std::find(names.begin(), names.end(), name) != names.end()) return;
    const Reader::Scope scope(reader_, path);
    reader_.error(where, std::string("there is no ") + what + " '" + name + "'" + did_you_mean(name, names) +
                             known(section, names));
  }

  void check_stiction() {
    const StictionSpec& stiction = model_.analysis.stiction;
    const std::vector<std::string> names = names_in("joints");
    for (const std::string& name : stiction.eliminate) {
      if (std::find(names.begin(), names.end(), name) != names.end()) continue;
      const Reader::Scope scope(reader_, "analysis.dynamic.stiction.eliminate");
      reader_.error(stiction.eliminate_where, "there is no joint '" + name + "'" + did_you_mean(name, names));
    }
  }

  void check_laws_used() {
    if (reader_.failed("joints")) return;
    std::set<std::string> contacts, frictions;
    for (const ClearanceSpec& joint : model_.clearances) {
      contacts.insert(joint.contact);
      frictions.insert(joint.friction);
    }
    for (const JointSpec& joint : model_.joints)
      if (joint.friction) frictions.insert(joint.friction->law);
    for (const ContactLawSpec& law : model_.contacts)
      require_used("contacts." + law.name, law.where, contacts.count(law.name) > 0, "a joint with clearance");
    for (const FrictionLawSpec& law : model_.frictions)
      require_used("frictions." + law.name, law.where, frictions.count(law.name) > 0, "a joint");
  }

  void require_used(const std::string& path, const Location& where, bool used, const std::string& by) {
    if (used || reader_.failed(path)) return;
    const Reader::Scope scope(reader_, path);
    reader_.error(where, "is never used; name it in " + by + ", or remove it");
  }

  void check_spring(const SpringSpec& spring) {
    const char* const type = spring.kind == SpringSpec::Kind::translational ? "translational"
                             : spring.kind == SpringSpec::Kind::torsional   ? "torsional"
                             : spring.kind == SpringSpec::Kind::bushing     ? "bushing"
                                                                            : "bearing-coefficients";
    const Connection connection{"springs." + spring.name + "." + type, spring.where, spring.between};
    if (!check_between(connection)) return;
    const Reader::Scope scope(reader_, connection.path);
    if (spring.kind == SpringSpec::Kind::bushing || spring.kind == SpringSpec::Kind::bearing_coefficients) {
      if (!spring.at) require_place(connection);
      require_positions(connection, spring.at.has_value());
    }
    const bool needs_axis =
        spring.kind == SpringSpec::Kind::torsional || spring.kind == SpringSpec::Kind::bearing_coefficients;
    if (needs_axis && !spring.axis) require_axis(connection);
  }

  void check_load(const LoadSpec& load) {
    const std::string path = "loads." + load.name + (load.kind == LoadSpec::Kind::force ? ".force" : ".torque");
    if (reader_.failed(path + ".on") || load.on.body.empty()) return;
    const Reader::Scope scope(reader_, path + ".on");
    places_.check(load.on);
    if (load.on.body == "ground") reader_.error(load.on.where, "a load on ground has no effect; name a body");
  }

  void check_measure(const MeasureSpec& measure) {
    const std::string path = "output.measure." + measure.name;
    for (const auto& [key, place] : {std::pair{".of", &measure.of}, {".in", &measure.in}}) {
      if (reader_.failed(path + key) || place->body.empty()) continue;
      const Reader::Scope scope(reader_, path + key);
      places_.check(*place);
    }
    // Columns of both would have the same names.
    const std::vector<std::string> bodies = names_in("bodies");
    if (std::find(bodies.begin(), bodies.end(), measure.name) == bodies.end()) return;
    const Reader::Scope scope(reader_, path);
    reader_.error(measure.where, "a body has this name; give the measure another one");
  }

  /// It acts on a whole beam, not at a place.
  void check_line_load(const LineLoadSpec& load) {
    const std::string path = "loads." + load.name + ".line-load.on";
    const std::string& name = load.on.body;
    if (reader_.failed(path) || name.empty()) return;
    const Reader::Scope scope(reader_, path);
    if (!places_.is_known(name)) {
      places_.check(load.on);
    } else if (!places_.is_beam(name)) {
      reader_.error(load.on.where, "'" + name + "' is not a beam; a line load acts on a beam");
    } else if (!load.on.point.empty() || load.on.s) {
      reader_.error(load.on.where, "a line load acts on the whole beam: write '" + name + "'");
    }
  }

  /// False if the rest cannot be judged.
  bool check_between(const Connection& connection) {
    if (reader_.failed(connection.path + ".between") || connection.between[0].body.empty()) return false;
    for (std::size_t i = 0; i < 2; ++i) {
      const Reader::Scope scope(reader_, connection.path + ".between." + std::to_string(i));
      places_.check(connection.between[i]);
    }
    if (connection.between[0].body == connection.between[1].body) check_not_with_itself(connection);
    return !reader_.failed(connection.path);
  }

  /// The ends of a bow are two places of one beam; a rigid body has nothing to connect in itself.
  void check_not_with_itself(const Connection& connection) {
    const auto& [first, second] = connection.between;
    const bool is_beam = places_.is_beam(first.body);
    const bool differ = place_along_beam(first) != place_along_beam(second);
    if (is_beam && (differ || reader_.failed(connection.path))) return;
    const Reader::Scope scope(reader_, connection.path + ".between");
    reader_.error(second.where, is_beam ? "connects '" + second.text() + "' with itself; name two different places"
                                        : "connects '" + first.body + "' with itself; name two different bodies");
  }

  void require_place(const Connection& connection) {
    // Ground alone is where the other is, which require_positions looks after.
    const bool is_known =
        std::any_of(connection.between.begin(), connection.between.end(), [](const FrameRef& reference) {
          return !reference.point.empty() || reference.s || reference.body == "ground";
        });
    if (is_known) return;
    reader_.error(connection.where,
                  "it is not known where this is: add 'at: [x, y, z]', or name a point in 'between', such as " +
                      connection.between[1].body + ".tip");
  }

  /// A place in the axes of ground is a place of a body only if it is known where that is at the start.
  bool has_position(const std::string& name) const {
    const auto body = std::ranges::find(model_.bodies, name, &RigidBodySpec::name);
    if (body == model_.bodies.end() || body->at) return true;  // also ground and beams
    if (reader_.failed("bodies." + name)) return true;         // its position may be what could not be read
    return std::ranges::all_of(std::array{Dof::x, Dof::y, Dof::z},
                               [&](Dof dof) { return std::ranges::count(body->fix, dof) > 0; });
  }

  void require_positions(const Connection& connection, bool has_at) {
    for (std::size_t side = 0; side < 2; ++side) {
      const FrameRef& place = connection.between[side];
      const FrameRef& other = connection.between[1 - side];
      if (!place.point.empty() || place.s) continue;
      if (has_at)
        require_position_of_attached(connection, side);
      else if (place.body == "ground" && !has_position(other.body))
        reader_.error(connection.where, "it is not known where on ground this is, since '" + other.body +
                                            "' has no position: add 'at: [x, y, z]' here or in bodies." + other.body +
                                            ", or name a point of ground");
    }
  }

  void require_position_of_attached(const Connection& connection, std::size_t side) {
    const FrameRef& place = connection.between[side];
    if (has_position(place.body)) return;
    const Reader::Scope scope(reader_, "between." + std::to_string(side));
    reader_.error(place.where, "it is not known where on '" + place.body + "' the place 'at' is, since '" + place.body +
                                   "' has no position: add 'at: [x, y, z]' (and 'rotation') in bodies." + place.body +
                                   ", or name a point of it, such as " + place.body + ".tip");
  }

  void require_axis(const Connection& connection) {
    if (places_.may_have_axis(connection.between)) return;
    reader_.error(connection.where,
                  "needs an axis: add 'axis: [x, y, z]', or give one to a point that 'between' names");
  }

  /// Joints, springs and loads share the names of the columns of the history.
  void check_names_differ() {
    std::map<std::string, std::string> used;
    const auto check = [&](const char* section, const auto& things) {
      for (const auto& thing : things) {
        const std::string path = std::string(section) + "." + thing.name;
        const auto [first, is_new] = used.emplace(thing.name, path);
        if (is_new || first->second == path) continue;
        const Reader::Scope scope(reader_, path);
        reader_.error(thing.where, "has the same name as " + first->second + ": their results could not be told apart");
      }
    };
    check("joints", model_.joints);
    check("joints", model_.clearances);
    check("springs", model_.springs);
    check("loads", model_.loads);
    check("loads", model_.line_loads);
  }

  /// A body that nothing holds in a model with joints or springs is most likely a forgotten joint.
  void check_connected() {
    if (model_.joints.empty() && model_.clearances.empty() && model_.springs.empty()) return;
    std::vector<std::string> connected;
    for (const JointSpec& joint : model_.joints) {
      for (const FrameRef& end : joint.between) connected.push_back(end.body);
    }
    for (const ClearanceSpec& joint : model_.clearances) {
      for (const FrameRef& end : joint.between) connected.push_back(end.body);
    }
    for (const SpringSpec& spring : model_.springs) {
      for (const FrameRef& end : spring.between) connected.push_back(end.body);
    }
    for (const LoadSpec& load : model_.loads) connected.push_back(load.on.body);
    for (const LineLoadSpec& load : model_.line_loads) connected.push_back(load.on.body);
    std::sort(connected.begin(), connected.end());
    const auto check = [&](const auto& body, bool is_fixed) {
      const std::string path = "bodies." + body.name;
      const bool is_connected = std::binary_search(connected.begin(), connected.end(), body.name);
      if (is_connected || body.free || is_fixed || reader_.failed(path)) return;
      const Reader::Scope scope(reader_, path);
      reader_.error(
          body.where,
          "is not connected to anything: add a joint or spring, or 'free: true' if it is meant to fly freely");
    };
    for (const RigidBodySpec& body : model_.bodies) check(body, !body.fix.empty());
    for (const BeamSpec& beam : model_.beams) check(beam, !beam.fix_start.empty() || !beam.fix_end.empty());
  }

  const ModelSpec& model_;
  const YamlNode& root_;
  Reader& reader_;
  Places places_;
};

}  // namespace

void check_model(const ModelSpec& model, const YamlNode& root, Reader& reader) {
  const YamlNode::Entry* bodies = root.find("bodies");
  if (bodies != nullptr && bodies->value.kind == YamlNode::Kind::map && bodies->value.entries.empty()) {
    const Reader::Scope scope(reader, "bodies");
    reader.error(bodies->where, "a model needs at least one body");
  }
  ModelCheck(model, root, reader).run();
}

}  // namespace freeplay
