#include "props/matrix/rows/rows.hpp"

namespace vernier {

std::span<const MatrixRow> matrix_rows() {
  static const auto all = make_all_groups(matrix_row_makers);
  return all;
}

}  // namespace vernier
