#pragma once

#include <functional>

#include "equilibrium_solver.h"
#include "freeplay/analysis/dynamic.h"

namespace freeplay {

/// Follows the equilibrium from no load to the full loads, in steps of the load factor or of the length of the path
/// (Riks: Newton's method in the plane normal to the path), and says where it becomes unstable.
class LoadPath {
 public:
  using Record = std::function<void(const State&)>;
  /// From `unloaded`, which has the load factor 0.
  LoadPath(const State& unloaded, const AnalysisSpec& analysis, EquilibriumSolver& solver, Observer& observer,
           Record record);

  /// Throws NumericalFailure if the full loads are not reached.
  RunEnd follow();
  double load_factor() const { return here_.state.load_factor; }  ///< that it has reached

 private:
  enum class Control { load, arc_length };

  void start();
  /// The equilibrium one step further along the path, if it can be reached and the path does not turn sharply.
  std::optional<Equilibrium> step(double length) const;
  std::optional<Equilibrium> step_to_load(double load_factor) const;
  bool jumps(const State& there, double length) const;
  std::optional<Equilibrium> attempt(double length, Control control, double load_factor) const;
  bool take_step();
  void accept(Equilibrium next, double length, Control control);
  void adapt(int iterations);

  bool stability_changes(const Equilibrium& there) const;
  bool is_beyond_critical_point(const Equilibrium& there) const;
  Equilibrium critical_point(const Equilibrium& there, double length, Control control) const;
  void tell(const Equilibrium& there, const Equilibrium& critical);
  [[noreturn]] void give_up() const;

  double product(std::span<const double> a, std::span<const double> b) const;
  std::vector<double> path_row() const;
  std::vector<double> load_row() const;
  double slope() const { return here_.tangent.back(); }  ///< of the load factor along the path
  double next_load() const;
  double length_for(double load_factor) const { return (load_factor - here_.state.load_factor) / slope(); }

  const AnalysisSpec& analysis_;
  EquilibriumSolver& solver_;
  Observer& observer_;
  Record record_;
  Control control_;
  double largest_increment_;        ///< of the load factor in one step
  double displacement_weight_ = 1;  ///< makes motion and load factor equal parts of the length at the start
  double length_ = 0.0, first_length_ = 0.0;
  double largest_load_factor_ = 0.0;
  Equilibrium here_;
};

}  // namespace freeplay
