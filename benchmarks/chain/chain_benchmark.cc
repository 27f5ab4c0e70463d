// Cost per step against the number of bodies: a chain of links on hinges swings down from the horizontal.
// Counts every call of malloc in the process (also those of PETSc and KLU) while it steps.
//
//   build/chain_benchmark                      table
//   build/chain_benchmark --benchmark_format=json

#include <benchmark/benchmark.h>

#include <atomic>
#include <cstdlib>

#include "freeplay/assembly/assembly.h"
#include "freeplay/scheme/time_stepper.h"
#include "freeplay/solver/petsc_session.h"
#include "freeplay/solver/petsc_solvers.h"

namespace {
std::atomic<long> n_allocations{0};
}

// The symbols of the program come first in the search of the dynamic linker, so every library allocates through these.
extern "C" {
void* __libc_malloc(std::size_t);
void* __libc_calloc(std::size_t, std::size_t);
void* __libc_realloc(void*, std::size_t);
void* __libc_memalign(std::size_t, std::size_t);
void* malloc(std::size_t size) {
  ++n_allocations;
  return __libc_malloc(size);
}
void* calloc(std::size_t n, std::size_t size) {
  ++n_allocations;
  return __libc_calloc(n, size);
}
void* realloc(void* old, std::size_t size) {
  ++n_allocations;
  return __libc_realloc(old, size);
}
int posix_memalign(void** result, std::size_t alignment, std::size_t size) {
  ++n_allocations;
  *result = __libc_memalign(alignment, size);
  return *result ? 0 : 12;
}
void* aligned_alloc(std::size_t alignment, std::size_t size) {
  ++n_allocations;
  return __libc_memalign(alignment, size);
}
}

namespace {

using namespace freeplay;

/// Links of 1 m and 1 kg; every other hinge has another axis, so that the chain moves in space.
ModelSpec chain(int n_links) {
  ModelSpec spec;
  spec.file = "chain";
  spec.gravity = {0.0, -9.81, 0.0};
  for (int k = 0; k < n_links; ++k) {
    RigidBodySpec link;
    link.name = "link" + std::to_string(k);
    link.mass = 1.0;
    link.inertia = {0.01, 1.0 / 12.0, 1.0 / 12.0, 0.0, 0.0, 0.0};
    link.at = Vec3(k + 0.5, 0.0, 0.0);
    link.points = {{"left", Vec3(-0.5, 0.0, 0.0), {}, {}}, {"right", Vec3(0.5, 0.0, 0.0), {}, {}}};
    spec.bodies.push_back(link);
    JointSpec hinge;
    hinge.name = "hinge" + std::to_string(k);
    hinge.type = "revolute";
    hinge.between[0] =
        k == 0 ? FrameRef{"ground", "", {}, {}} : FrameRef{"link" + std::to_string(k - 1), "right", {}, {}};
    hinge.between[1] = {link.name, "left", {}, {}};
    hinge.axis = k % 2 == 0 ? Vec3(0.0, 0.0, 1.0) : Vec3(0.0, 0.3, 1.0).normalized();
    spec.joints.push_back(hinge);
  }
  return spec;
}

void step_of_a_chain(benchmark::State& state) {
  const int n_links = static_cast<int>(state.range(0));
  Assembled assembled = assemble(chain(n_links));
  PetscSolvers solvers;
  TimeStepper stepper(assembled.model, assembled.state, StepperOptions{}, solvers);
  constexpr double dt = 1e-3;
  constexpr int warm_up = 20;
  for (int k = 0; k < warm_up; ++k) stepper.step(dt);
  long iterations = 0, factorisations = 0, failed = 0;
  long allocations = 0;
  for (auto _ : state) {
    const long before = n_allocations;
    const StepReport report = stepper.step(dt);
    allocations += n_allocations - before;
    iterations += report.newton_iterations;
    factorisations += report.factorisations;
    failed += !report.accepted();
  }
  const auto steps = static_cast<double>(state.iterations());
  state.counters["us/link"] =
      benchmark::Counter(steps * n_links * 1e-6, benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
  state.counters["newton"] = static_cast<double>(iterations) / steps;
  state.counters["factorisations"] = static_cast<double>(factorisations) / steps;
  state.counters["allocations"] = static_cast<double>(allocations) / steps;
  state.counters["failed"] = static_cast<double>(failed);
  state.counters["ledger"] = stepper.ledger().relative_residual();
}

BENCHMARK(step_of_a_chain)->RangeMultiplier(10)->Range(10, 10000)->Unit(benchmark::kMillisecond)->Iterations(100);

}  // namespace

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  const PetscSession petsc;
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
