#include "props/matrix/rows/rows.hpp"

namespace vernier {
namespace {

std::vector<MatrixRow> all_rows() {
  std::vector<MatrixRow> all;
  for (const auto kind : {
           index_rows,
           sine_rows,
           sinusoid_rows,
           relative_rows,
           bilinear_rows,
       }) {
    auto rows = kind();
    std::ranges::move(rows, std::back_inserter(all));
  }
  return all;
}

}  // namespace

std::span<const MatrixRow> matrix_rows() {
  static const auto all = all_rows();
  return all;
}

}  // namespace vernier
