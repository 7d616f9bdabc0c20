#pragma once

#include <cstdint>

#include "props/matrix/models/bilinear_score.hpp"

namespace vernier {

/// A matrix that stands for a generic one: thousandths between -1 and 1 without a pattern, the same for the
/// same seed everywhere. \param seed in [1, 2^31 - 2]
RationalMatrix pseudo_random_rationals(Eigen::Index rows, Eigen::Index columns, std::int64_t seed);

}  // namespace vernier
