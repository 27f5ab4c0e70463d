#include <numbers>

#include "freeplay/laws/friction/bristles.h"
#include "freeplay/laws/friction/register.h"

namespace freeplay {
namespace {

/// Dupont, Hayward, Armstrong and Altpeter 2002, eqs 8-11: LuGre whose bristles do not creep below break-away,
/// dz/dt = v - alpha(z, v) s0 |v|/g(v) z. alpha is 0 up to the break-away deflection and while the bristles are let
/// loose, and rises to 1 (LuGre) at the steady deflection g(v)/s0. Defects of LuGre that are left: those of damping s1
/// and of a growing load (LuGreBristles).
struct ElastoPlasticBristles : LuGreBristles {
  double elastic_part = 0.0;  ///< z_ba over the steady deflection

  template <class T>
  T rate(const Vector3<T>& slip, const T& N, const Vector3<T>& z) const {
    using std::sin;
    const T speed = length_of(slip);
    const T deflection = stiffness * length_of(z) / curve(speed);  // in steady deflections
    if (value_of(deflection) <= elastic_part || value_of(T(slip.dot(z))) <= 0.0) return T(0.0);
    const T steady = LuGreBristles::rate<T>(slip, N, z);
    if (value_of(deflection) >= 1.0) return steady;
    const T fraction = (deflection - elastic_part) / (1.0 - elastic_part);  // from 0 to 1
    return steady * 0.5 * (1.0 + sin(T(std::numbers::pi * (fraction - 0.5))));
  }
};

struct ElastoPlastic : BristleKeys {
  double elastic_part = 0.7;

  static Table<ElastoPlastic> keys() {
    auto table = bristle_table<ElastoPlastic>(
        "Friction elasto-plastic",
        "LuGre bristles that are elastic until they break away: a load below static friction that comes and goes does "
        "not make them creep.",
        "1/m", "s/m");
    table.optional("elastic-part", &ElastoPlastic::elastic_part, number("", between(0, 0.99)),
                   "Deflection up to which they are elastic, as a part of that of steady slip.");
    return table;
  }
  std::shared_ptr<const FrictionLaw> law() const {
    return std::make_shared<BristleFriction<ElastoPlasticBristles>>(
        ElastoPlasticBristles{{curve(), sigma0, sigma1, sigma2, resolved()}, elastic_part});
  }
};

const RegisterFriction<ElastoPlastic> elasto_plastic("elasto-plastic");

}  // namespace
}  // namespace freeplay
