#include "freeplay/analysis/rotor.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "freeplay/base/diagnostics.h"
#include "freeplay/base/names.h"
#include "freeplay/base/units.h"
#include "freeplay/mechanics/beam_element.h"
#include "freeplay/mechanics/coefficient_bearing.h"
#include "freeplay/scheme/energy.h"
#include "limiting_steps.h"
#include "rotor_symmetry.h"

namespace freeplay {

namespace {

/// Finds what turns, and whether it or the rest is the same in all directions.
class RotorFinder {
 public:
  explicit RotorFinder(Assembled& assembled) : model_(assembled.model), state_(assembled.state) {
    for (Vec6& twist : state_.twist) twist.setZero();
    Motion now;
    set_instant(state_, now);
    for (std::size_t e = 0; e < model_.elements.size(); ++e)
      model_.elements[e]->initialise(now, internal_of(model_, state_, e));
  }

  Rotor find(const std::string& name) {
    choose_axis(name);
    rotor_.rotates.assign(model_.nodes.size(), false);
    rotor_.rotates[start_] = true;
    while (spread_by_joints() || spread_by_elements()) continue;
    sort_connections();
    take_out_unbalance();
    take_out_gravity();
    RotorSymmetry(model_, state_, rotor_).check_connections();
    choose_axes();
    note_what_is_left_out();
    return std::move(rotor_);
  }

 private:
  static bool is_driven(const Joint& joint) {
    return std::ranges::any_of(joint.equations, [](const Equation& e) { return e.is_driven(); });
  }
  static bool shows_axis(const Joint& joint) { return joint.angle >= 0; }

  std::vector<const CoefficientBearing*> bearings() const {
    std::vector<const CoefficientBearing*> found;
    for (const auto& element : model_.elements)
      if (const auto* bearing = dynamic_cast<const CoefficientBearing*>(element.get())) found.push_back(bearing);
    return found;
  }

  /// The second place turns against the first one, unless it is ground.
  void take_axis(const std::string& name, const Frame& a, const Frame& b) {
    rotor_.joint = name;
    start_ = b.node != ground ? b.node : a.node;
    const FramePlace place_a = place(a, a.node == ground ? Pose{} : state_.pose[a.node]);
    rotor_.point = place_a.x;
    rotor_.basis = basis_with_third_axis(place_a.a.col(2));
  }

  void choose_axis(const std::string& name) {
    const Joint* chosen = nullptr;
    int best = 0;
    for (const Joint& joint : model_.joints) {
      const bool on_ground = joint.a.node == ground || joint.b.node == ground;
      const int rank = !name.empty()       ? (joint.name == name ? 1 : 0)
                       : shows_axis(joint) ? 1 + 2 * on_ground + (is_driven(joint) ? 1 : 0)
                                           : 0;
      if (rank <= best) continue;
      best = rank;
      chosen = &joint;
    }
    if (chosen) {
      if (!shows_axis(*chosen))
        throw InputError("error: --joint: '" + name + "' is " + chosen->type +
                         ": name a revolute or cylindrical joint, or a bearing by coefficients, whose axis is that of "
                         "the rotor\n");
      return take_axis(chosen->name, chosen->a, chosen->b);
    }
    for (const CoefficientBearing* bearing : bearings())
      if (name.empty() || bearing->name() == name)
        return take_axis(bearing->name(), bearing->bearing(), bearing->journal());
    std::vector<std::string> names;
    for (const Joint& joint : model_.joints)
      if (shows_axis(joint)) names.push_back(joint.name);
    for (const CoefficientBearing* bearing : bearings()) names.push_back(bearing->name());
    if (names.empty())
      throw InputError(
          "error: the model has no rotor: no revolute or cylindrical joint and no spring of type bearing-coefficients "
          "shows an axis\n");
    throw InputError("error: --joint: there is no joint or bearing '" + name + "' with an axis" +
                     did_you_mean(name, names) + " (there are: " + joined(names) + ")\n");
  }

  /// Velocities of a node of the rotor at unit speed, inertial axes.
  Vec6 spin(int node) const {
    Vec6 velocity = Vec6::Zero();
    if (node != ground && rotor_.rotates[node])
      velocity << rotor_.axis().cross(state_.pose[node].x - rotor_.point), rotor_.axis();
    return velocity;
  }

