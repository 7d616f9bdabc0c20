#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "reference/double_double.hpp"

namespace vernier {

/// Cosines and sines of the phases of several frequencies, position by position. The unit vector of p = 128 a
/// + b is the product of those of 128 a and of b: rows near each other cost one complex product an entry.
///
/// With unit_vector() good to 2^-51, a component of the product is within 2^-49 of the truth.
class UnitRows {
 public:
  /// The row of one position. Each reader has its own.
  struct Row {
    std::vector<double> cosines;
    std::vector<double> sines;

   private:
    friend class UnitRows;
    std::optional<std::int64_t> block;  ///< a
    std::vector<double> block_cosines;  ///< of 128 a
    std::vector<double> block_sines;
  };

  /// The greatest frequency that there may be, in magnitude: that of unit_vector().
  static constexpr double most_frequency = 0x1p10;

  explicit UnitRows(std::vector<DoubleDouble> frequencies);

  /// Sets the row to that of a position. \param position |position| <= 2^31 \param row of these
  void move(Row& row, std::int64_t position) const;

 private:
  std::vector<DoubleDouble> frequencies_;
  std::vector<double> cosines_;  ///< of b, row by row
  std::vector<double> sines_;
};

}  // namespace vernier
