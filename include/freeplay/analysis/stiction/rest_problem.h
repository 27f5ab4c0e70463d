#pragma once

#include <string>
#include <vector>

#include "freeplay/analysis/stiction/friction_problem.h"
#include "freeplay/assembly/assembly.h"

namespace freeplay {

/// Which forces of a model at rest are asked for.
struct RestQuestion {
  double time = 0.0;                ///< of the loads [s]
  std::vector<std::string> scaled;  ///< loads (or `gravity`) that the load factor multiplies; empty: all
  bool rigid_beams = false;
  double search = 1.0;  ///< how much, beside the usual, is searched before questions are given up
};

/// A model at rest in its assembled position, as a friction problem.
struct RestProblem {
  FrictionProblem friction;
  bool is_elastic = false;                 ///< with all friction joints held, springs or beams still let it deform
  std::vector<std::string> open_contacts;  ///< that do not touch, and have no force
};

/// InputError if the model has no friction joints, nor contacts with friction that touch, or moves, or there is no load
/// of a name in `scaled`.
RestProblem rest_problem(const Assembled& assembled, const RestQuestion& question);

}  // namespace freeplay
