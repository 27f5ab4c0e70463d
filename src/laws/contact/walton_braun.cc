#include <algorithm>
#include <array>

#include "freeplay/laws/contact/register.h"

namespace freeplay {
namespace {

/// Walton and Braun 1986: an elastic-plastic contact. It is loaded along k_1 d and unloaded along k_2 (d - d_0), to the
/// permanent dent d_0 = d_max (1 - k_1/k_2), where d_max is the deepest penetration so far; loaded again it takes the
/// same way back. Its restitution is sqrt(k_1/k_2) at every speed, and nothing in it depends on rates. The dent is
/// forgotten when the bodies part.
class WaltonBraunLaw final : public ContactLaw {
 public:
  WaltonBraunLaw(double loading, double unloading) : k_1_(loading), k_2_(unloading) {}

  int n_memory() const override { return 1; }  // d_max
  void remember(double, double d_f, std::span<double> memory) const override {
    memory[0] = std::max({memory[0], d_f, 0.0});
  }
  double step_force(double d_i, double d_f, double, double, std::span<const double> memory) const override {
    return mean_force<double>(d_i, d_f, memory[0]);
  }
  Dual step_force(double d_i, const Dual& d_f, double, double, std::span<const double> memory) const override {
    return mean_force<Dual>(d_i, d_f, memory[0]);
  }
  double force(double d, double, double, std::span<const double> memory) const override {
    return curve<double>(d, memory[0]);
  }
  double stored_energy(double d, std::span<const double> memory) const override {
    const double stretch = std::max(0.0, d - dent(std::max(memory[0], d)));
    return d > 0.0 ? 0.5 * k_2_ * stretch * stretch : 0.0;
  }
  double depth_of(double energy) const override { return std::sqrt(2.0 * energy / k_1_); }
  double secant_stiffness(double) const override { return k_1_; }

 private:
  double dent(double deepest) const { return deepest * (1.0 - k_1_ / k_2_); }

  template <class T>
  T curve(const T& d, double deepest) const {
    if (value_of(d) >= deepest) return value_of(d) > 0.0 ? T(k_1_ * d) : T(0.0);
    return value_of(d) > dent(deepest) ? T(k_2_ * (d - dent(deepest))) : T(0.0);
  }

  /// The curve is made of straight pieces: the mean over a step is summed piece by piece, without a difference that
  /// loses digits.
  template <class T>
  T mean_force(double d_i, const T& d_f, double deepest) const {
    if (d_i == value_of(d_f)) return curve<T>(d_f, deepest);
    const std::array<double, 2> kinks{dent(deepest), deepest};
    const T change = d_f - d_i;
    T from = d_i, mean = 0.0;
    const auto go_to = [&](const T& to) {
      mean += 0.5 * (curve<T>(from, deepest) + curve<T>(to, deepest)) * ((to - from) / change);
      from = to;
    };
    const bool deeper = value_of(change) > 0.0;
    for (const double kink : {deeper ? kinks[0] : kinks[1], deeper ? kinks[1] : kinks[0]})
      if ((kink - value_of(from)) * value_of(change) > 0.0 && (value_of(d_f) - kink) * value_of(change) > 0.0)
        go_to(T(kink));
    go_to(d_f);
    return mean;
  }

  double k_1_, k_2_;  ///< [N/m]
};

struct WaltonBraun {
  double loading = 0.0, unloading = 0.0;  ///< k_1, k_2 [N/m]

  static Table<WaltonBraun> keys() {
    Table<WaltonBraun> table("Contact walton-braun",
                             "Elastic-plastic: loaded along k_1 d, unloaded along the steeper k_2 (d - d_0) to a dent "
                             "d_0. Restitution sqrt(k_1/k_2) at every speed.");
    table.required("loading-stiffness", &WaltonBraun::loading, number("N/m", above(0)), "k_1.");
    table.required("unloading-stiffness", &WaltonBraun::unloading, number("N/m", above(0)), "k_2, at least k_1.");
    table.check([](const WaltonBraun& law, const Given& given, Reader& reader) {
      if (given.has("loading-stiffness") && given.has("unloading-stiffness") && law.unloading < law.loading)
        error_at("unloading-stiffness", "must not be smaller than 'loading-stiffness'", given, reader);
    });
    return table;
  }
  bool needs_radius() const { return false; }
  std::shared_ptr<const ContactLaw> law(double) const { return std::make_shared<WaltonBraunLaw>(loading, unloading); }
};

const RegisterContact<WaltonBraun> walton_braun("walton-braun");

}  // namespace
}  // namespace freeplay
