#pragma once

#include "named_places.h"

namespace freeplay {

/// Two places that something connects.
struct Connection {
  std::string path;  ///< with the type: joints.pin.revolute
  const Location& where;
  const std::array<FrameRef, 2>& between;
};

/// Whether places, axes and laws of joints and springs are known.
class ConnectionCheck {
 public:
  ConnectionCheck(const ModelSpec& model, const YamlNode& root, Reader& reader, NamedPlaces& places)
      : model_(model), root_(root), reader_(reader), places_(places) {}

  void check_joint(const JointSpec& joint);
  void check_clearance(const ClearanceSpec& joint);
  void check_spring(const SpringSpec& spring);

 private:
  void check_law(const std::string& path, const char* section, const char* what, const std::string& name,
                 const Location& where);
  /// True stick is a constraint, which a contact that opens and closes cannot have.
  void refuse_set_valued(const std::string& path, const ClearanceSpec& joint);
  /// A point or a corner has no radius for Hertz's theory.
  void require_stiffness(const ClearanceSpec& joint);
  /// False if the rest cannot be judged.
  bool check_between(const Connection& connection);
  /// The ends of a bow are two places of one beam; a rigid body has nothing to connect in itself.
  void check_not_with_itself(const Connection& connection);
  /// Point masses have no axes: whether a thing uses those of its first and second place. `instead` are what can be
  /// had with points.
  void refuse_points(const Connection& connection, const std::string& thing, std::array<bool, 2> uses_axes,
                     const std::string& instead);
  bool is_point(const FrameRef& place) const;
  void require_place(const Connection& connection);
  void require_positions(const Connection& connection, bool has_at);
  void require_position_of_attached(const Connection& connection, std::size_t side);
  void require_axis(const Connection& connection);
  /// A place in the axes of ground is a place of a body only if it is known where that is at the start.
  bool has_position(const std::string& name) const;

  const ModelSpec& model_;
  const YamlNode& root_;
  Reader& reader_;
  NamedPlaces& places_;
};

}  // namespace freeplay
