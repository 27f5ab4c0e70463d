#include "freeplay/analysis/rotor_response.h"

#include <Eigen/SparseLU>
#include <algorithm>
#include <cmath>

#include "freeplay/base/diagnostics.h"
#include "freeplay/base/names.h"
#include "freeplay/base/units.h"

namespace freeplay {

namespace {

using Complex = std::complex<double>;
using ComplexVector = Eigen::VectorXcd;
using ComplexSparse = Eigen::SparseMatrix<Complex>;
constexpr Complex imaginary_unit(0.0, 1.0);

class ResponseFinder {
 public:
  ResponseFinder(const Assembled& assembled, const RotorRequest& request, SolverFactory& solvers, RotorResponse& result)
      : assembled_(assembled),
        request_(request),
        result_(result),
        rotor_(result.rotor),
        equations_(assembled, result.rotor, solvers) {}

  void run() {
    choose_quantities();
    const bool is_over_speeds = request_.what == RotorRequest::What::unbalance;
    points_with_shapes_ = points_with_shapes(is_over_speeds ? request_.speeds.size() : request_.frequencies.size(), 1,
                                             model().nodes.size());
    request_.what == RotorRequest::What::unbalance ? over_speeds() : over_frequencies();
  }

 private:
  const Model& model() const { return assembled_.model; }

  const OutputPoint& point(const std::string& name, const char* option) const {
    std::vector<std::string> names;
    for (const OutputPoint& candidate : model().points) {
      if (candidate.name == name) return candidate;
      names.push_back(candidate.name);
    }
    throw InputError(std::string("error: ") + option + ": there is no place '" + name + "'" +
                     did_you_mean(name, names) + " (places: " + joined(names) + ")\n");
  }

  void choose_quantities() {
    for (const std::string& name : request_.places) points_.push_back(&point(name, "--at"));
    if (request_.places.empty())
      for (const OutputPoint& candidate : model().points)
        if (rotor_.rotates[candidate.frame.node]) points_.push_back(&candidate);
    for (const OutputPoint* p : points_) result_.quantities.push_back({p->name, false, {}});
    for (const int joint : rotor_.joints) result_.quantities.push_back({model().joints[joint].name, true, {}});
    for (std::size_t e = 0; e < model().elements.size(); ++e) {
      const ForceElement& element = *model().elements[e];
      if (!rotor_.between[e] || element.is_load() || element.is_contact() || element.quantities().empty()) continue;
      if (std::ranges::any_of(model().joints, [&](const Joint& j) { return j.name == element.name(); })) continue;
      elements_.push_back(e);
      result_.quantities.push_back({element.name(), true, {}});
    }
  }

  /// A vector that turns with the rotor, as an amplitude in fixed axes: v cos(w t) + (e x v) sin(w t).
  Eigen::Vector3cd in_fixed_axes(const Eigen::Vector3cd& v) const {
    if (rotor_.axes == Rotor::Axes::fixed) return v;
    const Vec3 e = rotor_.axis(), real = v.real();
    const Vec3 along = e.dot(real) * e, across = real - along;
    return across.cast<Complex>() - imaginary_unit * e.cross(across).cast<Complex>();
  }

  void add_force(int node, const Vec3& offset, const Eigen::Vector3cd& force, ComplexVector& right_side) const {
    const Mat3 R_t = equations_.state().pose[node].R.transpose();
    const Eigen::Vector3cd own = R_t * force;
    WhirlEquations::Twist wrench;
    wrench << own, skew(offset) * own;
    add_wrench(node, wrench, right_side);
  }

  void add_wrench(int node, const WhirlEquations::Twist& wrench, ComplexVector& right_side) const {
    const std::vector<int>& free = equations_.unknowns().free(node);
    for (std::size_t k = 0; k < free.size(); ++k)
      right_side[equations_.mass.first(node) + static_cast<int>(k)] += wrench[free[k]];
  }

  /// A vector fixed in the rotor that turns with it, as the equations want it.
  Eigen::Vector3cd rotating_with_rotor(const Vec3& v) const {
    if (rotor_.axes == Rotor::Axes::rotating) return v.cast<Complex>();
    const Vec3 e = rotor_.axis(), along = e.dot(v) * e, across = v - along;
    return across.cast<Complex>() - imaginary_unit * e.cross(across).cast<Complex>();
  }

