#pragma once

#include <bitset>
#include <span>
#include <vector>

#include "numerics/arithmetic/stored_bits.hpp"
#include "numerics/contracts/pinned_ways.hpp"
#include "reference/numbers/format.hpp"

namespace vernier {

/// A way to compute one component of a rotated pair.
struct ComponentRotation {
  TableNarrowing narrowing = TableNarrowing::kept;
  Format format = Format::binary32;  ///< of products and sums
  ProductOrder order = ProductOrder::each;
  StoreMode mode = StoreMode::nearest;

  /// The way of its stage `products_0` or `products_1`.
  std::int8_t products() const;
  bool operator==(const ComponentRotation&) const = default;
};

/// With the ways of a rotation. \param component 0: of y0, 1: of y1
ArithmeticWays with_rotation(ArithmeticWays ways, std::size_t component, const ComponentRotation& rotation);

/// Which rotations of a RotationSpace are left.
using RotationSet = std::bitset<256>;

/// All ways to compute a component of vectors of one format by a table of another. Those of both components
/// are the same; they are judged apart, for programs fuse them on different sides.
class RotationSpace {
 public:
  RotationSpace(Format table, Format input, Format output);

  const std::vector<ComponentRotation>& rotations() const { return rotations_; }
  RotationSet all() const { return taking(0, {}); }
  /// Those that take these ways.
  RotationSet taking(std::size_t component, std::span<const PinnedWay> pinned) const;
  /// Those among `asked` that predict a component: 0 or 1.
  RotationSet predicting(std::size_t component, const TurnedPair& pair, double sign, const StoredSine& by,
                         const RotationSet& asked) const;
  /// What one of them makes of a pair.
  double predicted(std::size_t rotation, std::size_t component, const TurnedPair& pair, double sign,
                   const StoredSine& by) const;
  /// Those whose every input gives the same as this one's, with the proof; the first of such a class.
  std::size_t proven_equal(std::size_t rotation) const;
  /// Whether a product of an input and a number of the table is exact in float32 (bar underflow).
  bool has_exact_products(const ComponentRotation& one) const;

 private:
  double unrounded(const ComponentRotation& one, std::size_t component, const TurnedPair& pair, double sign,
                   const StoredSine& by) const;

  Format table_;
  Format input_;
  Format output_;
  std::vector<ComponentRotation> rotations_;
};

}  // namespace vernier
