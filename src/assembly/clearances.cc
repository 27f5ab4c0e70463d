#include "clearances.h"

#include <algorithm>
#include <stdexcept>

#include "freeplay/mechanics/contact_element.h"
#include "freeplay/mechanics/ideal_joint.h"

namespace freeplay {

namespace {

using Geometry = std::shared_ptr<const ContactGeometry>;

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

  void add(const std::string& name, const Frame& a, const Frame& b, Geometry geometry, Model& model) {
    const double slowness = inverse_mass(a, model) + inverse_mass(b, model);
    if (slowness > 0.0) approach_.mass = 1.0 / slowness;
    model.elements.push_back(
        std::make_unique<ContactElement>(name, a, b, std::move(geometry), law_, friction_, approach_, joint_));
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

Frame shifted(Frame frame, const Vec3& along_axes) {
  frame.offset += frame.axes * along_axes;
  return frame;
}

/// The journal stays in the plane of the bearing: the equations of an ideal planar joint (Bauchau and Ju 2006 eq 1).
void add_planar_joint(const ClearanceSpec& joint, const Frame& a, const Frame& b, Model& model) {
  JointSpec planar;
  planar.name = joint.name;
  planar.type = "planar";
  planar.where = joint.where;
  planar.between = joint.between;
  model.joints.push_back(make_ideal_joint(planar, a, b));
}

/// Axes whose third one is along `normal`, with the first along `first`, all in ground axes.
Mat3 axes_along(const Vec3& normal, const Vec3& first) {
  Mat3 axes;
  axes << first, normal.cross(first), normal;
  return axes;
}

/// Each corner of the block against the wall that it faces.
void add_guide(ContactMaker maker, const ClearanceSpec& joint, Frame a, Frame b, const Mat3& ground_to_a,
               const Mat3& ground_to_b, Model& model) {
  const Vec3 along = joint.axis->normalized();
  const Vec3 across = joint.across->normalized();
  const Geometry corner = ball_on_plane(0.0);
  int number = 0;
  for (const double side : {1.0, -1.0}) {
    Frame wall = a;
    wall.axes = ground_to_a * axes_along(-side * across, along);
    wall.offset += ground_to_a * (side * (0.5 * joint.width + joint.gap) * across);
    for (const double end : {1.0, -1.0}) {
      Frame point = b;
      point.offset += ground_to_b * (side * 0.5 * joint.width * across + end * 0.5 * joint.length * along);
      maker.add(joint.name + "." + std::to_string(++number), wall, point, corner, model);
    }
  }
}

}  // namespace

void add_contacts(const ModelSpec& spec, const ClearanceSpec& joint, const Frame& a, const Frame& b,
                  const Mat3& ground_to_a, const Mat3& ground_to_b, Model& model) {
  const double R = joint.bearing_radius, r = joint.journal_radius;
  if (joint.type == "translational-clearance") {
    add_guide(ContactMaker(spec, joint, a, b, 0.0, joint.gap), joint, a, b, ground_to_a, ground_to_b, model);
  } else if (joint.type == "ball-on-plane" || joint.type == "disk-on-plane") {
    const double size = r > 0.0 ? 1e-2 * r : 1e-2 * model.length_scale;
    Frame on = b;
    if (joint.across) on.axes = ground_to_b * basis_with_third_axis(joint.across->normalized());
    ContactMaker(spec, joint, a, b, r, size)
        .add(joint.name, a, on, joint.type == "ball-on-plane" ? ball_on_plane(r) : disk_on_plane(r), model);
  } else {
    ContactMaker maker(spec, joint, a, b, R * r / (R - r), R - r);
    if (joint.type == "planar-clearance") {
      add_planar_joint(joint, a, b, model);
      maker.add(joint.name, a, b, planar_clearance(R, r), model);
    } else if (joint.type == "spherical-clearance") {
      maker.add(joint.name, a, b, spherical_clearance(R, r), model);
    } else if (joint.type == "spatial-clearance") {
      maker.add(joint.name, a, b, spatial_clearance(R, r), model);
    } else if (joint.type == "journal-bearing") {
      const Geometry disk = spatial_clearance(R, r);
      maker.add(joint.name + ".1", a, shifted(b, {0.0, 0.0, -0.5 * joint.length}), disk, model);
      maker.add(joint.name + ".2", a, shifted(b, {0.0, 0.0, 0.5 * joint.length}), disk, model);
    } else {
      throw std::logic_error("no joint with clearance is called '" + joint.type + "'");
    }
  }
}

}  // namespace freeplay
