#include "props/literature/exact_inputs.hpp"

namespace vernier {

RationalMatrix pseudo_random_rationals(Eigen::Index rows, Eigen::Index columns, std::int64_t seed) {
  RationalMatrix matrix(rows, columns);
  std::int64_t state = seed;
  for (Eigen::Index i = 0; i < rows; ++i) {
    for (Eigen::Index j = 0; j < columns; ++j) {
      state = state * 48271 % 2147483647;  // Park and Miller's generator
      matrix(i, j) = Rational(state % 2001 - 1000, 1000);
    }
  }
  return matrix;
}

}  // namespace vernier
