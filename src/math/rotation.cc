#include "freeplay/math/rotation.h"

#include <cmath>

namespace freeplay {

Mat3 basis_with_third_axis(const Vec3& direction) {
  const Vec3 third = direction.normalized();
  // The coordinate axis after the one closest to `third`: for z this gives x, and the basis is the identity.
  Vec3::Index closest = 0;
  third.cwiseAbs().maxCoeff(&closest);
  const Vec3 next = Vec3::Unit((closest + 1) % 3);
  const Vec3 first = (next - next.dot(third) * third).normalized();
  Mat3 basis;
  basis << first, third.cross(first), third;
  return basis;
}

}  // namespace freeplay
