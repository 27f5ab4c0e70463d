#pragma once

#include <string>
#include <vector>

#include "freeplay/mechanics/model.h"

namespace freeplay {

/// A joint as results know it: by its equations, by contacts, or by both (planar-clearance).
struct ReportedJoint {
  std::string name;
  Frame a, b;                         ///< `axes of a` are the joint's own axes
  int joint = -1;                     ///< among those of the model; -1: it has no equations
  std::vector<std::size_t> contacts;  ///< elements of the model
};

/// Those of the model in their order, then those that are made of contacts alone.
std::vector<ReportedJoint> reported_joints(const Model& model);

/// In its contacts or in its equations.
bool has_friction(const Model& model, const ReportedJoint& joint);

}  // namespace freeplay
