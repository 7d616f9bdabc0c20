#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "numerics/arithmetic/frequency_space.hpp"
#include "numerics/arithmetic/stored_bits.hpp"
#include "numerics/contracts/arithmetic_stages.hpp"
#include "numerics/contracts/pinned_ways.hpp"
#include "numerics/program/way.hpp"
#include "reference/numbers/format.hpp"

namespace vernier {

/// What the space of tables is of.
struct TableQuestion {
  double amplitude = 1;
  std::vector<Format> formats;  ///< in which the table may be stored
  bool has_sines = true;
  bool has_cosines = true;
};

/// A computation of a table, up to the formula of its frequencies.
struct TableLeaf {
  std::size_t frequencies = 0;  ///< the class
  ArithmeticWays ways = no_arithmetic;
  std::size_t index = 0;  ///< among all of the space

  bool shares(ArithmeticStage stage, const TableLeaf& other) const {
    return at(ways, stage) == at(other.ways, stage);
  }
  bool has_phase_of(const TableLeaf& other) const {
    return frequencies == other.frequencies && shares(ArithmeticStage::position, other) &&
           shares(ArithmeticStage::phase, other);
  }
  Format format() const { return way_at<Format>(ways, ArithmeticStage::format); }
};

/// All computations of a table. Those that share their first stages stand side by side, and share the work.
class TableSpace {
 public:
  TableSpace(const Frequencies& frequencies, const TableQuestion& question);

  /// What is left.
  const std::vector<TableLeaf>& left() const { return left_; }
  /// How many computations it has, formulas with equal bits counted apart.
  std::size_t computations() const { return computations_; }
  /// How many leaves it had when it was made.
  std::size_t leaves() const { return leaves_; }
  std::size_t pairs() const { return pairs_; }

  /// Keeps the computations that take these ways.
  void keep_pinned(const ArithmeticWays& pinned);
  /// Keeps so many leaves at most.
  void keep_first(std::size_t most) { left_.resize(std::min(most, left_.size())); }

  /// Goes to a row: what phases need of it.
  void go_to(std::int64_t position);
  /// What a leaf stores of a pair of the row, as far as the question has sines and cosines.
  StoredSine element(const TableLeaf& leaf, std::size_t pair) const {
    return stored(leaf, sine(leaf, pair, phase(leaf, pair)));
  }

  /// Keeps the leaves of which `keep(leaf, stored)` says so, at one pair of the row.
  template <class Keep>
  void filter(std::size_t pair, const Keep& keep) {
    std::optional<TableLeaf> before;
    double of = 0;
    StoredSine value;
    std::erase_if(left_, [&](const TableLeaf& leaf) {
      const bool has_phase = before && leaf.has_phase_of(*before);
      if (!has_phase || !leaf.shares(ArithmeticStage::sine, *before)) {
        of = has_phase ? of : phase(leaf, pair);
        value = sine(leaf, pair, of);
        before = leaf;
      }
      return !keep(leaf, stored(leaf, value));
    });
  }

  /// The computations of a leaf: one a formula of its class.
  std::vector<ArithmeticWays> computations_of(const TableLeaf& leaf) const;

 private:
  void add_leaves(std::size_t frequencies);
  void add(std::size_t frequencies, std::size_t position, PhaseFormat phase);
  /// TF32 is the last way of positions, and not one of programs: frequencies are rounded too.
  bool is_tf32(std::size_t position) const { return position == positions_.size(); }
  double phase(const TableLeaf& leaf, std::size_t pair) const;
  /// Before it is stored. \param phase of the leaf, at this pair: functions of vectors ask for those of its
  /// neighbours too
  StoredSine sine(const TableLeaf& leaf, std::size_t pair, double phase) const;
  StoredSine stored(const TableLeaf& leaf, const StoredSine& value) const;

  TableQuestion question_;
  std::size_t pairs_;
  std::vector<FrequencyClass> classes_;
  std::vector<TableLeaf> left_;
  std::size_t computations_ = 0;
  std::size_t leaves_ = 0;
  std::vector<program::Use> positions_ = program::ways_that_end(program::Stage::position);
  std::vector<double> rounded_;                ///< the row's position, by each way
  std::vector<std::vector<double>> iterated_;  ///< phases of the row, one a class that has them
  std::vector<std::vector<double>> narrow_;    ///< frequencies in TF32, one a class
};

/// The ways in which a number of one format may be stored in another. \param computed float32 or float64
std::vector<StoreMode> store_modes(Format computed, Format stored);

}  // namespace vernier
