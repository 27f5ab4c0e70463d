#include "freeplay/analysis/modes.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "freeplay/analysis/reference_state.h"
#include "freeplay/base/diagnostics.h"
#include "freeplay/solver/eigen_solver.h"

namespace freeplay {

namespace {

using Complex = std::complex<double>;
using ComplexVector = Eigen::VectorXcd;

/// Finds the modes of linearised equations.
class ModeSolver {
 public:
  ModeSolver(Linearisation& equations, const Team& team) : ModeSolver(equations, equations, team) {}
  /// `plain`: the same equations in the plain form, whose round-off tells what may count as symmetric.
  ModeSolver(Linearisation& equations, Linearisation& plain, const Team& team)
      : equations_(equations),
        shared_{team, equations.owners(team)},
        n_dofs_(equations.n_degrees_of_freedom()),
        mass_(Linearisation::sparse(equations.mass).topLeftCorner(n_dofs_, n_dofs_)),
        stiffness_size_(Linearisation::sparse(equations.stiffness).topLeftCorner(n_dofs_, n_dofs_).cwiseAbs()),
        largest_stiffness_by_mass_(equations.largest_stiffness_by_mass()),
        is_conservative_(plain.is_conservative()),
        symmetric_(equations.stiffness) {
    const Linearisation::Sparse transposed = Linearisation::sparse(equations.stiffness).transpose();
    for (std::size_t k = 0; k < symmetric_.value().size(); ++k)
      symmetric_.value()[k] = 0.5 * (symmetric_.value()[k] + transposed.valuePtr()[k]);
    // The mixed form of elements that are stiff in every way.
    if (largest_stiffness_by_mass_ == 0.0) largest_stiffness_by_mass_ = plain.largest_stiffness_by_mass();
  }

  /// All ways in which the model can move.
  int n_possible() const { return n_dofs_ - equations_.n_equations(); }

  /// Whether the lowest frequencies stand out from round-off: there is one, and its square is far above that.
  bool is_exact(int n) {
    constexpr double far_above = 1e4;
    n = std::min(n, n_possible());
    pairs_ = conservative_pairs(n);
    const double lowest = lowest_square(pairs_);
    return static_cast<int>(pairs_.size()) == n && std::isfinite(lowest) && lowest == lowest_square(pairs_, far_above);
  }
  bool has_stiffness() const { return stiffness_size_.coeffs().maxCoeff() > 0.0; }

  std::vector<Mode> solve(int n) {
    n = std::min(n, n_possible());
    if (pairs_.empty()) pairs_ = conservative_pairs(n);
    const bool only_vibrates = !equations_.rotation().rotates() && !equations_.has_dampers() && is_conservative_;
    std::vector<Mode> modes = only_vibrates ? from_squares(pairs_) : from_roots(general_pairs(n));
    std::ranges::stable_sort(modes, [](const Mode& a, const Mode& b) { return rank(a) < rank(b); });
    if (static_cast<int>(modes.size()) > n) modes.resize(n);
    if (static_cast<int>(modes.size()) < n)
      throw NumericalFailure("only " + std::to_string(modes.size()) + " of " + std::to_string(n) +
                             " modes were found; ask for fewer with -n");
    return modes;
  }

 private:
  static std::pair<int, double> rank(const Mode& mode) {
    const int first = mode.kind == Mode::Kind::unstable ? 0 : mode.kind == Mode::Kind::rigid ? 1 : 2;
    return {first, std::abs(mode.value)};
  }

  ComplexVector vector_of(const Eigenpair& pair) const {
    return Eigen::Map<const ComplexVector>(pair.vector.data(), n_dofs_);
  }

  /// Smallest square of a frequency that is not just round-off of x^T K x / x^T M x.
  double noise(const ComplexVector& x) const {
    constexpr double round_off = 100.0 * std::numeric_limits<double>::epsilon();
    const Eigen::VectorXd size = x.cwiseAbs();
    const double of_quotient = size.dot(stiffness_size_ * size) / std::real(x.dot(mass_ * x));
    return round_off * std::max(of_quotient, 0.1 * largest_stiffness_by_mass_);
  }

  /// Without damping and gyroscopic forces. A first try, with a shift that is far too large or too small, says how
  /// large the lowest frequency is.
  std::vector<Eigenpair> conservative_pairs(int n) {
    constexpr double first_guess = 1e-6, beside_it = 0.7;
    const double shift = -first_guess * largest_stiffness_by_mass_;
    std::vector<Eigenpair> pairs = symmetric_eigenpairs(symmetric_, equations_.mass, n, shift, shared_);
    const double lowest = lowest_square(pairs);
    if (!std::isfinite(lowest)) return pairs;
    return symmetric_eigenpairs(symmetric_, equations_.mass, n, -beside_it * lowest, shared_);
  }

  /// Of those that are more than so many times round-off.
  double lowest_square(const std::vector<Eigenpair>& pairs, double times_noise = 1.0) const {
    double lowest = INFINITY;
    for (const Eigenpair& pair : pairs) {
      const double square = std::abs(pair.value.real());
      if (square > times_noise * noise(vector_of(pair))) lowest = std::min(lowest, square);
    }
    return lowest;
  }

