#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <span>

#include "reference/numbers/format.hpp"
#include "reference/numbers/position_range.hpp"

namespace vernier {

/// An implementation under test of a table (sinusoidal encoding, RoPE's cos or sin): anything that yields
/// rows of numbers.
class TableUnderTest {
 public:
  TableUnderTest() = default;
  TableUnderTest(const TableUnderTest&) = delete;
  TableUnderTest& operator=(const TableUnderTest&) = delete;
  virtual ~TableUnderTest() = default;

  /// The format the values are stored in.
  virtual Format stored() const = 0;
  virtual std::size_t columns() const = 0;
  /// The row of `position`. \param out columns() elements, each set to a value of the stored format
  virtual void row(std::int64_t position, std::span<double> out) const = 0;
  /// The rows of these positions, one after the other: what row() gives, for less where many rows cost less
  /// than each on its own. \param out positions.count rows of columns() elements
  virtual void rows(const PositionRange& positions, std::span<double> out) const {
    assert(out.size() == static_cast<std::size_t>(positions.count) * columns());
    for (std::int64_t r = 0; r < positions.count; ++r) {
      row(positions.at(r), out.subspan(static_cast<std::size_t>(r) * columns(), columns()));
    }
  }
};

/// An implementation under test of RoPE's rotation of one head vector.
class RotationUnderTest {
 public:
  RotationUnderTest() = default;
  RotationUnderTest(const RotationUnderTest&) = delete;
  RotationUnderTest& operator=(const RotationUnderTest&) = delete;
  virtual ~RotationUnderTest() = default;

  /// The format of the vectors, going in and coming out.
  virtual Format stored() const = 0;
  virtual std::size_t head_dim() const = 0;
  /// \param x, y head_dim() elements each, values of the stored format; they may not overlap
  virtual void rotate(std::int64_t position, std::span<const double> x, std::span<double> y) const = 0;
};

}  // namespace vernier