  /// Centrifugal forces of the unbalance: (w~, V~)^T M nu of the part of the masses that is taken out, in body axes.
  ComplexVector unbalance_forces(double speed) const {
    ComplexVector right_side = ComplexVector::Zero(equations_.mass.size());
    const SteadyRotation rotation = rotor_.rotation(speed);
    for (const UnbalanceSpec& unbalance : request_.unbalances) {
      const OutputPoint& where = point(unbalance.place, "--unbalance");
      const Vec3 direction =
          std::cos(unbalance.angle) * rotor_.basis.col(0) + std::sin(unbalance.angle) * rotor_.basis.col(1);
      add_force(where.frame.node, where.frame.offset, rotating_with_rotor(unbalance.amount * speed * speed * direction),
                right_side);
    }
    if (!request_.unbalances.empty()) return right_side;
    for (std::size_t n = 0; n < model().nodes.size(); ++n) {
      if (rotor_.unbalance[n].isZero(0.0)) continue;
      const Mat3& R = equations_.state().pose[n].R;
      const Vec6 nu = rotation.twist(equations_.state().pose[n]), momentum = rotor_.unbalance[n] * nu;
      const Vec3 w = nu.tail<3>(), V = nu.head<3>(), p = momentum.head<3>(), h = momentum.tail<3>();
      const Vec3 force = -w.cross(p), moment = -w.cross(h) - V.cross(p);
      WhirlEquations::Twist own;
      own << R.transpose() * rotating_with_rotor(R * force), R.transpose() * rotating_with_rotor(R * moment);
      add_wrench(static_cast<int>(n), own, right_side);
    }
    return right_side;
  }

  /// Solves (w^2 M + w C + K) x = f for w = value.
  ComplexVector solved(Complex value, const ComplexVector& right_side, const std::string& where) {
    const int n = equations_.mass.size();
    const Linearisation::Sparse M = Linearisation::sparse(equations_.mass),
                                C = Linearisation::sparse(equations_.damping),
                                K = Linearisation::sparse(equations_.stiffness);
    // In axes that turn with the rotor nothing holds its angle if it has no drive: it is held a little.
    constexpr double hardly = 1e-9;
    const double soft = rotor_.axes == Rotor::Axes::rotating ? hardly * equations_.speed() * equations_.speed() : 0.0;
    ComplexSparse A =
        (M.cast<Complex>() * (value * value + soft) + C.cast<Complex>() * value + K.cast<Complex>()).eval();
    // Joint equations and balances are of very different size; rows are made alike.
    Eigen::VectorXd scale = Eigen::VectorXd::Zero(n);
    for (int c = 0; c < A.outerSize(); ++c)
      for (ComplexSparse::InnerIterator it(A, c); it; ++it)
        scale[it.row()] = std::max(scale[it.row()], std::abs(it.value()));
    for (int r = 0; r < n; ++r) scale[r] = scale[r] > 0.0 ? 1.0 / scale[r] : 1.0;
    const ComplexSparse scaled = scale.cast<Complex>().asDiagonal() * A;
    Eigen::SparseLU<ComplexSparse> solver;
    solver.compute(scaled);
    const ComplexVector b = scale.cast<Complex>().cwiseProduct(right_side);
    ComplexVector x =
        solver.info() == Eigen::Success ? ComplexVector(solver.solve(b)) : ComplexVector::Constant(n, NAN);
    if (x.allFinite()) x += solver.solve(b - scaled * x);
    constexpr double exact = 1e-6;
    if (!x.allFinite() || (scaled * x - b).norm() > exact * b.norm())
      throw NumericalFailure(
          "no response " + where +
          ": the equations are singular there (an undamped resonance, or a motion that nothing holds)");
    return x;
  }

  /// Of points that were chosen before, and of the one where a place has moved most so far.
  void keep_shape(const ComplexVector& x) {
    const std::size_t point = result_.speeds.size() - 1;
    double largest = 0.0;
    for (const ResponseQuantity& quantity : result_.quantities)
      if (!quantity.is_force) largest = std::max(largest, quantity.at.back().largest);
    const bool is_largest = largest > largest_displacement_;
    const bool is_chosen = std::ranges::find(points_with_shapes_, point) != points_with_shapes_.end();
    if (!is_largest && !is_chosen) return;
    VibrationShapes here{point, {{}}};
    for (std::size_t n = 0; n < model().nodes.size(); ++n) {
      const WhirlEquations::Twist motion = equations_.motion_of(static_cast<int>(n), x);
      const Mat3 R_t = equations_.state().pose[n].R.transpose();
      WhirlEquations::Twist own;
      own << R_t * in_fixed_axes(motion.head<3>()), R_t * in_fixed_axes(motion.tail<3>());
      here.shapes[0].push_back(own);
    }
    if (is_largest) {
      std::erase_if(result_.shapes, [&](const VibrationShapes& shapes) {
        return shapes.point == point_of_largest_ &&
               std::ranges::find(points_with_shapes_, shapes.point) == points_with_shapes_.end();
      });
      largest_displacement_ = largest;
      point_of_largest_ = point;
    }
    result_.shapes.push_back(std::move(here));
  }