  std::vector<Eigenpair> general_pairs(int n) {
    constexpr double beside_it = 0.7;
    const double lowest = lowest_square(pairs_);
    double shift = 0.3 * equations_.rotation().velocity.norm();
    if (std::isfinite(lowest)) shift = std::max(shift, beside_it * std::sqrt(lowest));
    if (shift == 0.0) shift = 1.0;
    return quadratic_eigenpairs(is_conservative_ ? symmetric_ : equations_.stiffness, equations_.damping,
                                equations_.mass, n_dofs_, 2 * n, shift, shared_);
  }

  std::vector<Mode> from_squares(const std::vector<Eigenpair>& pairs) const {
    std::vector<Mode> modes;
    for (const Eigenpair& pair : pairs) {
      const ComplexVector x = vector_of(pair);
      const double square = pair.value.real();
      if (std::abs(square) <= noise(x))
        modes.push_back(make_mode(Mode::Kind::rigid, 0.0, x));
      else if (square < 0.0)
        modes.push_back(make_mode(Mode::Kind::unstable, std::sqrt(-square), x));
      else
        modes.push_back(make_mode(Mode::Kind::vibration, Complex(0.0, std::sqrt(square)), x));
    }
    return modes;
  }

  /// A vibration has two conjugate roots, of which one is kept. A rigid motion has zero twice, or, where dampers hinder
  /// it, once.
  std::vector<Mode> from_roots(const std::vector<Eigenpair>& pairs) const {
    std::vector<Mode> modes;
    int n_zeros = 0;
    for (const Eigenpair& pair : pairs) {
      const ComplexVector x = vector_of(pair);
      const double size = std::abs(pair.value);
      const double rounding = std::sqrt(noise(x));
      if (size <= rounding) {
        if (n_zeros++ % 2 == 0) modes.push_back(make_mode(Mode::Kind::rigid, 0.0, x));
        continue;
      }
      if (pair.value.imag() < 0.0) continue;
      constexpr double imaginary = 1e-8;  // relative accuracy of the real part
      Complex value = pair.value;
      if (std::abs(value.real()) <= imaginary * size) value.real(0.0);
      const bool vibrates = value.imag() > imaginary * size;
      modes.push_back(make_mode(value.real() > 0.0 ? Mode::Kind::unstable
                                : vibrates         ? Mode::Kind::vibration
                                                   : Mode::Kind::decay,
                                vibrates ? value : Complex(value.real(), 0.0), x));
    }
    return modes;
  }

  Mode make_mode(Mode::Kind kind, Complex value, const ComplexVector& x) const {
    Mode mode{kind, value, "", 0.0, {}};
    const Unknowns& unknowns = equations_.unknowns();
    std::map<std::string, double> energy;
    double total = 0.0;
    for (int n = 0; n < unknowns.n_nodes(); ++n) {
      Mode::Twist twist = Mode::Twist::Zero();
      const auto& free = unknowns.free(n);
      for (std::size_t k = 0; k < free.size(); ++k) twist[free[k]] = x[equations_.mass.first(n) + k];
      const Node& node = equations_.model().nodes[n];
      const double part = std::real(twist.dot(node.mass * twist));
      energy[equations_.model().bodies[node.body]] += part;
      total += part;
      mode.shape.push_back(twist);
    }
    for (const auto& [body, part] : energy)
      if (part > mode.share * total) {
        mode.body = body;
        mode.share = part / total;
      }
    return mode;
  }

  Linearisation& equations_;
  SharedOut shared_;
  int n_dofs_;
  Linearisation::Sparse mass_, stiffness_size_;
  double largest_stiffness_by_mass_;
  bool is_conservative_;
  BlockMatrix symmetric_;         ///< symmetric part of the stiffness
  std::vector<Eigenpair> pairs_;  ///< without damping and gyroscopic forces
};

State reference(Assembled& assembled, const AnalysisSpec& analysis, const ModesRequest& request,
                const SteadyRotation& rotation, SolverFactory& solvers) {
  switch (request.about) {
    case ModesRequest::About::rest:
      return rest_reference(assembled, analysis, solvers);
    case ModesRequest::About::rotation:
      return rotating_reference(assembled, rotation, solvers);
    case ModesRequest::About::assembled:
      break;
  }
  return assembled_reference(assembled, solvers);
}

}  // namespace

Modes find_modes(Assembled& assembled, const AnalysisSpec& analysis, const ModesRequest& request,
                 SolverFactory& solvers) {
  if (assembled.report.mobility() == 0)
    throw InputError("error: the model has no natural frequencies: its joints and drives let nothing move\n");
  Modes result;
  if (request.about == ModesRequest::About::rotation)
    result.rotation = rotation_about(request.axis, request.speed, assembled);
  result.state = reference(assembled, analysis, request, result.rotation, solvers);
  Linearisation equations(assembled.model, result.rotation);
  equations.assemble(result.state);
  ModeSolver solver(equations, solvers.team());
  if (!solver.has_stiffness())
    throw InputError(
        std::string("error: the model has no natural frequencies: nothing in it is elastic, and ") +
        (request.about == ModesRequest::About::assembled
             ? "gravity and loads are left out; add a spring or a beam, or use --static to count gravity and loads\n"
             : "neither gravity nor loads pull it back; add a spring or a beam\n"));
  result.damped = equations.has_dampers();
  if (solver.is_exact(request.n)) {
    result.modes = solver.solve(request.n);
    return result;
  }
  Linearisation mixed(assembled.model, result.rotation, Linearisation::Form::mixed);
  mixed.assemble(result.state);
  result.modes = ModeSolver(mixed, equations, solvers.team()).solve(request.n);
  return result;
}

}  // namespace freeplay
