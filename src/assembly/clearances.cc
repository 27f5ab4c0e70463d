#include "clearances.h"

#include <algorithm>

#include "freeplay/mechanics/contact_element.h"
#include "freeplay/mechanics/ideal_joint.h"

namespace freeplay {

namespace {

template <class Spec>
const Spec& named(const std::vector<Spec>& laws, const std::string& name) {
  return *std::find_if(laws.begin(), laws.end(), [&](const Spec& law) { return law.name == name; });
}

/// Everything that the contacts of one joint share.
class ContactMaker {
 public:
  ContactMaker(const ModelSpec& spec, const ClearanceSpec& joint, const Frame& a, const Frame& b, double hertz_radius,
               double size)
      : joint_{joint.name, a, b, 0.0}, law_(named(spec.contacts, joint.contact).make(hertz_radius)) {
    if (!joint.friction.empty()) {
      const FrictionLawSpec& friction = named(spec.frictions, joint.friction);
      friction_ = friction.make();
      joint_.static_coefficient = friction.static_coefficient;
    }
    approach_.penetration = joint.penetration.value_or(size / 200.0);
    approach_.nearness = joint.nearness;
    approach_.growth = joint.growth;
    approach_.rules_step = joint.penetration.has_value();
    // A step that resolves a vibration has an error of (omega dt)^2/12, and at the speed v lands at v dt, where a
    // contact of frequency omega holds (omega dt)^2 of the energy of approach.
    approach_.landing_energy = std::min(1.0, 12.0 * spec.analysis.tolerance);
  }

  void add(const TouchingPair& pair, Model& model) {
    const double slowness = inverse_mass(pair.a, model) + inverse_mass(pair.b, model);
    if (slowness > 0.0) approach_.mass = 1.0 / slowness;
    model.elements.push_back(
        std::make_unique<ContactElement>(pair.name, pair.a, pair.b, pair.geometry, law_, friction_, approach_, joint_));
  }

 private:
  /// Of the whole body that a frame is on.
  static double inverse_mass(const Frame& frame, const Model& model) {
    if (frame.node == ground) return 0.0;
    const int body = model.nodes[frame.node].body;
    double mass = body < 0 ? model.nodes[frame.node].mass(0, 0) : 0.0;
    for (const Node& node : model.nodes)
      if (body >= 0 && node.body == body) mass += node.mass(0, 0);
    return 1.0 / mass;
  }

  ContactJoint joint_;
  std::shared_ptr<const ContactLaw> law_;
  std::shared_ptr<const FrictionLaw> friction_;
  ApproachControl approach_;
};

/// Equations that hold whether it touches or not.
void add_ideal_joint(const std::string& type, const ClearanceSpec& joint, const Frame& a, const Frame& b,
                     Model& model) {
  JointSpec ideal;
  ideal.name = joint.name;
  ideal.type = type;
  ideal.where = joint.where;
  ideal.between = joint.between;
  model.joints.push_back(make_ideal_joint(ideal, a, b));
}

}  // namespace

void add_contacts(const ModelSpec& spec, const ClearanceSpec& joint, const ClearancePlaces& places, double length,
                  Model& model) {
  const ClearanceJointType& type = clearance_joint_type(joint);
  if (!type.ideal_joint.empty()) add_ideal_joint(type.ideal_joint, joint, places.a, places.b, model);
  const double size = type.size(joint);
  ContactMaker maker(spec, joint, places.a, places.b, type.hertz_radius(joint), size > 0.0 ? size : 1e-2 * length);
  for (const TouchingPair& pair : type.pairs(joint, places)) maker.add(pair, model);
}

}  // namespace freeplay
