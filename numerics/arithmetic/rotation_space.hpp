#pragma once

#include <array>
#include <bitset>
#include <optional>
#include <vector>

#include "numerics/arithmetic/stored_bits.hpp"
#include "numerics/contracts/pinned_ways.hpp"
#include "reference/numbers/format.hpp"

namespace vernier {

/// The component of a rotated pair that a stage is of, 0 or 1; nothing of others.
constexpr std::optional<std::size_t> component_of(ArithmeticStage stage) {
  return stage < ArithmeticStage::products_0 ? std::nullopt
                                             : std::optional(stage < ArithmeticStage::products_1 ? 0U : 1U);
}

/// Which rotations of a RotationSpace are left.
using RotationSet = std::bitset<256>;
/// Of y0 and of y1.
using RotationSets = std::array<RotationSet, 2>;

template <class Visit>
void for_each_in(const RotationSet& set, const Visit& visit) {
  for (auto one = set._Find_first(); one < set.size(); one = set._Find_next(one)) {
    visit(one);
  }
}

/// All ways to compute a component of vectors of one format by a table of another. Those of both components
/// are the same; they are judged apart, for programs fuse them on different sides.
class RotationSpace {
 public:
  RotationSpace(Format table, Format input, Format output);

  /// How many there are of a component.
  std::size_t size() const { return rotations_.size(); }
  /// The ways of one. \param component 0: of y0, 1: of y1
  ArithmeticWays ways(std::size_t rotation, std::size_t component) const;
  std::vector<ArithmeticWays> ways(const RotationSet& set, std::size_t component) const;
  /// Whether two round the table in one way before they use it, as those of one program do.
  bool share_narrowing(std::size_t one, std::size_t other) const {
    return rotations_[one].narrowing == rotations_[other].narrowing;
  }
  /// Those that take these ways.
  RotationSets taking(const ArithmeticWays& pinned) const;
  /// Those among `asked` that predict a component: 0 or 1.
  RotationSet predicting(std::size_t component, const TurnedPair& pair, double sign, const StoredSine& by,
                         const RotationSet& asked) const;
  /// What one of them makes of a pair.
  double predicted(std::size_t rotation, std::size_t component, const TurnedPair& pair, double sign,
                   const StoredSine& by) const;
  /// Those whose every input gives the same as this one's, with the proof; the first of such a class.
  std::size_t proven_equal(std::size_t rotation) const;

 private:
  /// A way to compute one component of a rotated pair.
  struct Rotation {
    TableNarrowing narrowing = TableNarrowing::kept;
    Format format = Format::binary32;  ///< of products and sums
    ProductOrder order = ProductOrder::each;
    StoreMode mode = StoreMode::nearest;

    bool operator==(const Rotation&) const = default;
  };
  /// Whether a product of an input and a number of the table is exact in float32 (bar underflow).
  bool has_exact_products(const Rotation& one) const;
  double unrounded(const Rotation& one, std::size_t component, const TurnedPair& pair, double sign,
                   const StoredSine& by) const;

  Format table_;
  Format input_;
  Format output_;
  std::vector<Rotation> rotations_;
};

}  // namespace vernier
