#include "couplings.h"

#include <algorithm>
#include <stdexcept>

#include "freeplay/base/diagnostics.h"
#include "freeplay/base/names.h"
#include "freeplay/mechanics/actuator.h"
#include "freeplay/mechanics/applied_load.h"
#include "freeplay/mechanics/coupling.h"

namespace freeplay {

namespace {

/// The joints of the model that have a coordinate, as couplings see them.
class Coordinates {
 public:
  Coordinates(const State& initial, const Model& model) : initial_(initial), model_(model) {}

  /// Throws std::invalid_argument if there is none.
  CoupledCoordinate find(const CoordinateRef& reference) const {
    const auto joint = std::ranges::find(model_.joints, reference.joint, &Joint::name);
    if (joint == model_.joints.end() || !has_coordinate(*joint))
      throw std::invalid_argument("there is no joint '" + reference.joint + "' with an angle or a displacement" +
                                  did_you_mean(reference.joint, names()) + " (there are: " + joined(names()) + ")");
    if (reference.coordinate.empty() && joint->angle >= 0 && joint->slides)
      throw std::invalid_argument("'" + joint->name + "' has two coordinates: write " + joint->name + ".angle or " +
                                  joint->name + ".displacement");
    const bool is_angle = reference.coordinate.empty() ? joint->angle >= 0 : reference.coordinate == "angle";
    if (is_angle ? joint->angle < 0 : !joint->slides)
      throw std::invalid_argument("joint '" + joint->name + "' (" + joint->type + ") has no " + reference.coordinate);
    return {joint->name, is_angle, joint->a, joint->b, place_of(joint->a, initial_), joint->angle};
  }

 private:
  static bool has_coordinate(const Joint& joint) { return joint.angle >= 0 || joint.slides; }

  std::vector<std::string> names() const {
    std::vector<std::string> names;
    for (const Joint& joint : model_.joints)
      if (has_coordinate(joint)) names.push_back(joint.name);
    return names;
  }

  const State& initial_;
  const Model& model_;
};

/// A function of the motion that names something unknown.
StateFunctions functions_of(std::vector<TimeFunction> functions, const State& initial, const Model& model) {
  return {std::move(functions), [&](const Signal& signal) { return find_signal(signal, initial, model); }};
}

std::unique_ptr<ForceElement> make_actuator(const ActuatorSpec& actuator, const State& initial, const Model& model) {
  const CoupledCoordinate along = Coordinates(initial, model).find(actuator.joint);
  if (along.is_angle != actuator.moment.has_value())
    throw std::invalid_argument("the coordinate of '" + along.joint + "' is " +
                                (along.is_angle ? "an angle: give a 'moment'" : "a displacement: give a 'force'"));
  return std::make_unique<Actuator>(
      actuator.name, along.a, along.b, along.part(0, 1.0).coordinate,
      functions_of({actuator.moment ? *actuator.moment : *actuator.force}, initial, model), actuator.lag);
}

Joint make_coupling(const CouplingSpec& coupling, const Coordinates& coordinates) {
  const std::array of{coordinates.find(coupling.of[0]), coordinates.find(coupling.of[1])};
  if (of[0].joint == of[1].joint && of[0].is_angle == of[1].is_angle)
    throw std::invalid_argument("ties '" + of[0].joint + "' to itself: name two joints");
  Joint joint{coupling.name, coupling.type, coupling.where, of[0].a, of[0].b, {coupling.equation(of)}};
  joint.others = {of[1].a, of[1].b};
  return joint;
}

}  // namespace

StateInput find_signal(const Signal& signal, const State& initial, const Model& model) {
  if (signal.kind != Signal::Kind::position) {
    const CoupledCoordinate from =
        Coordinates(initial, model)
            .find({signal.of, signal.kind == Signal::Kind::angle ? "angle" : "displacement", {}});
    return {from.part(0, 1.0).coordinate, from.a, from.b, signal.is_rate};
  }
  std::vector<std::string> names;
  for (const OutputPoint& point : model.points) {
    names.push_back(point.name);
    if (point.name == signal.of)
      return {RelativeCoordinate::displacement_in_space(Vec3::Unit(signal.axis)), Frame{}, point.frame, signal.is_rate};
  }
  throw std::invalid_argument("there is no place '" + signal.of + "'" + did_you_mean(signal.of, names));
}

void add_loads(const ModelSpec& spec, const State& initial, const std::function<Frame(const FrameRef&)>& place_of_load,
               Model& model) {
  Diagnostics diagnostics;
  const auto add = [&](const auto& load, const std::string& type, const auto& make) {
    try {
      model.elements.push_back(make());
    } catch (const std::invalid_argument& misfit) {
      diagnostics.error(load.where, "loads." + load.name + "." + type, misfit.what());
    }
  };
  for (const LoadSpec& load : spec.loads) {
    const bool is_force = load.kind == LoadSpec::Kind::force;
    add(load, is_force ? "force" : "torque", [&] {
      return std::make_unique<AppliedLoad>(
          load.name, is_force ? AppliedLoad::Kind::force : AppliedLoad::Kind::torque, place_of_load(load.on),
          functions_of({load.value.begin(), load.value.end()}, initial, model), load.following);
    });
  }
  for (const ActuatorSpec& actuator : spec.actuators)
    add(actuator, "actuator", [&] { return make_actuator(actuator, initial, model); });
  diagnostics.throw_if_errors();
}

void add_couplings(const ModelSpec& spec, const State& initial, Model& model) {
  const Coordinates coordinates(initial, model);
  std::vector<Joint> made;
  Diagnostics diagnostics;
  for (const CouplingSpec& coupling : spec.couplings) {
    try {
      made.push_back(make_coupling(coupling, coordinates));
    } catch (const std::invalid_argument& misfit) {
      diagnostics.error(coupling.where, "joints." + coupling.name + "." + coupling.type, misfit.what());
    }
  }
  diagnostics.throw_if_errors();
  for (Joint& joint : made) model.joints.push_back(std::move(joint));
}

}  // namespace freeplay
