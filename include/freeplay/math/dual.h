#pragma once

// Numbers that carry their derivatives (forward automatic differentiation with Sacado), and how Eigen treats them.

#include <Sacado_ConfigDefs.h>
// Only the header-only part of Sacado is wanted, without its ties to Teuchos and Kokkos.
#undef HAVE_SACADO_TEUCHOSCORE
#undef HAVE_SACADO_TEUCHOSCOMM
#undef HAVE_SACADO_TEUCHOSNUMERICS
#undef HAVE_SACADO_KOKKOSCORE
#include <Sacado_Fad_SFad.hpp>

#include "freeplay/math/types.h"

namespace freeplay {

/// Derivatives by the motion (dx, dphi) of the two nodes that something acts between.
using Dual = Sacado::Fad::SFad<double, 12>;

}  // namespace freeplay

namespace Eigen {

template <>
struct NumTraits<freeplay::Dual> : NumTraits<double> {
  using Real = freeplay::Dual;
  using NonInteger = freeplay::Dual;
  using Nested = freeplay::Dual;
  enum {
    IsComplex = 0,
    IsInteger = 0,
    IsSigned = 1,
    RequireInitialization = 1,
    ReadCost = 13,
    AddCost = 13,
    MulCost = 26
  };
};
template <class Operation>
struct ScalarBinaryOpTraits<freeplay::Dual, double, Operation> {
  using ReturnType = freeplay::Dual;
};
template <class Operation>
struct ScalarBinaryOpTraits<double, freeplay::Dual, Operation> {
  using ReturnType = freeplay::Dual;
};

}  // namespace Eigen

namespace freeplay {

template <class T>
using Vector3 = Eigen::Matrix<T, 3, 1>;
template <class T>
using Matrix3 = Eigen::Matrix<T, 3, 3>;

inline double value_of(double x) { return x; }
inline double value_of(const Dual& x) { return x.val(); }

inline Vec3 values_of(const Vector3<double>& v) { return v; }
inline Vec3 values_of(const Vector3<Dual>& v) { return {v[0].val(), v[1].val(), v[2].val()}; }

/// |v|, with the derivative zero (instead of none) at v = 0.
template <class T>
T length_of(const Vector3<T>& v) {
  using std::sqrt;
  const T square = v.dot(v);
  if (value_of(square) == 0.0) return T(0.0);
  return sqrt(square);
}

}  // namespace freeplay
