#include "freeplay/results/scene.h"

#include <algorithm>

#include "freeplay/assembly/joint_reaction.h"
#include "scene_description.h"

namespace freeplay {

namespace {

constexpr std::size_t numbers_in_pose = 7, numbers_in_force = 3, numbers_in_contact = 11;

/// Writes one number after the other.
class Numbers {
 public:
  explicit Numbers(std::span<float> numbers) : next_(numbers.begin()) {}
  void put(double number) { *next_++ = static_cast<float>(number); }
  void put(const Vec3& vector) {
    for (const double component : vector) put(component);
  }
  /// Of the two quaternions of a rotation the one whose last component is not negative.
  void put(const Pose& pose) {
    Eigen::Quaterniond q(pose.R);
    q.normalize();
    if (q.w() < 0.0) q.coeffs() = -q.coeffs();
    put(pose.x);
    for (const double component : q.coeffs()) put(component);  // x y z w
  }

 private:
  std::span<float>::iterator next_;
};

/// Of an animation: 0 open, 1 touches and slips, 2 sticks.
int drawn_state(const ContactPoint& point) {
  enum { open, sticks, slips };  // of a ContactPoint
  return point.state == sticks ? 2 : point.state == slips ? 1 : 0;
}

}  // namespace

Scene::Scene(const ModelSpec& spec, const Assembled& assembled)
    : spec_(spec),
      assembled_(assembled),
      model_(assembled.model),
      frames_(spec, assembled),
      joints_(reported_joints(model_)) {
  std::size_t n_values = 0;
  for (std::size_t e = 0; e < model_.elements.size(); ++e) {
    if (model_.elements[e]->is_contact()) contacts_.push_back(e);
    // An actuator acts on both bodies of its joint, and has no arrow.
    if (!model_.elements[e]->is_load() || model_.elements[e]->quantities().size() < 3) continue;
    loads_.push_back(e);
    n_values = std::max(n_values, model_.elements[e]->quantities().size());
  }
  values_.resize(n_values);
}

std::size_t Scene::n_numbers() const {
  return numbers_in_pose * frames_.size() + numbers_in_force * (joints_.size() + loads_.size()) +
         numbers_in_contact * contacts_.size();
}

void Scene::numbers(const State& state, std::span<const double> multipliers, std::span<float> numbers) {
  set_instant(state, now_);
  Numbers out(numbers);
  for (const Pose& pose : frames_.at(state)) out.put(pose);
  for (const ReportedJoint& joint : joints_) out.put(reaction(model_, joint, state, now_, multipliers).force);
  for (const std::size_t load : loads_) {
    model_.elements[load]->evaluate(now_, internal_of(model_, state, load), values_);
    out.put(Vec3(Vec3::Map(values_.data())));
  }
  for (const std::size_t contact : contacts_) {
    const ContactPoint point = model_.elements[contact]->contact_point(now_, internal_of(model_, state, contact));
    out.put(point.position);
    out.put(point.normal_force);
    out.put(point.friction_force);
    out.put(point.gap);
    out.put(drawn_state(point));
  }
}

nlohmann::json Scene::description() const {
  nlohmann::json scene = SceneDescription(spec_, assembled_, joints_, loads_, contacts_).json();
  scene["record_bytes"] = sizeof(double) + n_numbers() * sizeof(float);
  return scene;
}

}  // namespace freeplay
