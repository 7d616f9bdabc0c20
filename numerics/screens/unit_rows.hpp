#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "numerics/screens/kernel.hpp"
#include "reference/numbers/double_double.hpp"

namespace vernier {

/// Cosines and sines of the phases of several frequencies, position by position. The unit vector of p = 128 a
/// + b is the product of those of 128 a and of b: rows near each other cost one complex product an entry.
///
/// With unit_vector() good to 2^-51, a component of the product is within 2^-49 of the truth.
class UnitRows {
 public:
  /// The block of one reader. Each has its own.
  class Block {
    friend class UnitRows;
    std::optional<std::int64_t> number_;  ///< a
    std::vector<double> cosines_;         ///< of 128 a
    std::vector<double> sines_;
  };

  /// The greatest frequency that there may be, in magnitude: that of unit_vector().
  static constexpr double most_frequency = 0x1p10;

  /// \param less_a_quarter one a frequency, or none at all: those whose vectors are turned back by a quarter
  /// turn, so that their cosine is the sine of the phase
  explicit UnitRows(std::vector<DoubleDouble> frequencies, std::vector<bool> less_a_quarter = {});

  /// Two rows, and the one of a position is their product.
  struct Factors {
    UnitVectors block;         ///< of 128 a, in the reader's block
    UnitVectors within_block;  ///< of b
  };
  /// \param position |position| <= 2^31 \param block of these
  Factors factors(Block& block, std::int64_t position) const;

 private:
  std::vector<DoubleDouble> frequencies_;
  std::vector<bool> less_a_quarter_;
  std::vector<double> cosines_;  ///< of b, row by row
  std::vector<double> sines_;
};

}  // namespace vernier
