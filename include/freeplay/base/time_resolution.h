#pragma once

namespace freeplay {

/// The shortest time that counts in an analysis with this end [s]: some fifty units in the last place of it.
inline double time_resolution(double end) { return 1e-14 * end; }

}  // namespace freeplay
