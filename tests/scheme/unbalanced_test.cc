#include <gtest/gtest.h>

#include "scheme/momenta_testing.h"
#include "scheme/simulation_testing.h"

namespace freeplay {
namespace {

// Protects: what Newton's method leaves unbalanced is balanced in the next step: the momenta of a beam that tumbles
// along in space do not drift. (Otherwise they would by 2e-6 and 9e-5 in these thousand steps.)
TEST(Unbalanced, momenta_do_not_drift) {
  StepperOptions options;
  options.newton_tolerance = 1e-6;
  Simulation simulation(R"yaml(freeplay: 1
sections: {s: {stiffness: {axial: 1e4, shear: 4e3, bending: [1, 3], torsion: 0.8}, mass: 1, rotary: [0.01, 0.01, 0.02]}}
bodies: {b: {beam: {section: s, from: [0, 0, 0], to: [1, 0, 0], elements: 2, degree: 3, velocity: [5, 1, 2], angular-velocity: [1, 2, 6], free: true}}}
analysis: {dynamic: {end: 1}}
)yaml",
                        options);
  const Vec6 before = momenta_of(simulation.model(), simulation.state());
  simulation.run(5e-3, 1000);
  const Vec6 drift = momenta_of(simulation.model(), simulation.state()) - before;
  EXPECT_LT(drift.head<3>().norm(), 0.2 * options.newton_tolerance * before.head<3>().norm());
  EXPECT_LT(drift.tail<3>().norm(), 10.0 * options.newton_tolerance * before.tail<3>().norm());
}

}  // namespace
}  // namespace freeplay