  /// Whether the rotor can turn while the other side of the joint stands. A drive to ground turns it.
  bool lets_rotate(const Joint& joint) const {
    constexpr double none = 1e-9;
    JointVector velocity(6 * joint.n_places());
    for (int k = 0; k < joint.n_places(); ++k) velocity.segment<6>(6 * k) = spin(joint.node(k));
    const bool drives_the_rotor = joint.name == rotor_.joint || joint.a.node == ground || joint.b.node == ground;
    const auto rows = gradient_of(joint, state_);
    for (std::size_t k = 0; k < joint.equations.size(); ++k) {
      if (joint.equations[k].is_driven() && drives_the_rotor) continue;
      const double scale = joint.equations[k].is_length() ? model_.length_scale : 1.0;
      if (std::abs(rows.col(k).dot(velocity)) > none * scale) return false;
    }
    return true;
  }

  /// Adds the other side of what turns with the rotor. `held` says what to do about ground.
  template <class Nodes>
  bool spread(const Nodes& nodes, const std::string& path, const Location* where) {
    bool more = false;
    for (const int node : nodes) {
      if (node == ground) refuse_held(path, where);
      if (rotor_.rotates[node]) continue;
      rotor_.rotates[node] = more = true;
    }
    return more;
  }

  [[noreturn]] void refuse_held(const std::string& path, const Location* where) const {
    const std::string message = "does not let the rotor turn about the axis of '" + rotor_.joint +
                                "' against ground; is that the axis that is meant (--joint)?";
    if (!where) throw InputError("error: " + path + ": " + message + "\n");
    Diagnostics diagnostics;
    diagnostics.error(*where, path, message);
    diagnostics.throw_if_errors();
    throw std::logic_error("an error throws");
  }

  bool spread_by_joints() {
    bool more = false;
    for (const Joint& joint : model_.joints) {
      const std::vector<int> nodes = joint.sides();
      if (!sides_of(rotor_, nodes).both() || lets_rotate(joint)) continue;
      more = spread(nodes, "joints." + joint.name, &joint.where) || more;
    }
    return more;
  }

  /// Whether the rotor can turn against the rest without a force of this element.
  bool lets_rotate(std::size_t e) const {
    constexpr double none = 1e-9;
    if (dynamic_cast<const BeamElement*>(model_.elements[e].get())) return false;
    double force = 0.0, size = 0.0;
    std::map<int, Vec6> forces;
    for (const auto& [nodes, block] : inertial_tangents(model_, state_, e, endless)) {
      forces.try_emplace(nodes.first, Vec6::Zero()).first->second += block * spin(nodes.second);
      size = std::max(size, block.cwiseAbs().maxCoeff() * std::max(1.0, model_.length_scale));
    }
    for (const auto& [node, f] : forces) force = std::max(force, f.cwiseAbs().maxCoeff());
    return force <= none * size;
  }

  bool spread_by_elements() {
    bool more = false;
    for (std::size_t e = 0; e < model_.elements.size(); ++e) {
      const ForceElement& element = *model_.elements[e];
      if (!sides_of(rotor_, element.nodes()).both() || lets_rotate(e)) continue;
      more = spread(element.nodes(), "'" + element.name() + "'", nullptr) || more;
    }
    return more;
  }

  void sort_connections() {
    rotor_.between.assign(model_.elements.size(), false);
    for (std::size_t e = 0; e < model_.elements.size(); ++e)
      rotor_.between[e] = sides_of(rotor_, model_.elements[e]->nodes()).both();
    for (std::size_t j = 0; j < model_.joints.size(); ++j)
      if (sides_of(rotor_, model_.joints[j].sides()).both()) rotor_.joints.push_back(static_cast<int>(j));
  }

  /// The mass of a node with its centre of mass on the axis and without products of inertia with the axis.
  Mat6 balanced(int n) const {
    const Mat6& M = model_.nodes[n].mass;
    const Mat3 basis = state_.pose[n].R.transpose() * rotor_.basis;
    const double m = M(0, 0);
    const Vec3 centre = first_moment(M) / m;
    const Mat3 about_centre =
        M.bottomRightCorner<3, 3>() - m * (centre.squaredNorm() * Mat3::Identity() - centre * centre.transpose());
    Mat3 inertia = basis.transpose() * about_centre * basis;
    for (int k = 0; k < 2; ++k) inertia(k, 2) = inertia(2, k) = 0.0;
    return rigid_mass(m, centre.dot(basis.col(2)) * basis.col(2), basis * inertia * basis.transpose());
  }

