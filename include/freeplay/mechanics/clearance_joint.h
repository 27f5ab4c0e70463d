#pragma once

#include <functional>
#include <memory>
#include <span>

#include "freeplay/deck/clearance_type.h"
#include "freeplay/mechanics/contact_geometry.h"
#include "freeplay/mechanics/frame.h"

namespace freeplay {

/// What pictures show of a joint with clearance: the first body's part of it, and the second's.
struct ClearancePicture {
  enum class Bearing { circle, sphere, cylinder, slot, plane, ball };
  enum class Journal { pin, ball, disk, block };
  Bearing bearing = Bearing::circle;
  Journal journal = Journal::pin;
};

/// As in the files of pictures.
const char* name_of(ClearancePicture::Bearing bearing);

/// Its two frames, whose third axes lie along the axis of the bearing (or the normal of the plane).
struct ClearancePlaces {
  Frame a, b;
  Mat3 ground_to_a, ground_to_b;  ///< from inertial axes to those of the nodes
};

/// One of the places where it can touch.
struct TouchingPair {
  std::string name;
  Frame a, b;
  std::shared_ptr<const ContactGeometry> geometry;
};

/// A type of joint with clearance is data: what the user may say about it, where it can touch and what it looks like.
/// A new type is a new entry of the table in clearance_joint.cc.
struct ClearanceJointType {
  ClearanceTypeKeys keys;
  ClearancePicture picture;
  /// Radius for Hertz's theory (ContactLawSpec::make) [m].
  std::function<double(const ClearanceSpec&)> hertz_radius;
  /// The length that a penetration is small beside [m]; zero: nothing in the joint tells.
  std::function<double(const ClearanceSpec&)> size;
  std::function<std::vector<TouchingPair>(const ClearanceSpec&, const ClearancePlaces&)> pairs;
  /// The ideal joint whose equations hold besides; empty: none.
  std::string ideal_joint = {};
};

/// Throws std::logic_error if there is no such type.
const ClearanceJointType& clearance_joint_type(const ClearanceSpec& joint);

}  // namespace freeplay
