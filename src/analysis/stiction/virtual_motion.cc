#include "virtual_motion.h"

#include <Eigen/SVD>
#include <numeric>

namespace freeplay {

namespace {

/// For each node the first node of the rigid body that it is part of.
std::vector<int> bodies_of_nodes(const Assembled& assembled, bool rigid_beams) {
  std::vector<int> first(assembled.model.nodes.size());
  std::iota(first.begin(), first.end(), 0);
  if (!rigid_beams) return first;
  for (const Beam& beam : assembled.beams) {
    std::vector<int> joined;
    for (const BeamElement* element : beam.elements)
      for (const int node : element->nodes()) joined.push_back(first[node]);
    const int least = *std::min_element(joined.begin(), joined.end());
    for (int& body : first)
      if (std::find(joined.begin(), joined.end(), body) != joined.end()) body = least;
  }
  return first;
}

/// The twist of a node when the body moves as a whole, with a rotation about the place of its first node.
Mat6 carried(const Pose& node, const Pose& first, double length) {
  const Mat3 R_t = node.R.transpose();
  Mat6 twist;
  twist << R_t, -R_t * skew(node.x - first.x) / length, Mat3::Zero(), R_t / length;
  return twist;
}

}  // namespace

Vec6 in_body_axes(const Pose& pose, const Vec6& force) {
  Vec6 result;
  result << pose.R.transpose() * force.head<3>(), pose.R.transpose() * force.tail<3>();
  return result;
}

Eigen::SparseMatrix<double> virtual_motions(const Assembled& assembled, bool rigid_beams) {
  const Model& model = assembled.model;
  const int n_nodes = static_cast<int>(model.nodes.size());
  const std::vector<int> body = bodies_of_nodes(assembled, rigid_beams);
  std::vector<Eigen::Triplet<double>> entries;
  int n_motions = 0;
  for (int b = 0; b < n_nodes; ++b) {
    std::vector<int> members;
    for (int n = 0; n < n_nodes; ++n)
      if (body[n] == b) members.push_back(n);
    if (members.empty()) continue;
    Eigen::MatrixXd twists(6 * members.size(), 6);
    std::vector<Eigen::RowVectorXd> fixed;
    for (std::size_t m = 0; m < members.size(); ++m) {
      const Pose& pose = assembled.state.pose[members[m]];
      // A single node moves along its own axes, as `fix` means them.
      const Mat6 twist = members.size() > 1 ? carried(pose, assembled.state.pose[b], model.length_scale)
                                            : carried({Vec3::Zero(), Mat3::Identity()}, Pose{}, model.length_scale);
      twists.middleRows<6>(6 * m) = twist;
      for (int d = 0; d < 6; ++d)
        if (model.nodes[members[m]].fixed[d]) fixed.emplace_back(twist.row(d));
    }
    Eigen::MatrixXd free = Eigen::MatrixXd::Identity(6, 6);
    if (!fixed.empty()) {
      Eigen::MatrixXd conditions(fixed.size(), 6);
      for (std::size_t r = 0; r < fixed.size(); ++r) conditions.row(r) = fixed[r];
      Eigen::JacobiSVD<Eigen::MatrixXd> svd(conditions, Eigen::ComputeFullV);
      svd.setThreshold(1e-9);
      free = svd.matrixV().rightCols(6 - svd.rank());
    }
    const Eigen::MatrixXd columns = twists * free;
    for (std::size_t m = 0; m < members.size(); ++m)
      for (int d = 0; d < 6; ++d)
        for (int c = 0; c < columns.cols(); ++c)
          if (columns(6 * m + d, c) != 0.0)
            entries.emplace_back(6 * members[m] + d, n_motions + c, columns(6 * m + d, c));
    n_motions += static_cast<int>(columns.cols());
  }
  Eigen::SparseMatrix<double> motions(6 * n_nodes, n_motions);
  motions.setFromTriplets(entries.begin(), entries.end());
  return motions;
}

}  // namespace freeplay
