#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "reference/rational.hpp"

namespace vernier {

/// How a step of time becomes an integer.
enum class TemporalRounding {
  product,   ///< the product is cut off (transformers since #48669)
  interval,  ///< the seconds between two frames are cut off first (transformers before)
  nearest    ///< the product goes to the nearest integer (onnxruntime-genai)
};

/// Tokens in a raster, the last index fastest, and what their positions are: along each axis a position
/// counts by one index of the raster, or stays.
struct PositionBlock {
  struct Axis {
    static constexpr int none = -1;

    std::int64_t first = 0;  ///< the position at index 0
    int index = none;        ///< of the raster: 0, 1, 2; `none` where the position stays
    Rational step = 1;       ///< not negative
    TemporalRounding rounding = TemporalRounding::product;  ///< of index * step

    std::int64_t at(std::int64_t place) const;
  };

  std::array<std::int64_t, 3> raster{1, 1, 1};  ///< each at least 1
  std::vector<Axis> axes;

  std::int64_t rows() const { return raster[0] * raster[1] * raster[2]; }
  /// \param row below rows() \param axis below the number of axes
  std::int64_t at(std::int64_t row, std::size_t axis) const;
  /// The last position along an axis, which is the greatest.
  std::int64_t last(std::size_t axis) const { return at(rows() - 1, axis); }
};

/// Blocks one behind the other: the positions of a sequence.
class PositionSequence {
 public:
  explicit PositionSequence(std::vector<PositionBlock> blocks);

  std::int64_t rows() const { return first_rows_.back(); }
  /// \param row from 0, below rows() \param axis below the number of axes
  std::int64_t at(std::int64_t row, std::size_t axis) const;

 private:
  std::vector<PositionBlock> blocks_;
  std::vector<std::int64_t> first_rows_;  ///< of each block, and of what would follow the last
};

}  // namespace vernier