  void take_out_unbalance() {
    constexpr double none = 1e-13;
    rotor_.unbalance.assign(model_.nodes.size(), Mat6::Zero());
    for (std::size_t n = 0; n < model_.nodes.size(); ++n) {
      Mat6& mass = model_.nodes[n].mass;
      if (!rotor_.rotates[n] || !is_on_axis(model_, state_, rotor_, static_cast<int>(n)) || !(mass(0, 0) > 0.0))
        continue;
      const Mat6 even = balanced(static_cast<int>(n));
      const double m = mass(0, 0), length = model_.length_scale;
      if (mass.topRightCorner<3, 3>().isApprox(even.topRightCorner<3, 3>(), none) ||
          (mass - even).topRightCorner<3, 3>().cwiseAbs().maxCoeff() <= none * m * length) {
        const Mat3 tilt = (mass - even).bottomRightCorner<3, 3>();
        if (tilt.cwiseAbs().maxCoeff() <= none * mass.bottomRightCorner<3, 3>().cwiseAbs().maxCoeff()) continue;
      }
      rotor_.unbalance[n] = mass - even;
      rotor_.has_unbalance = true;
      mass = even;
    }
  }

  void take_out_gravity() {
    constexpr double none = 1e-9;
    const Vec3 along = model_.gravity.dot(rotor_.axis()) * rotor_.axis();
    if ((model_.gravity - along).norm() > none * model_.gravity.norm())
      rotor_.notes.push_back("gravity across the axis is left out: it bends the shaft, but hardly changes its modes");
    model_.gravity = along;
  }

  void choose_axes() {
    const RotorSymmetry symmetry(model_, state_, rotor_);
    rotor_.uneven = symmetry.uneven_part(true);
    if (rotor_.uneven.empty()) return;
    const std::string rest = symmetry.uneven_part(false);
    if (!rest.empty())
      throw InputError("error: neither the rotor ('" + rotor_.uneven + "') nor what stands still ('" + rest +
                       "') is the same in all directions across the axis: the equations are periodic in time, and have "
                       "no natural frequencies. Make one of them even, or integrate in time with freeplay run\n");
    rotor_.axes = Rotor::Axes::rotating;
  }

  void note_what_is_left_out() {
    std::vector<std::string> rubbing, open;
    for (const JointFriction& friction : model_.frictions) rubbing.push_back(model_.joints[friction.joint].name);
    for (const auto& element : model_.elements)
      if (element->is_contact()) open.push_back(element->name());
    if (!rubbing.empty()) rotor_.notes.push_back("friction is left out: " + joined(rubbing));
    if (!open.empty())
      rotor_.notes.push_back("joints with clearance count as they are with the rotor in the middle: " + joined(open));
    if (!rotor_.uneven.empty())
      rotor_.notes.push_back(
          "the rotor ('" + rotor_.uneven +
          "') is not the same in all directions: its modes are found in axes that turn with it; each "
          "is shown with the larger of the two frequencies that it has in fixed axes");
  }

  Model& model_;
  State state_;
  Rotor rotor_;
  int start_ = 0;
};

}  // namespace

std::vector<std::string> Rotor::bodies(const Model& model) const {
  std::vector<std::string> names;
  for (std::size_t n = 0; n < rotates.size(); ++n)
    if (rotates[n] && std::ranges::find(names, model.bodies[model.nodes[n].body]) == names.end())
      names.push_back(model.bodies[model.nodes[n].body]);
  return names;
}

Rotor find_rotor(Assembled& assembled, const std::string& joint) { return RotorFinder(assembled).find(joint); }

void note_speeds_beyond_tables(const Assembled& assembled, const std::vector<double>& speeds, Rotor& rotor) {
  const Model& model = assembled.model;
  const State& state = assembled.state;
  std::vector<std::string> names;
  for (std::size_t e = 0; e < model.elements.size(); ++e) {
    const auto* bearing = dynamic_cast<const CoefficientBearing*>(model.elements[e].get());
    if (!bearing || !rotor.between[e] || !bearing->follows_speed()) continue;
    const Frame& frame = bearing->bearing();
    const Mat3 R = frame.node == ground ? Mat3(Mat3::Identity()) : state.pose[frame.node].R;
    const double sign = (R * frame.axes.col(2)).dot(rotor.axis()) < 0.0 ? -1.0 : 1.0;
    const double first = sign * speeds.front(), last = sign * speeds.back();
    if (std::min(first, last) < bearing->table().front().speed || std::max(first, last) > bearing->table().back().speed)
      names.push_back(bearing->name());
  }
  if (!names.empty())
    rotor.notes.push_back("at speeds outside of their tables, bearings are as at the nearest entry: " + joined(names));
}

}  // namespace freeplay
