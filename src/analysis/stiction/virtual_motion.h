#pragma once

#include <Eigen/SparseCore>

#include "freeplay/assembly/assembly.h"

namespace freeplay {

/// The independent motions of the bodies of a model, before joints: of each node, or of a whole beam if it is rigid,
/// without those that `fix` excludes. Rotations are made lengths, so that all forces on them are in N.
///
/// Columns: body twists of all nodes (6 for each) that belong to one of them.
Eigen::SparseMatrix<double> virtual_motions(const Assembled& assembled, bool rigid_beams);

/// A force and moment on a node in inertial axes, as forces on body twists.
Vec6 in_body_axes(const Pose& pose, const Vec6& force);

}  // namespace freeplay
