#pragma once

#include <algorithm>
#include <cmath>

namespace freeplay {

/// The energy ledger: what is stored now, and what has gone in and out since the start. All in J.
struct Ledger {
  double kinetic = 0.0;
  double elastic = 0.0;
  double gravity = 0.0;
  double contact = 0.0;         ///< potential of the contacts
  double friction_state = 0.0;  ///< in the bristles of friction laws

  double load_work = 0.0;
  double drive_work = 0.0;

  double damping_loss = 0.0;
  double contact_loss = 0.0;
  double friction_loss = 0.0;
  double numerical_loss = 0.0;   ///< alpha/2 times the squared jumps
  double projection_loss = 0.0;  ///< of the velocity projection

  double initial = 0.0;           ///< total energy at the start
  double initial_gravity = 0.0;   ///< its zero is arbitrary: only the change since the start has a meaning
  double largest_energy = 0.0;    ///< largest of the stored energies seen so far, the scale of the residual
  double largest_residual = 0.0;  ///< of a single step
  double residual = 0.0;          ///< accumulated: what the bookkeeping cannot explain; round-off if all is right

  double total() const { return kinetic + elastic + gravity + contact + friction_state; }
  double expected() const {
    return initial + load_work + drive_work - damping_loss - contact_loss - friction_loss - numerical_loss -
           projection_loss;
  }
  /// Residual in units of the largest energy; a mechanism that creeps stores none, and what was turned over counts.
  double relative_residual() const {
    const double scale = std::max({largest_energy, std::abs(load_work), std::abs(drive_work), friction_loss});
    return scale > 0.0 ? std::abs(residual) / scale : 0.0;
  }
};

}  // namespace freeplay
