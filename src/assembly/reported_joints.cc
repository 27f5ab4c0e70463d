#include "freeplay/assembly/reported_joints.h"

#include <algorithm>

#include "freeplay/mechanics/contact_element.h"

namespace freeplay {

std::vector<ReportedJoint> reported_joints(const Model& model) {
  std::vector<ReportedJoint> list;
  for (std::size_t j = 0; j < model.joints.size(); ++j)
    if (model.joints[j].n_places() == 2)
      list.push_back({model.joints[j].name, model.joints[j].a, model.joints[j].b, static_cast<int>(j), {}});
  for (std::size_t e = 0; e < model.elements.size(); ++e) {
    const auto* contact = dynamic_cast<const ContactElement*>(model.elements[e].get());
    if (!contact) continue;
    const ContactJoint& joint = contact->joint();
    auto found = std::ranges::find(list, joint.name, &ReportedJoint::name);
    if (found == list.end()) found = list.insert(found, {joint.name, joint.a, joint.b, -1, {}});
    found->contacts.push_back(e);
  }
  return list;
}

bool has_friction(const Model& model, const ReportedJoint& joint) {
  const auto rubs = [&](std::size_t e) {
    return dynamic_cast<const ContactElement&>(*model.elements[e]).joint().static_coefficient > 0.0;
  };
  const auto is_in_joint = [&](const JointFriction& friction) {
    return joint.joint >= 0 && friction.joint == joint.joint;
  };
  return std::ranges::any_of(joint.contacts, rubs) || std::ranges::any_of(model.frictions, is_in_joint);
}

}  // namespace freeplay
