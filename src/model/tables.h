#pragma once

// The tables of keys of the model file. Each function describes one thing that a user can write.

#include "freeplay/input/table.h"
#include "freeplay/model/spec.h"

namespace freeplay {

/// `crank`, `crank.tip`, `ground`, `ground.support`. Whether it exists is checked later (check_model).
Format<FrameRef> frame_reference();

Format<std::vector<PointSpec>> points();
Table<RigidBodySpec> rigid_body_table();

std::vector<Alternative<JointSpec>> joint_types();
std::vector<Alternative<SpringSpec>> spring_types();
std::vector<Alternative<LoadSpec>> load_types();

Format<AnalysisSpec> analysis();
Table<OutputSpec> output_table();

Table<ModelSpec> model_table();

/// What concerns more than one thing: names that must exist, places and axes that must be known, bodies that hang in
/// the air. `root` is the file, which knows the names of things that could not be read.
void check_model(const ModelSpec& model, const YamlNode& root, Reader& reader);

}  // namespace freeplay
