#include "freeplay/scheme/block_sink.h"

namespace freeplay {

void BlockSink::add_joint(const Joint& joint, const JointMatrix& derivative) {
  for (int row = 0; row < joint.n_places(); ++row)
    for (int column = 0; column < joint.n_places(); ++column)
      if (joint.node(row) != ground && joint.node(column) != ground)
        add(Row::balance, joint.node(row), Column::end, joint.node(column),
            derivative.block<6, 6>(6 * row, 6 * column));
}

void BlockSink::add_multipliers(const Joint& joint, int block, const JointGradients& forces,
                                const JointGradients& rows) {
  using Columns = Eigen::Matrix<double, 6, Eigen::Dynamic, 0, 6, 8>;
  for (int side = 0; side < static_cast<int>(forces.rows()) / 6; ++side) {
    const int node = joint.node(side);
    if (node == ground) continue;
    const Columns columns = row_motions(Row::balance, node).transpose() * forces.middleRows<6>(6 * side);
    unknowns_.add_column(columns, node, block, matrix_);
    const Columns by_unknowns = column_motions(Column::end, node).transpose() * rows.middleRows<6>(6 * side);
    unknowns_.add_row(by_unknowns, block, node, matrix_);
  }
}

}  // namespace freeplay
