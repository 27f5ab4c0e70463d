#include <algorithm>
#include <map>
#include <set>

#include "connection_check.h"
#include "freeplay/base/names.h"
#include "freeplay/deck/beam_axis.h"
#include "tables.h"

namespace freeplay {

namespace {

class ModelCheck {
 public:
  ModelCheck(const ModelSpec& model, const YamlNode& root, Reader& reader)
      : model_(model),
        root_(root),
        reader_(reader),
        places_(model, root, reader),
        connections_(model, root, reader, places_) {}

  void run() {
    if (check_sections_exist()) check_sections_used();
    check_number_of_nodes();
    if (!reader_.failed("sections") && !reader_.failed("bodies")) check_stiffness_of_beams();
    for (const JointSpec& joint : model_.joints) connections_.check_joint(joint);
    for (const ClearanceSpec& joint : model_.clearances) connections_.check_clearance(joint);
    check_laws_used();
    for (const SpringSpec& spring : model_.springs) connections_.check_spring(spring);
    for (const LoadSpec& load : model_.loads) check_load(load);
    for (const MeasureSpec& measure : model_.output.measures) check_measure(measure);
    for (const LineLoadSpec& load : model_.line_loads) check_line_load(load);
    check_stiction();
    check_names_differ();
    if (!reader_.failed("joints") && !reader_.failed("springs") && !reader_.failed("loads")) check_connected();
  }

 private:
  /// True if all that beams name exist: one misspelt name makes no unused section.
  bool check_sections_exist() {
    const std::vector<std::string> names = names_in(root_, "sections");
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
                                         did_you_mean(station.section, names) + listed("sections", names));
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

  void check_stiction() {
    const StictionSpec& stiction = model_.analysis.stiction;
    const std::vector<std::string> names = names_in(root_, "joints");
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

  void check_load(const LoadSpec& load) {
    const std::string path = "loads." + load.name + (load.kind == LoadSpec::Kind::force ? ".force" : ".torque");
    if (reader_.failed(path + ".on") || load.on.body.empty()) return;
    const Reader::Scope scope(reader_, path + ".on");
    places_.check(load.on);
    if (load.on.body == "ground") reader_.error(load.on.where, "a load on ground has no effect; name a body");
    if (!is_point(load.on.body)) return;
    if (load.kind == LoadSpec::Kind::torque)
      reader_.error(load.on.where,
                    "'" + load.on.body + "' is a point mass, which no torque turns; make it a rigid body");
    else if (load.following)
      reader_.error(load.on.where, "'" + load.on.body + "' is a point mass: it has no axes that a load could follow");
  }

  bool is_point(const std::string& body) const {
    const auto found = std::ranges::find(model_.bodies, body, &RigidBodySpec::name);
    return found != model_.bodies.end() && found->is_point;
  }

  void check_measure(const MeasureSpec& measure) {
    const std::string path = "output.measure." + measure.name;
    for (const auto& [key, place] : {std::pair{".of", &measure.of}, {".in", &measure.in}}) {
      if (reader_.failed(path + key) || place->body.empty()) continue;
      const Reader::Scope scope(reader_, path + key);
      places_.check(*place);
    }
    if (is_point(measure.in.body)) {
      const Reader::Scope scope(reader_, path + ".in");
      reader_.error(measure.in.where, "'" + measure.in.body + "' is a point mass: it has no axes to be measured in");
    }
    // Columns of both would have the same names.
    const std::vector<std::string> bodies = names_in(root_, "bodies");
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
    check("joints", model_.couplings);
    check("springs", model_.springs);
    check("loads", model_.loads);
    check("loads", model_.line_loads);
    check("loads", model_.actuators);
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
  NamedPlaces places_;
  ConnectionCheck connections_;
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