  void store(const ComplexVector& x, Complex value) {
    std::size_t quantity = 0;
    const auto add = [&](const Eigen::Vector3cd& own) {
      ResponsePoint at{in_fixed_axes(own), 0.0};
      const Complex X = rotor_.basis.col(0).dot(at.amplitude), Y = rotor_.basis.col(1).dot(at.amplitude);
      at.largest = 0.5 * (std::abs(X + imaginary_unit * Y) + std::abs(X - imaginary_unit * Y));
      result_.quantities[quantity++].at.push_back(at);
    };
    for (const OutputPoint* p : points_) {
      const WhirlEquations::Twist motion = equations_.motion_of(p->frame.node, x);
      const Vec3 arm = equations_.state().pose[p->frame.node].R * p->frame.offset;
      add(motion.head<3>() - skew(arm) * motion.tail<3>());
    }
    for (const int joint : rotor_.joints) add(equations_.force_of_joint(joint, x));
    for (const std::size_t e : elements_) add(equations_.force_of_element(e, x, value));
    keep_shape(x);
  }

  void over_speeds() {
    if (request_.unbalances.empty() && !rotor_.has_unbalance)
      throw InputError(
          "error: the rotor has no unbalance: give one, such as --unbalance \"disk: 10 g*mm at 0 deg\", or a `centre` "
          "to "
          "a body or a section of the model\n");
    for (const UnbalanceSpec& unbalance : request_.unbalances) {
      const OutputPoint& where = point(unbalance.place, "--unbalance");
      if (!rotor_.rotates[where.frame.node])
        throw InputError("error: --unbalance: '" + unbalance.place + "' does not turn with the rotor (it is made of " +
                         joined(rotor_.bodies(model())) + ")\n");
    }
    for (const double speed : request_.speeds) {
      equations_.assemble(speed);
      const Complex value = rotor_.axes == Rotor::Axes::fixed ? imaginary_unit * speed : Complex(0.0);
      const ComplexVector f = unbalance_forces(speed);
      result_.speeds.push_back(speed);
      result_.frequencies.push_back(speed);
      store(f.isZero(0.0) ? ComplexVector(ComplexVector::Zero(f.size()))
                          : solved(value, f, "at " + rounded_text(speed) + " rad/s"),
            value);
    }
  }

  /// Components of the load at t = 0.
  ComplexVector load_forces() const {
    State loaded = equations_.state();
    loaded.load_factor = 1.0;
    Motion now, later;
    set_instant(loaded, now);
    later = now;
    later.time += 0.1234;
    std::vector<Vec6> forces(model().nodes.size(), Vec6::Zero()), at_another_time = forces;
    for (std::size_t e = 0; e < model().elements.size(); ++e) {
      const ForceElement& element = *model().elements[e];
      if (!element.is_load()) continue;
      element.add_forces(now, internal_of(model(), loaded, e), forces);
      element.add_forces(later, internal_of(model(), loaded, e), at_another_time);
    }
    if (forces != at_another_time || std::ranges::all_of(forces, [](const Vec6& f) { return f.isZero(0.0); }))
      throw InputError("error: --load: the components of '" + request_.load +
                       "' must be constant and not all zero: they are the amplitudes of the vibration\n");
    ComplexVector right_side = ComplexVector::Zero(equations_.mass.size());
    for (std::size_t n = 0; n < forces.size(); ++n) {
      const Mat3 R_t = equations_.state().pose[n].R.transpose();
      WhirlEquations::Twist own;
      own << (-R_t * forces[n].head<3>()).cast<Complex>(), (-R_t * forces[n].tail<3>()).cast<Complex>();
      add_wrench(static_cast<int>(n), own, right_side);
    }
    return right_side;
  }

  void over_frequencies() {
    const double speed = request_.speeds.front();
    if (speed > 0.0 && rotor_.axes == Rotor::Axes::rotating)
      throw InputError("error: the rotor ('" + rotor_.uneven +
                       "') is not the same in all directions: at speed, a load of one frequency makes vibrations of "
                       "several. Its response is possible at rest (without --speed)\n");
    rotor_.axes = Rotor::Axes::fixed;  // at rest, where there is no difference
    equations_.assemble(speed);
    const ComplexVector f = load_forces();
    for (const double frequency : request_.frequencies) {
      result_.speeds.push_back(speed);
      result_.frequencies.push_back(frequency);
      store(solved(imaginary_unit * frequency, f, "at " + rounded_text(frequency) + " rad/s"),
            imaginary_unit * frequency);
    }
  }

  const Assembled& assembled_;
  const RotorRequest& request_;
  RotorResponse& result_;
  Rotor& rotor_;
  WhirlEquations equations_;
  std::vector<const OutputPoint*> points_;
  std::vector<std::size_t> elements_;
  std::vector<std::size_t> points_with_shapes_;
  double largest_displacement_ = 0.0;
  std::size_t point_of_largest_ = 0;
};

}  // namespace

RotorResponse find_response(Assembled& assembled, const RotorRequest& request, SolverFactory& solvers) {
  RotorResponse result;
  // The load whose response is asked for does not act in the steady state.
  assembled.state.load_factor = 0.0;
  result.rotor = find_rotor(assembled, request.joint);
  note_speeds_beyond_tables(assembled, request.speeds, result.rotor);
  ResponseFinder(assembled, request, solvers, result).run();
  return result;
}

}  // namespace freeplay
