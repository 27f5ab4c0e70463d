#pragma once

#include <string>
#include <vector>

#include "freeplay/assembly/assembly.h"
#include "freeplay/stiction/friction_problem.h"

namespace freeplay {

/// Which forces of a model at rest are asked for.
struct RestQuestion {
  double time = 0.0;                ///< of the loads [s]
  std::vector<std::string> scaled;  ///< loads (or `gravity`) that the load factor multiplies; empty: all
  bool rigid_beams = false;
};

/// A model at rest in its assembled position, as a friction problem.
struct RestProblem {
  FrictionProblem friction;
  bool is_elastic = false;    ///< with all friction joints held, springs or beams still let it deform
  bool has_contacts = false;  ///< whose forces are taken as they are
};

/// InputError if the model has no friction joints, or moves, or there is no load of a name in `scaled`.
RestProblem rest_problem(const Assembled& assembled, const RestQuestion& question);

}  // namespace freeplay
