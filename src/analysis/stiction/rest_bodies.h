#pragma once

#include <Eigen/SparseCore>
#include <span>
#include <string>
#include <vector>

#include "freeplay/analysis/stiction/rest_problem.h"
#include "freeplay/mechanics/contact_element.h"

namespace freeplay {

/// The contacts of a model that touch in its assembled position, and the names of those that do not.
struct RestContacts {
  struct Touching {
    const ContactElement* element;
    RestingContact at_rest;
  };
  std::vector<Touching> touching{};
  std::vector<std::string> open{};

  RestContacts(const Model& model, const Motion& instant);
};

/// What is known of a model at rest, on the virtual motions of its bodies.
class RestBodies {
 public:
  RestBodies(const Assembled& assembled, const RestQuestion& question);

  int size() const { return static_cast<int>(motions_.cols()); }
  const Motion& instant() const { return instant_; }

  /// Forces of one unit of a wrench on some nodes, six numbers for each.
  Eigen::VectorXd on_motions(const JointVector& wrench, std::span<const int> nodes) const;

  /// Forces of the equations of a joint, each made N by the length of the model if it is a moment.
  Eigen::MatrixXd reactions(const Joint& joint) const;
  double unit_of(const Equation& equation) const { return equation.length_unit(model_.length_scale); }

  Eigen::MatrixXd frictions(const JointFriction& friction) const;
  Eigen::MatrixXd mass() const;
  /// Of springs and beams; contacts stay as they are.
  Eigen::MatrixXd stiffness() const;
  static bool is_elastic(const ForceElement& element) { return !element.is_load() && !element.is_contact(); }

  /// Everything that acts but joints and contacts, in two parts: what the load factor multiplies, and the rest.
  void loads(const std::vector<std::string>& scaled, Eigen::VectorXd& scaled_load, Eigen::VectorXd& fixed_load) const;

 private:
  using Sparse = Eigen::SparseMatrix<double>;
  Eigen::MatrixXd on_motions(const std::vector<Eigen::Triplet<double>>& entries) const;
  Eigen::VectorXd load_on_motions(const std::vector<Vec6>& resisting) const;

  const Model& model_;
  State state_;
  Motion instant_;
  Sparse motions_;
};

}  // namespace freeplay
