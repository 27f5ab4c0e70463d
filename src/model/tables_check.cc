#include <algorithm>
#include <map>

#include "freeplay/base/names.h"
#include "freeplay/model/joint_type.h"
#include "tables.h"

namespace freeplay {

namespace {

/// Two places that something connects, as the checks see it.
struct Connection {
  std::string path;  ///< with the type: joints.pin.revolute
  const Location& where;
  const std::array<FrameRef, 2>& between;
};

/// Which names there are.
class Places {
 public:
  Places(const ModelSpec& model, const YamlNode& root, Reader& reader) : reader_(reader) {
    add("ground", model.ground_points, reader.failed("ground"));
    for (const RigidBodySpec& body : model.bodies) add(body.name, body.points, reader.failed("bodies." + body.name));
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
    if (reference.point.empty() || body->second.incomplete || find(reference) != nullptr) return;
    std::vector<std::string> names;
    for (const PointSpec& point : body->second.points) names.push_back(point.name);
    reader_.error(reference.where, "'" + reference.body + "' has no point '" + reference.point + "'" +
                                       did_you_mean(reference.point, names) + known("its points", names));
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
  };

  void add(const std::string& name, const std::vector<PointSpec>& points, bool incomplete) {
    points_[name] = {points, incomplete};
    bodies_.push_back(name);
  }

  const PointSpec* find(const FrameRef& reference) const {
    const auto body = points_.find(reference.body);
    if (body == points_.end()) return nullptr;
    for (const PointSpec& point : body->second.points) {
      if (point.name == reference.point) return &point;
    }
    return nullptr;
  }

  static std::string known(const std::string& what, const std::vector<std::string>& names) {
    constexpr std::size_t most = 20;  // more would hide the message
    if (names.empty() || names.size() > most) return {};
    return " (" + what + ": " + joined(names) + ")";
  }

  Reader& reader_;
  std::map<std::string, Body> points_;
  std::vector<std::string> bodies_;
};

class ModelCheck {
 public:
  ModelCheck(const ModelSpec& model, const YamlNode& root, Reader& reader)
      : model_(model), reader_(reader), places_(model, root, reader) {}

  void run() {
    for (const JointSpec& joint : model_.joints) check_joint(joint);
    for (const SpringSpec& spring : model_.springs) check_spring(spring);
    for (const LoadSpec& load : model_.loads) check_load(load);
    if (!reader_.failed("joints") && !reader_.failed("springs") && !reader_.failed("loads")) check_connected();
  }

 private:
  void check_joint(const JointSpec& joint) {
    const Connection connection{"joints." + joint.name + "." + joint.type, joint.where, joint.between};
    if (!check_between(connection)) return;
    const auto types = joint_type_keys();
    const auto type =
        std::find_if(types.begin(), types.end(), [&](const auto& each) { return each.name == joint.type; });
    // A pure orientation has no place, a distance has two.
    const bool has_place = !type->length && type->name != "orientation";
    const Reader::Scope scope(reader_, connection.path);
    if (has_place && !joint.at) require_place(connection);
    if (type->axis && !joint.axis) require_axis(connection);
  }

  void check_spring(const SpringSpec& spring) {
    const char* const type = spring.kind == SpringSpec::Kind::translational ? "translational"
                             : spring.kind == SpringSpec::Kind::torsional   ? "torsional"
                                                                            : "bushing";
    const Connection connection{"springs." + spring.name + "." + type, spring.where, spring.between};
    if (!check_between(connection)) return;
    const Reader::Scope scope(reader_, connection.path);
    if (spring.kind == SpringSpec::Kind::bushing && !spring.at) require_place(connection);
    if (spring.kind == SpringSpec::Kind::torsional && !spring.axis) require_axis(connection);
  }

  void check_load(const LoadSpec& load) {
    const std::string path = "loads." + load.name + (load.kind == LoadSpec::Kind::force ? ".force" : ".torque");
    if (reader_.failed(path + ".on") || load.on.body.empty()) return;
    const Reader::Scope scope(reader_, path + ".on");
    places_.check(load.on);
    if (load.on.body == "ground") reader_.error(load.on.where, "a load on ground has no effect; name a body");
  }

  /// False if the rest cannot be judged.
  bool check_between(const Connection& connection) {
    if (reader_.failed(connection.path + ".between") || connection.between[0].body.empty()) return false;
    for (std::size_t i = 0; i < 2; ++i) {
      const Reader::Scope scope(reader_, connection.path + ".between." + std::to_string(i));
      places_.check(connection.between[i]);
    }
    if (connection.between[0].body == connection.between[1].body) {
      const Reader::Scope scope(reader_, connection.path + ".between");
      reader_.error(connection.between[1].where,
                    "connects '" + connection.between[0].body + "' with itself; name two different bodies");
    }
    return !reader_.failed(connection.path);
  }

  void require_place(const Connection& connection) {
    const bool names_point = std::any_of(connection.between.begin(), connection.between.end(),
                                         [](const FrameRef& reference) { return !reference.point.empty(); });
    if (names_point) return;
    reader_.error(connection.where,
                  "it is not known where this is: add 'at: [x, y, z]', or name a point in 'between', such as " +
                      connection.between[1].body + ".tip");
  }

  void require_axis(const Connection& connection) {
    if (places_.may_have_axis(connection.between)) return;
    reader_.error(connection.where,
                  "needs an axis: add 'axis: [x, y, z]', or give one to a point that 'between' names");
  }

  /// A body that nothing holds in a model with joints or springs is most likely a forgotten joint.
  void check_connected() {
    if (model_.joints.empty() && model_.springs.empty()) return;
    std::vector<std::string> connected;
    for (const JointSpec& joint : model_.joints) {
      for (const FrameRef& end : joint.between) connected.push_back(end.body);
    }
    for (const SpringSpec& spring : model_.springs) {
      for (const FrameRef& end : spring.between) connected.push_back(end.body);
    }
    for (const LoadSpec& load : model_.loads) connected.push_back(load.on.body);
    std::sort(connected.begin(), connected.end());
    for (const RigidBodySpec& body : model_.bodies) {
      const std::string path = "bodies." + body.name;
      const bool is_connected = std::binary_search(connected.begin(), connected.end(), body.name);
      if (is_connected || body.free || !body.fix.empty() || reader_.failed(path)) continue;
      const Reader::Scope scope(reader_, path);
      reader_.error(
          body.where,
          "is not connected to anything: add a joint or spring, or 'free: true' if it is meant to fly freely");
    }
  }

  const ModelSpec& model_;
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
