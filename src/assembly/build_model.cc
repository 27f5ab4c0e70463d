#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <memory>
#include <stdexcept>

#include "build_beams.h"
#include "clearances.h"
#include "couplings.h"
#include "freeplay/assembly/assembly.h"
#include "freeplay/base/diagnostics.h"
#include "freeplay/mechanics/applied_load.h"
#include "freeplay/mechanics/coefficient_bearing.h"
#include "freeplay/mechanics/ideal_joint.h"
#include "freeplay/mechanics/joint_angle.h"
#include "freeplay/mechanics/spring.h"
#include "places.h"

namespace freeplay {

namespace {

Mat3 inertia_matrix(const std::array<double, 6>& i) {
  Mat3 m;
  m << i[0], i[3], i[4], i[3], i[1], i[5], i[4], i[5], i[2];
  return m;
}

void add_bodies(const ModelSpec& spec, Model& model, State& state, std::vector<GivenParts>& given) {
  for (const RigidBodySpec& body : spec.bodies) {
    Node node{body.name, body.where, rigid_mass(body.mass, body.centre, inertia_matrix(body.inertia)), {}};
    for (const Dof dof : body.fix) node.fixed[static_cast<int>(dof)] = true;
    node.is_point = body.is_point;
    if (body.is_point) std::fill(node.fixed.begin() + 3, node.fixed.end(), true);
    model.nodes.push_back(node);
    const Mat3 R = body.rotation.value_or(Mat3::Identity());
    state.pose.push_back({body.at.value_or(Vec3::Zero()), R});
    Vec6 twist;
    twist << R.transpose() * body.velocity.value_or(Vec3::Zero()),
        R.transpose() * body.angular_velocity.value_or(Vec3::Zero());
    for (int k = 0; k < 6; ++k)
      if (node.fixed[k]) twist[k] = 0.0;
    state.twist.push_back(twist);
    given.push_back({body.at.has_value(), body.rotation.has_value() || body.at.has_value() || body.is_point,
                     body.velocity.has_value(), body.angular_velocity.has_value() || body.is_point});
  }
}

/// Bodies without `at` are put where their first joint to a body that has a place wants them.
void place_the_rest(const ModelSpec& spec, const Places& places, State& state, std::vector<GivenParts> given) {
  for (bool progress = true; progress;) {
    progress = false;
    for (const JointSpec& joint : spec.joints) {
      for (int side = 0; side < 2; ++side) {
        const int node = places.node(joint.between[side]);
        const int other = places.node(joint.between[1 - side]);
        if (node == ground || given[node].position || (other != ground && !given[other].position)) continue;
        if (is_apart(joint)) continue;
        const Frame target = places.frame(joint.between[1 - side]);
        const bool known = joint.at || places.is_place(joint.between[1 - side]) || other != ground;
        if (!known) continue;
        const Vec3 x = joint.at ? *joint.at : place(target, places.pose(other)).x;
        state.pose[node].x = x - state.pose[node].R * places.frame(joint.between[side]).offset;
        given[node].position = progress = true;
      }
    }
  }
}

void add_friction(const ModelSpec& spec, const JointSpec& joint, int number, Model& model) {
  const FrictionLawSpec& law =
      *std::find_if(spec.frictions.begin(), spec.frictions.end(),
                    [&](const FrictionLawSpec& candidate) { return candidate.name == joint.friction->law; });
  JointFriction friction = make_joint_friction(joint);
  friction.joint = number;
  friction.law_name = law.name;
  friction.static_coefficient = law.static_coefficient;
  if (law.set_valued_kinetic_coefficient)
    friction.coulomb = CoulombFriction{law.static_coefficient, *law.set_valued_kinetic_coefficient};
  else
    friction.law = law.make();
  model.frictions.push_back(std::move(friction));
}

void add_joints(const ModelSpec& spec, const Places& places, Model& model) {
  Diagnostics diagnostics;
  for (JointSpec joint : spec.joints) {
    std::array<Frame, 2> frames = places.connection(joint.between, joint.at, is_apart(joint));
    places.rotation_to_axis(joint.between, joint.axis, frames);
    if (joint.second_axis) {
      // A cross joint: third axis of A and first axis of B are the two arms of the cross.
      const Mat3 basis = basis_with_third_axis(*joint.second_axis);
      Mat3 axes;
      axes << basis.col(2), basis.col(0), basis.col(1);
      frames[1].axes = places.pose(frames[1].node).R.transpose() * axes;
    }
    const Vec3 a = place(frames[0], places.pose(frames[0].node)).x;
    const Vec3 b = place(frames[1], places.pose(frames[1].node)).x;
    if (!joint.length) joint.length = (b - a).norm();
    if (joint.type == "distance" && !joint.drive.displacement && *joint.length == 0.0) {
      diagnostics.error(joint.where, "joints." + joint.name + "." + joint.type,
                        "its two places are at one point: give a 'length', or place the bodies apart");
      continue;
    }
    try {
      model.joints.push_back(make_ideal_joint(joint, frames[0], frames[1]));
    } catch (const std::invalid_argument& misfit) {
      diagnostics.error(joint.where, "joints." + joint.name + "." + joint.type, misfit.what());
      continue;
    }
    if (rotates_about_axis(joint)) {
      model.joints.back().angle = static_cast<int>(model.elements.size());
      for (Equation& equation : model.joints.back().equations)
        for (Equation::Part& part : equation.parts())
          if (part.coordinate->is_angle()) part.angle = model.joints.back().angle;
      model.elements.push_back(std::make_unique<JointAngle>(joint.name, frames[0], frames[1]));
    }
    if (joint.friction) add_friction(spec, joint, static_cast<int>(model.joints.size()) - 1, model);
  }
  diagnostics.throw_if_errors();
}

/// The journal is where it is named. A bearing is at `at`, or where it is named; if that is ground alone, it is where
/// the journal is, and a plane goes through the origin of ground.
void add_clearances(const ModelSpec& spec, const Places& places, double length, Model& model) {
  for (const ClearanceSpec& joint : spec.clearances) {
    std::array<Frame, 2> frames{places.frame(joint.between[0]), places.frame(joint.between[1])};
    if (joint.at)
      places.attach(*joint.at, frames[0]);
    else if (!clearance_joint_type(joint).keys.is_apart)
      frames = places.connection(joint.between, std::nullopt, false);
    places.rotation_to_axis(joint.between, joint.axis, frames);
    add_contacts(
        spec, joint,
        {frames[0], frames[1], places.pose(frames[0].node).R.transpose(), places.pose(frames[1].node).R.transpose()},
        length, model);
  }
}

PiecewiseLinear law_of(const SpringSpec& spring) {
  return spring.table.empty() ? PiecewiseLinear(spring.stiffness) : PiecewiseLinear(spring.table);
}

BearingCoefficients coefficients_of(const BearingCoefficientsSpec& spec) {
  BearingCoefficients result;
  result.speed = spec.speed;
  for (int r = 0; r < 2; ++r)
    for (int c = 0; c < 2; ++c) {
      result.stiffness(r, c) = spec.stiffness[r][c];
      result.damping(r, c) = spec.damping[r][c];
    }
  return result;
}

std::vector<BearingCoefficients> coefficients_of(const SpringSpec& bearing) {
  std::vector<BearingCoefficients> table;
  for (const BearingCoefficientsSpec& entry : bearing.bearing_table) table.push_back(coefficients_of(entry));
  if (table.empty()) table.push_back(coefficients_of({{}, 0.0, bearing.bearing_stiffness, bearing.bearing_damping}));
  return table;
}

/// Turns both frames about their third axes until the first axis of A lies along a direction.
void rotation_to_first_axis(const Vec3& first_axis, const Mat3& axes_of_a, std::array<Frame, 2>& frames) {
  const Vec3 inside = axes_of_a.transpose() * first_axis;
  const Mat3 rotation = Eigen::AngleAxisd(std::atan2(inside.y(), inside.x()), Vec3::UnitZ()).toRotationMatrix();
  for (Frame& frame : frames) frame.axes = frame.axes * rotation;
}

void add_springs(const ModelSpec& spec, const Places& places, Model& model) {
  for (const SpringSpec& spring : spec.springs) {
    const bool apart = spring.kind == SpringSpec::Kind::translational;
    std::array<Frame, 2> frames = places.connection(spring.between, spring.at, apart);
    places.rotation_to_axis(spring.between, spring.axis, frames);
    if (spring.first_axis)
      rotation_to_first_axis(*spring.first_axis, places.pose(frames[0].node).R * frames[0].axes, frames);
    const Frame& a = frames[0];
    const Frame& b = frames[1];
    switch (spring.kind) {
      case SpringSpec::Kind::translational:
        if (spring.along)
          model.elements.push_back(std::make_unique<DirectedSpring>(spring.name, a, b, *spring.along, law_of(spring),
                                                                    spring.damping, spring.free_length));
        else
          model.elements.push_back(std::make_unique<TranslationalSpring>(spring.name, a, b, law_of(spring),
                                                                         spring.damping, spring.free_length));
        break;
      case SpringSpec::Kind::torsional:
        model.elements.push_back(
            std::make_unique<TorsionalSpring>(spring.name, a, b, law_of(spring), spring.damping, spring.free_angle));
        break;
      case SpringSpec::Kind::bushing:
        model.elements.push_back(std::make_unique<Bushing>(
            spring.name, a, b, Vec6::Map(spring.bushing_stiffness.data()), Vec6::Map(spring.bushing_damping.data())));
        break;
      case SpringSpec::Kind::bearing_coefficients:
        model.elements.push_back(
            std::make_unique<CoefficientBearing>(spring.name, a, b, coefficients_of(spring), spring.bearing_speed));
        break;
    }
  }
}

void add_line_loads(const ModelSpec& spec, const BeamMap& beams, Model& model) {
  for (const LineLoadSpec& load : spec.line_loads) {
    model.elements.push_back(
        std::make_unique<LineLoad>(load.name, beams.at(load.on.body).shares, load.force, load.moment, load.following));
  }
}

void add_measures(const ModelSpec& spec, const Places& places, Assembled& assembled) {
  for (const MeasureSpec& measure : spec.output.measures)
    assembled.measures.push_back({measure.name, places.frame(measure.of), places.frame(measure.in),
                                  !assembled.model.is_point(places.node(measure.of))});
}

void add_output_points(const ModelSpec& spec, Model& model) {
  for (std::size_t n = 0; n < spec.bodies.size(); ++n) {
    const RigidBodySpec& body = spec.bodies[n];
    const int node = static_cast<int>(n);
    model.points.push_back({body.name, {node, Vec3::Zero(), Mat3::Identity()}, !body.is_point, !body.is_point});
    for (const PointSpec& point : body.points)
      model.points.push_back({body.name + "." + point.name, {node, point.at, Mat3::Identity()}, false});
  }
}

/// The elements that meet in a node of a beam.
std::vector<ElementEnd> sides_of(int node, const BeamNodes& beam) {
  std::vector<ElementEnd> sides;
  for (std::size_t e = 0; e < beam.elements.size(); ++e) {
    const BeamElement& element = *beam.elements[e];
    const std::size_t number = beam.first_element + e;
    const int degree = element.n_points();
    if (element.nodes().back() == node) sides.push_back({&element, number, element_point(degree, 1.0)});
    if (element.nodes().front() == node) sides.push_back({&element, number, element_point(degree, 0.0)});
  }
  return sides;
}

/// Whether the section axes on both sides of a place differ, as in a corner: components of forces jump there.
bool is_corner(const std::vector<ElementEnd>& sides, const Motion& start) {
  constexpr double round_off = 1e-9;
  if (sides.size() < 2) return false;
  const auto axes = [&](const ElementEnd& side) { return side.element->interpolated(start, side.point.of_nodes).R; };
  return (axes(sides[0]) - axes(sides[1])).norm() > round_off;
}

/// Beams with their places, each of which is a point of the history as well.
void add_beam_results(const ModelSpec& spec, const BeamMap& beams, Assembled& assembled) {
  Motion start;
  set_instant(assembled.state, start);
  for (const BeamSpec& beam : spec.beams) {
    const BeamNodes& nodes = beams.at(beam.name);
    Beam result{beam.name, nodes.elements, nodes.first_element, {}};
    const std::vector<double> loaded = loaded_places(spec, beam);
    const auto add = [&](const std::string& name, double s) {
      const int node = nodes.at(s);
      assembled.model.points.push_back({beam.name + name, {node, Vec3::Zero(), Mat3::Identity()}});
      const bool is_loaded = std::any_of(loaded.begin(), loaded.end(), [&](double l) { return nodes.at(l) == node; });
      const std::vector<ElementEnd> sides = sides_of(node, nodes);
      result.places.push_back({beam.name + name, sides, is_loaded || is_corner(sides, start)});
    };
    add(".start", 0.0);
    double last = 0.0;
    for (const double s : places_along(spec, beam)) {
      if (s <= last || s >= 1.0) continue;
      char place[32];
      std::snprintf(place, sizeof place, "@%.6g", s);
      add(place, s);
      last = s;
    }
    add(".end", 1.0);
    assembled.beams.push_back(std::move(result));
  }
}

/// Of the bodies and the joints that there are.
double length_scale(const Model& model, const State& state) {
  Vec3 low = state.pose.front().x, high = low;
  for (const Pose& pose : state.pose) {
    low = low.cwiseMin(pose.x);
    high = high.cwiseMax(pose.x);
  }
  double length = (high - low).norm();
  for (const Joint& joint : model.joints)
    for (const Frame& frame : {joint.a, joint.b})
      if (frame.node != ground) length = std::max(length, frame.offset.norm());
  return length > 0.0 ? length : 1.0;
}

double mass_scale(const Model& model) {
  double mass = 0.0;
  for (const Node& node : model.nodes) mass = std::max(mass, node.mass(0, 0));
  return mass;
}

}  // namespace

void build_model(const ModelSpec& spec, Assembled& assembled, std::vector<GivenParts>& given) {
  Model& model = assembled.model;
  State& state = assembled.state;
  add_bodies(spec, model, state, given);
  const BeamMap beams = add_beams(spec, model, state, given);
  const Places places(spec, state, beams);
  place_the_rest(spec, places, state, given);
  add_joints(spec, places, model);
  add_couplings(spec, state, model);
  add_clearances(spec, places, length_scale(model, state), model);
  add_springs(spec, places, model);
  add_measures(spec, places, assembled);
  add_output_points(spec, model);
  add_beam_results(spec, beams, assembled);
  add_loads(
      spec, state, [&](const FrameRef& on) { return places.frame(on); }, model);
  add_line_loads(spec, beams, model);
  model.gravity = spec.gravity;
  model.finish();
  model.length_scale = length_scale(model, state);
  model.mass_scale = mass_scale(model);
  state.multiplier.assign(model.n_multipliers, 0.0);
  state.internal.assign(model.n_internal, 0.0);
}

}  // namespace freeplay
