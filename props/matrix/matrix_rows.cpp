#include <algorithm>
#include <iterator>

#include "props/matrix/rows/members.hpp"
#include "props/matrix/rows/rows.hpp"
#include "reference/scheme_registry.hpp"

namespace vernier {
namespace {

std::vector<MatrixRow> all_rows() {
  auto all = make_all_groups(matrix_row_makers);
  std::ranges::move(example_rows(schemes(), all), std::back_inserter(all));
  return all;
}

}  // namespace

std::span<const MatrixRow> matrix_rows() {
  static const auto all = all_rows();
  return all;
}

}  // namespace vernier
