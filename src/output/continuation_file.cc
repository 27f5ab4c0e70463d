#include "freeplay/output/continuation_file.h"

#include <algorithm>

#include "freeplay/output/checkpoint.h"

namespace freeplay {

namespace {

/// The numbers of a Ledger, of the statistics and of the control, in the order of the file.
template <class C>
auto scalars(C& c) {
  return std::array{&c.state.time,
                    &c.ledger.kinetic,
                    &c.ledger.elastic,
                    &c.ledger.gravity,
                    &c.ledger.load_work,
                    &c.ledger.drive_work,
                    &c.ledger.damping_loss,
                    &c.ledger.contact,
                    &c.ledger.friction_state,
                    &c.ledger.contact_loss,
                    &c.ledger.friction_loss,
                    &c.ledger.numerical_loss,
                    &c.ledger.projection_loss,
                    &c.ledger.initial,
                    &c.ledger.initial_gravity,
                    &c.ledger.largest_energy,
                    &c.ledger.largest_residual,
                    &c.ledger.residual,
                    &c.memory.dt,
                    &c.memory.previous_dt,
                    &c.memory.estimate.dt,
                    &c.control_step,
                    &c.control_last,
                    &c.next_output,
                    &c.next_frame,
                    &c.statistics.smallest_step,
                    &c.statistics.largest_step,
                    &c.statistics.step_seconds,
                    &c.statistics.output_seconds};
}

template <class C>
auto counters(C& c) {
  return std::array{std::pair{"steps", &c.statistics.steps},
                    std::pair{"newton_iterations", &c.statistics.newton_iterations},
                    std::pair{"factorisations", &c.statistics.factorisations},
                    std::pair{"rejected_not_converged", &c.statistics.rejected_not_converged},
                    std::pair{"rejected_error", &c.statistics.rejected_error},
                    std::pair{"rejected_rotation", &c.statistics.rejected_rotation},
                    std::pair{"rejected_contact", &c.statistics.rejected_contact},
                    std::pair{"ruled_by_motion", &c.statistics.ruled_by_motion},
                    std::pair{"ruled_by_friction", &c.statistics.ruled_by_friction},
                    std::pair{"ruled_by_contact", &c.statistics.ruled_by_contact},
                    std::pair{"ruled_by_target", &c.statistics.ruled_by_target},
                    std::pair{"ruled_by_user", &c.statistics.ruled_by_user}};
}

constexpr std::size_t numbers_per_pose = 12;
constexpr std::size_t numbers_per_contact = 8;

std::vector<double> numbers_of(const std::vector<ContactMemory>& contacts) {
  std::vector<double> numbers;
  for (const ContactMemory& c : contacts)
    numbers.insert(numbers.end(), {double(c.touches), double(c.impact), c.impulse, c.peak,
                                   double(static_cast<int>(c.slip)), c.middle, c.slip_velocity, c.friction_force});
  return numbers;
}

std::vector<double> numbers_of(const std::vector<Vec6>& vectors) {
  std::vector<double> numbers;
  for (const Vec6& vector : vectors) numbers.insert(numbers.end(), vector.begin(), vector.end());
  return numbers;
}

std::vector<Vec6> vectors_of(const std::vector<double>& numbers) {
  std::vector<Vec6> vectors;
  for (std::size_t k = 0; k < numbers.size(); k += 6) vectors.push_back(Vec6::Map(numbers.data() + k));
  return vectors;
}

std::vector<ContactMemory> contacts_of(const std::vector<double>& numbers) {
  std::vector<ContactMemory> contacts;
  for (std::size_t k = 0; k < numbers.size(); k += numbers_per_contact)
    contacts.push_back({numbers[k] != 0.0, numbers[k + 1] != 0.0, numbers[k + 2], numbers[k + 3],
                        static_cast<ContactMemory::Slip>(static_cast<int>(numbers[k + 4])), numbers[k + 5],
                        numbers[k + 6], numbers[k + 7]});
  return contacts;
}

}  // namespace

void write_continuation(const std::filesystem::path& path, const std::string& model_id, const Continuation& c) {
  Checkpoint checkpoint(model_id);
  std::vector<double> poses, dropped, numbers;
  for (const Pose& pose : c.state.pose) {
    poses.insert(poses.end(), pose.x.data(), pose.x.data() + 3);
    poses.insert(poses.end(), pose.R.data(), pose.R.data() + 9);
  }
  for (const bool d : c.dropped) dropped.push_back(d ? 1.0 : 0.0);
  for (const double* value : scalars(c)) numbers.push_back(*value);
  checkpoint.set_array("poses", poses);
  checkpoint.set_array("twists", numbers_of(c.state.twist));
  checkpoint.set_array("twist_rates", numbers_of(c.memory.twist_rate));
  checkpoint.set_array("previous_twist_rates", numbers_of(c.memory.previous_twist_rate));
  checkpoint.set_array("unbalanced", numbers_of(c.memory.unbalanced));
  checkpoint.set_array("multipliers", c.state.multiplier);
  checkpoint.set_array("previous_multipliers", c.memory.multipliers);
  checkpoint.set_array("projection", c.memory.projection);
  checkpoint.set_array("guess_errors", c.memory.guess_errors);
  checkpoint.set_array("accelerations", numbers_of(c.memory.estimate.acceleration));
  checkpoint.set_array("kinetic_energies", c.memory.estimate.kinetic);
  checkpoint.set_array("internal", c.state.internal);
  checkpoint.set_array("dropped", dropped);
  checkpoint.set_array("contacts", numbers_of(c.contacts));
  checkpoint.set_array("joint_use", c.joint_use);
  checkpoint.set_array("numbers", numbers);
  for (const auto& [name, value] : counters(c)) checkpoint.set_integer(name, *value);
  checkpoint.write(path);
}

Continuation read_continuation(const std::filesystem::path& path, const std::string& model_id, const Model& model) {
  const Checkpoint checkpoint = Checkpoint::read(path, model_id);
  const std::size_t n = model.nodes.size();
  Continuation c;
  const auto& poses = checkpoint.array("poses", numbers_per_pose * n);
  for (std::size_t k = 0; k < n; ++k) {
    const double* pose = poses.data() + numbers_per_pose * k;
    c.state.pose.push_back({Vec3::Map(pose), Mat3::Map(pose + 3)});
  }
  c.state.twist = vectors_of(checkpoint.array("twists", 6 * n));
  c.memory.twist_rate = vectors_of(checkpoint.array("twist_rates", 6 * n));
  c.memory.previous_twist_rate = vectors_of(checkpoint.array("previous_twist_rates", 6 * n));
  c.memory.unbalanced = vectors_of(checkpoint.array("unbalanced", 6 * n));
  const auto n_equations = static_cast<std::size_t>(model.n_equations);
  const auto n_multipliers = static_cast<std::size_t>(model.n_multipliers);
  c.state.multiplier = checkpoint.array("multipliers", n_multipliers);
  c.memory.multipliers = checkpoint.array("previous_multipliers", n_multipliers);
  c.memory.projection = checkpoint.array("projection", n_multipliers);
  c.memory.guess_errors = checkpoint.array("guess_errors");
  c.memory.estimate.acceleration = vectors_of(checkpoint.array("accelerations", 6 * n));
  c.memory.estimate.kinetic = checkpoint.array("kinetic_energies", model.bodies.size());
  c.state.internal = checkpoint.array("internal", static_cast<std::size_t>(model.n_internal));
  for (const double d : checkpoint.array("dropped", n_equations)) c.dropped.push_back(d != 0.0);
  const auto n_contacts = std::count_if(model.elements.begin(), model.elements.end(),
                                        [](const auto& element) { return element->is_contact(); });
  c.contacts = contacts_of(checkpoint.array("contacts", numbers_per_contact * static_cast<std::size_t>(n_contacts)));
  c.joint_use = checkpoint.array("joint_use");
  const auto targets = scalars(c);
  const auto& numbers = checkpoint.array("numbers", targets.size());
  for (std::size_t k = 0; k < targets.size(); ++k) *targets[k] = numbers[k];
  for (const auto& [name, value] : counters(c)) *value = checkpoint.integer(name);
  return c;
}

}  // namespace freeplay
