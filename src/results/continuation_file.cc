#include "freeplay/results/continuation_file.h"

#include <algorithm>

#include "freeplay/assembly/reported_joints.h"
#include "freeplay/results/checkpoint.h"

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
                    &c.last_output,
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

/// One row after the other: lock, offset, number of factors, factors.
std::vector<double> numbers_of(const ShareRows& shares) {
  std::vector<double> numbers;
  for (const ShareRow& share : shares) {
    numbers.insert(numbers.end(), {double(share.lock.friction), double(share.lock.slip), share.offset,
                                   static_cast<double>(share.factors.size())});
    for (const auto& [multiplier, factor] : share.factors) numbers.insert(numbers.end(), {double(multiplier), factor});
  }
  return numbers;
}

/// Numbers that make no sense have passed a checksum: they are ours.
ShareRows shares_of(const std::vector<double>& numbers) {
  ShareRows shares;
  for (std::size_t k = 0; k < numbers.size();) {
    ShareRow share{{static_cast<int>(numbers[k]), static_cast<int>(numbers[k + 1])}, {}, numbers[k + 2]};
    const auto n = static_cast<std::size_t>(numbers[k + 3]);
    k += 4;
    for (std::size_t f = 0; f < n; ++f, k += 2)
      share.factors.emplace_back(static_cast<int>(numbers[k]), numbers[k + 1]);
    shares.push_back(std::move(share));
  }
  return shares;
}

void add_written(const Written& written, Checkpoint& checkpoint) {
  checkpoint.set_integer("history_size", written.history_size);
  checkpoint.set_integer("events_size", written.events_size);
  checkpoint.set_integer("n_rows", written.n_rows);
  checkpoint.set_array("last_time", std::array{written.last_time});
  checkpoint.set_array("joint_use", written.joint_use);
  std::vector<double> extremes;
  for (const JointExtreme& e : written.extremes)
    extremes.insert(extremes.end(), {e.force, e.moment, e.force_time, e.moment_time});
  checkpoint.set_array("extremes", extremes);
}

Written read_written(const Checkpoint& checkpoint, const Model& model) {
  constexpr std::size_t numbers_per_joint = 4;
  Written written{checkpoint.integer("history_size"),
                  checkpoint.integer("events_size"),
                  checkpoint.integer("n_rows"),
                  checkpoint.array("last_time", 1)[0],
                  {},
                  checkpoint.array("joint_use")};
  const auto& extremes = checkpoint.array("extremes", numbers_per_joint * reported_joints(model).size());
  for (std::size_t k = 0; k < extremes.size(); k += numbers_per_joint)
    written.extremes.push_back({extremes[k], extremes[k + 1], extremes[k + 2], extremes[k + 3]});
  return written;
}

}  // namespace

void write_continuation(const std::filesystem::path& path, const std::string& model_id, const SavedRun& run,
                        Durability durability) {
  const Continuation& c = run.continuation;
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
  checkpoint.set_array("frictions", std::vector<double>(c.frictions.begin(), c.frictions.end()));
  if (c.memory.shares) checkpoint.set_array("shares", numbers_of(*c.memory.shares));
  checkpoint.set_array("numbers", numbers);
  for (const auto& [name, value] : counters(c)) checkpoint.set_integer(name, *value);
  checkpoint.set_integer("ruled_by_friction_last", c.ruled_by_friction);
  add_written(run.written, checkpoint);
  checkpoint.write(path, durability);
}

SavedRun read_continuation(const std::filesystem::path& path, const std::string& model_id, const Model& model) {
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
  const auto& frictions = checkpoint.array("frictions", model.frictions.size());
  c.frictions.assign(frictions.begin(), frictions.end());
  if (checkpoint.has_array("shares")) c.memory.shares = shares_of(checkpoint.array("shares"));
  const auto targets = scalars(c);
  const auto& numbers = checkpoint.array("numbers", targets.size());
  for (std::size_t k = 0; k < targets.size(); ++k) *targets[k] = numbers[k];
  for (const auto& [name, value] : counters(c)) *value = checkpoint.integer(name);
  c.ruled_by_friction = checkpoint.integer("ruled_by_friction_last") != 0;
  return {std::move(c), read_written(checkpoint, model)};
}

}  // namespace freeplay
