#pragma once

// The tables of keys of the model file. Each function describes one thing that a user can write.

#include "freeplay/deck/alternative.h"
#include "freeplay/deck/clearance_type.h"
#include "freeplay/deck/spec.h"

namespace freeplay {

/// `crank`, `crank.tip`, `ground`, `ground.support`, `shaft.end`, `shaft@0.5`. Whether it exists is checked later
/// (check_model).
Format<FrameRef> frame_reference();

Format<std::vector<PointSpec>> points();
/// Directions in which a `body` or a `section` (for messages) cannot move, in its own axes.
Format<std::vector<Dof>> fixed_directions(const std::string& what);
Table<RigidBodySpec> point_mass_table();
Table<RigidBodySpec> rigid_body_table();

Format<std::vector<SectionSpec>> sections();
/// Written as four numbers if it is diagonal, else as a matrix.
Format<Mat6> section_stiffness();
/// One positive number for both directions, or two.
Format<std::array<double, 2>> one_or_two(const std::string& unit);
Table<BeamSpec> beam_table();
/// Ways to say where the axis of a beam is; an empty list of points is not written.
Format<std::vector<Vec3>> polyline();
Format<std::vector<Vec3>> spline();
Format<ArcSpec> arc();
bool is_size_of_a_part(double length);  ///< [m]; false for numbers that only a wrong unit can explain

/// The name of a law in the section `what`. Whether it exists is checked later.
Format<std::string> law_reference(const std::string& what);

std::vector<Alternative<JointSpec>> joint_types();
std::vector<Alternative<SpringSpec>> spring_types();
std::vector<Alternative<LoadSpec>> load_types();
Alternative<LineLoadSpec> line_load();
Alternative<ActuatorSpec> actuator();

std::vector<Alternative<ClearanceSpec>> clearance_types();

Format<AnalysisSpec> analysis();
Table<OutputSpec> output_table();

Table<ModelSpec> model_table();

/// What concerns more than one thing: names that must exist, places and axes that must be known, bodies that hang in
/// the air. `root` is the file, which knows the names of things that could not be read.
void check_model(const ModelSpec& model, const YamlNode& root, Reader& reader);

/// Where `shaft.start`, `shaft.end` or `shaft@0.5` is along the beam; nothing for any other place.
std::optional<double> place_along_beam(const FrameRef& reference);

/// Puts in what is known only when everything has been read: the first axes that were not given, and s in the
/// references to the ends of beams.
void complete_beams(ModelSpec& model);

}  // namespace freeplay
