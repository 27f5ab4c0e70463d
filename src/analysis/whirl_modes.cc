#include "freeplay/analysis/whirl_modes.h"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>

#include "freeplay/base/diagnostics.h"
#include "freeplay/solver/eigen_solver.h"

namespace freeplay {

namespace {

/// Relative accuracy of the real part. Shift and invert finds 1/(value - shift) to about 1e-11 of its largest, so that
/// values far from the shift are less exact.
double accuracy_of_real_part(double size, double shift) {
  constexpr double of_near_ones = 1e-8, of_inverse = 1e-11;
  return std::max(of_near_ones, of_inverse * size / std::abs(shift));
}

/// How much a vector (X, Y) exp(i w t) goes round forward and backward: squares of X + iY and X - iY.
struct Rounds {
  double forward = 0.0, backward = 0.0;
  double sum() const { return forward + backward; }
  double difference() const { return forward - backward; }
};

Rounds rounds_of(const Eigen::Vector3cd& v, const Mat3& basis) {
  const std::complex<double> X = basis.col(0).dot(v), Y = basis.col(1).dot(v), i(0.0, 1.0);
  return {std::norm(X + i * Y), std::norm(X - i * Y)};
}

}  // namespace

WhirlSolver::WhirlSolver(const Assembled& assembled, const Rotor& rotor, SolverFactory& solvers)
    : assembled_(assembled),
      rotor_(rotor),
      solvers_(solvers),
      equations_(std::make_unique<WhirlEquations>(assembled, rotor, solvers)) {}

double WhirlSolver::noise(const Eigen::VectorXcd& x) const {
  constexpr double round_off = 100.0 * std::numeric_limits<double>::epsilon();
  const Eigen::VectorXd size = x.cwiseAbs();
  const double of_quotient = size.dot(stiffness_size_ * size) / std::real(x.dot(mass_ * x));
  return round_off * std::max(of_quotient, 0.1 * largest_stiffness_by_mass_);
}

bool WhirlSolver::is_solution(Complex value, const Eigen::VectorXcd& x) const {
  if (is_mixed_) return true;  // forces in elements are unknowns there, and their part is not in K
  constexpr double nearly = 1e-3;
  const Complex inertia = value * value * x.dot(mass_ * x), drag = value * x.dot(damping_ * x),
                elastic = x.dot(stiffness_ * x);
  return std::abs(inertia + drag + elastic) <= nearly * (std::abs(inertia) + std::abs(drag) + std::abs(elastic));
}

WhirlModes WhirlSolver::modes_near(double shift, int n_pairs) {
  WhirlEquations& e = *equations_;
  WhirlModes result;
  result.speed = e.speed();
  int n_zeros = 0;
  for (Eigenpair& pair :
       quadratic_eigenpairs(e.stiffness, e.damping, e.mass, e.n_degrees_of_freedom(), n_pairs, shift)) {
    Eigen::VectorXcd x = Eigen::Map<Eigen::VectorXcd>(pair.vector.data(), e.n_degrees_of_freedom());
    const double size = std::abs(pair.value);
    if (size * size <= noise(x)) {
      ++n_zeros;
      continue;
    }
    if (pair.value.imag() < 0.0 || !is_solution(pair.value, x)) continue;
    Complex value = pair.value;
    const double exact = accuracy_of_real_part(size, shift);
    if (std::abs(value.real()) <= exact * size) value.real(0.0);
    const bool vibrates = value.imag() > exact * size;
    if (!vibrates) value.imag(0.0);
    // What creeps back in axes that turn with the rotor goes round with it in fixed ones.
    constexpr double hardly_vibrates = 0.99;
    if ((!vibrates && value.real() <= 0.0) || -value.real() > hardly_vibrates * size)
      ++result.n_creeping;
    else
      result.modes.push_back(make_mode(value, std::move(x)));
  }
  result.n_rigid = (n_zeros + 1) / 2;
  if (rotor_.axes == Rotor::Axes::fixed && e.speed() > 0.0) part_equal_modes(result.modes);
  std::ranges::stable_sort(result.modes, {}, [](const WhirlMode& mode) { return mode.frequency(); });
  return result;
}

WhirlSolver::Complex WhirlSolver::difference_of_rounds(const Eigen::VectorXcd& a, const Eigen::VectorXcd& b) const {
  const Model& model = equations_->model();
  const Complex i(0.0, 1.0);
  Complex sum = 0.0;
  for (std::size_t n = 0; n < model.nodes.size(); ++n) {
    if (!rotor_.rotates[n]) continue;
    const auto of_a = equations_->motion_of(static_cast<int>(n), a),
               of_b = equations_->motion_of(static_cast<int>(n), b);
    const Mat6& M = model.nodes[n].mass;
    for (int part = 0; part < 2; ++part) {
      const Eigen::Vector3cd u = of_a.segment<3>(3 * part), v = of_b.segment<3>(3 * part);
      const Complex Xa = rotor_.basis.col(0).dot(u), Ya = rotor_.basis.col(1).dot(u);
      const Complex Xb = rotor_.basis.col(0).dot(v), Yb = rotor_.basis.col(1).dot(v);
      const double weight = part == 0 ? M(0, 0) : M.diagonal().tail<3>().minCoeff();
      sum += weight * (std::conj(Xa + i * Ya) * (Xb + i * Yb) - std::conj(Xa - i * Ya) * (Xb - i * Yb));
    }
  }
  return sum;
}

void WhirlSolver::part_equal_modes(std::vector<WhirlMode>& modes) const {
  constexpr double equal = 1e-6;
  for (std::size_t k = 0; k < modes.size(); ++k)
    for (std::size_t l = k + 1; l < modes.size(); ++l) {
      if (std::abs(modes[k].own - modes[l].own) > equal * std::abs(modes[k].own)) continue;
      const std::array<const Eigen::VectorXcd*, 2> x{&modes[k].vector, &modes[l].vector};
      Eigen::Matrix2cd rounds, masses;
      for (int r = 0; r < 2; ++r)
        for (int c = 0; c < 2; ++c) {
          rounds(r, c) = difference_of_rounds(*x[r], *x[c]);
          masses(r, c) = x[r]->dot(mass_ * *x[c]);
        }
      const Eigen::GeneralizedSelfAdjointEigenSolver<Eigen::Matrix2cd> parted(rounds, masses);
      if (parted.info() != Eigen::Success) continue;
      const Eigen::Matrix2cd& V = parted.eigenvectors();
      Eigen::VectorXcd first = V(0, 0) * *x[0] + V(1, 0) * *x[1], second = V(0, 1) * *x[0] + V(1, 1) * *x[1];
      modes[k] = make_mode(modes[k].own, std::move(first));
      modes[l] = make_mode(modes[l].own, std::move(second));
    }
}

/// A first try, with a shift that is far too large or too small, says how large the lowest frequency is, and whether it
/// stands out from round-off; if not, the mixed form is used (see Linearisation).
void WhirlSolver::choose_form() {
  constexpr double first_guess = 1e-3, beside_it = 0.7, far_above = 1e4;
  const double largest = largest_stiffness_by_mass_;
  const int n_pairs = 2 * std::min(equations_->n_possible(), 10);
  double lowest = INFINITY;
  bool exact = true;
  for (const WhirlMode& mode : modes_near(first_guess * std::sqrt(largest), n_pairs).modes) {
    const double size = std::abs(mode.own);
    lowest = std::min(lowest, size);
    exact = exact && size * size > far_above * noise(mode.vector);
  }
  shift_ = std::isfinite(lowest) ? beside_it * lowest : first_guess * std::sqrt(largest);
  form_is_chosen_ = true;
  if (exact && std::isfinite(lowest)) return;
  const double speed = equations_->speed();
  is_mixed_ = true;
  equations_ = std::make_unique<WhirlEquations>(assembled_, rotor_, solvers_, Linearisation::Form::mixed);
  equations_->assemble(speed);
}

WhirlModes WhirlSolver::modes(double speed, int n) {
  constexpr int n_extra = 6;
  WhirlEquations* e = equations_.get();
  e->assemble(speed);
  const int n_dofs = e->n_degrees_of_freedom();
  const auto refresh = [&] {
    mass_ = Linearisation::sparse(e->mass).topLeftCorner(n_dofs, n_dofs);
    damping_ = Linearisation::sparse(e->damping).topLeftCorner(n_dofs, n_dofs);
    stiffness_ = Linearisation::sparse(e->stiffness).topLeftCorner(n_dofs, n_dofs);
    stiffness_size_ = stiffness_.cwiseAbs();
    // The mixed form of elements that are stiff in every way has none.
    if (const double largest = e->largest_stiffness_by_mass(); largest > 0.0) largest_stiffness_by_mass_ = largest;
  };
  refresh();
  if (!form_is_chosen_) {
    if (stiffness_size_.coeffs().size() == 0 || stiffness_size_.coeffs().maxCoeff() == 0.0)
      throw InputError("error: the model has no natural frequencies: nothing in it is elastic\n");
    choose_form();
    e = equations_.get();
    refresh();
  }
  const int n_possible = e->n_possible();
  const double shift = std::max(shift_, rotor_.axes == Rotor::Axes::rotating ? 0.3 * speed : 0.0);
  for (int n_asked = (rotor_.axes == Rotor::Axes::rotating ? 2 : 1) * n + n_extra;; n_asked *= 2) {
    WhirlModes found = modes_near(shift, 2 * std::min(n_asked, n_possible));
    if (static_cast<int>(found.modes.size()) >= n || n_asked >= n_possible) return found;
  }
}

WhirlMode WhirlSolver::make_mode(Complex value, Eigen::VectorXcd vector) const {
  WhirlMode mode;
  mode.own = mode.value = mode.identity = value;
  mode.vector = std::move(vector);
  set_whirl(mode);
  set_body(mode);
  return mode;
}

/// Displacements and tilts of all nodes of the rotor, weighted as in the kinetic energy.
void WhirlSolver::set_whirl(WhirlMode& mode) const {
  constexpr double hardly = 1e-3, nearly_planar = 0.01, some = 0.05;
  const Model& model = equations_->model();
  Rounds all;
  double forward_places = 0.0, backward_places = 0.0;
  for (std::size_t n = 0; n < model.nodes.size(); ++n) {
    if (!rotor_.rotates[n]) continue;
    const WhirlEquations::Twist motion = equations_->motion_of(static_cast<int>(n), mode.vector);
    const Mat6& M = model.nodes[n].mass;
    const Mat3 inertia = equations_->state().pose[n].R.transpose() * rotor_.basis;
    const double across = 0.5 * (inertia.col(0).dot(M.bottomRightCorner<3, 3>() * inertia.col(0)) +
                                 inertia.col(1).dot(M.bottomRightCorner<3, 3>() * inertia.col(1)));
    const Rounds shift = rounds_of(motion.head<3>(), rotor_.basis), tilt = rounds_of(motion.tail<3>(), rotor_.basis);
    const Rounds here{M(0, 0) * shift.forward + across * tilt.forward,
                      M(0, 0) * shift.backward + across * tilt.backward};
    all.forward += here.forward;
    all.backward += here.backward;
    (here.difference() > 0.0 ? forward_places : backward_places) += std::abs(here.difference());
  }
  if (all.sum() < hardly * 2.0 * std::real(mode.vector.dot(mass_ * mode.vector))) return;
  const double speed = equations_->speed();
  if (rotor_.axes == Rotor::Axes::rotating) {
    // z = (X + iY)/2 exp(i w t) + (X* + iY*)/2 exp(-i w t) in rotating axes is z exp(i speed t) in fixed ones. Of a
    // mode and its conjugate, that one is kept whose X + iY is larger.
    if (all.backward > all.forward) {
      mode.own = std::conj(mode.own);
      mode.vector = mode.vector.conjugate().eval();
    }
    const double frequency = speed + mode.own.imag();
    mode.identity.imag(frequency);
    mode.value.imag(std::abs(frequency));
    mode.whirl = speed == 0.0 ? Whirl::planar : frequency >= 0.0 ? Whirl::forward : Whirl::backward;
    return;
  }
  const double less = std::min(forward_places, backward_places), more = std::max(forward_places, backward_places);
  mode.whirl = speed == 0.0 || more < nearly_planar * all.sum() ? Whirl::planar
               : less > some * more                             ? Whirl::mixed
               : all.difference() > 0.0                         ? Whirl::forward
                                                                : Whirl::backward;
}

void WhirlSolver::set_body(WhirlMode& mode) const {
  const Model& model = equations_->model();
  std::map<std::string, double> energy;
  double total = 0.0;
  for (std::size_t n = 0; n < model.nodes.size(); ++n) {
    const WhirlEquations::Twist motion = equations_->motion_of(static_cast<int>(n), mode.vector);
    const Mat3 R_t = equations_->state().pose[n].R.transpose();
    WhirlEquations::Twist own;
    own << R_t * motion.head<3>(), R_t * motion.tail<3>();
    const double part = std::real(own.dot(model.nodes[n].mass * own));
    energy[model.bodies[model.nodes[n].body]] += part;
    total += part;
  }
  for (const auto& [body, part] : energy)
    if (part > mode.share * total) {
      mode.body = body;
      mode.share = part / total;
    }
}

double WhirlSolver::likeness(const WhirlMode& a, const WhirlMode& b) const {
  const Eigen::VectorXcd of_b = mass_ * b.vector;
  const double product = std::norm(a.vector.dot(of_b));
  return product / (std::real(a.vector.dot(mass_ * a.vector)) * std::real(b.vector.dot(of_b)));
}

double WhirlSolver::kinship(const WhirlMode& a, const WhirlMode& b) const {
  constexpr double far = 0.2;
  // What does not whirl yet becomes forward or backward.
  const bool is_to_and_fro = a.whirl == Whirl::planar || b.whirl == Whirl::planar;
  const auto identity = [&](const WhirlMode& mode) { return is_to_and_fro ? mode.value : mode.identity; };
  const double distance = std::abs(identity(b) - identity(a)) / (far * std::abs(a.identity));
  return likeness(a, b) / (1.0 + distance * distance);
}

}  // namespace freeplay
