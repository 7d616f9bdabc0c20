#pragma once

#include <cstdint>
#include <span>

#include "reference/format.hpp"

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
