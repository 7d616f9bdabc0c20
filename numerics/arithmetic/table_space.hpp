#pragma once

#include <cstdint>
#include <span>
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

/// The last stages of a computation of a table: one element of the space, with those of its branch.
struct TableLeaf {
  AmplitudePlace place = AmplitudePlace::before_store;
  Format format = Format::binary32;
  StoreMode mode = StoreMode::nearest;
  std::size_t index = 0;  ///< among all of the space
};

/// Computations that share everything up to the sine.
struct SineBranch {
  SineFunction function = SineFunction::exact_float32;
  std::vector<TableLeaf> leaves;
};

/// Computations that share everything up to the phase.
struct PhaseBranch {
  std::size_t frequencies = 0;  ///< the class
  std::int8_t position = 0;
  PhaseFormat phase = PhaseFormat::float32;
  std::vector<SineBranch> sines;
};

/// All computations of a table, as a tree: what is left of it shares its first stages.
class TableSpace {
 public:
  TableSpace(const Frequencies& frequencies, const TableQuestion& question);

  const std::vector<FrequencyClass>& classes() const { return classes_; }
  const std::vector<PhaseBranch>& branches() const { return branches_; }
  std::vector<PhaseBranch>& branches() { return branches_; }
  /// How many computations it has, formulas with equal bits counted apart.
  std::size_t computations() const { return computations_; }
  /// How many leaves it had when it was made.
  std::size_t leaves() const { return leaves_; }
  double amplitude() const { return question_.amplitude; }
  std::size_t pairs() const { return pairs_; }

  /// Keeps the computations that take these ways.
  void keep_pinned(std::span<const PinnedWay> pinned);

  /// Goes to a row: what phases need of it.
  void go_to(std::int64_t position);
  double phase(const PhaseBranch& branch, std::size_t pair) const;
  /// The sine and cosine of a pair, as far as the question has them; before they are stored.
  /// \param phase of the branch, at this pair: functions of vectors ask for those of its neighbours too
  StoredSine sine(const PhaseBranch& branch, SineFunction function, std::size_t pair, double phase) const;
  StoredSine stored(const TableLeaf& leaf, SineFunction function, const StoredSine& value) const;

  /// Keeps the leaves of which `keep(leaf, stored)` says so, at one pair of the row.
  template <class Keep>
  void filter(std::size_t pair, const Keep& keep) {
    for (auto& branch : branches_) {
      const double of = phase(branch, pair);
      for (auto& sines : branch.sines) {
        const auto value = sine(branch, sines.function, pair, of);
        std::erase_if(sines.leaves, [&](const TableLeaf& leaf) {
          return !keep(leaf, stored(leaf, sines.function, value));
        });
      }
      std::erase_if(branch.sines, [](const SineBranch& one) { return one.leaves.empty(); });
    }
    std::erase_if(branches_, [](const PhaseBranch& one) { return one.sines.empty(); });
  }
  /// Calls `visit(branch, sines, leaf)` with every leaf that is left.
  template <class Visit>
  void for_each(const Visit& visit) const {
    for (const auto& branch : branches_) {
      for (const auto& sines : branch.sines) {
        for (const auto& leaf : sines.leaves) {
          visit(branch, sines, leaf);
        }
      }
    }
  }

  /// The computations of a leaf: one a formula of its class. \param has_format whether the format is a stage
  std::vector<ArithmeticWays> computations_of(const PhaseBranch& branch, const SineBranch& sines,
                                              const TableLeaf& leaf, bool has_format) const;

 private:
  void add_branches(std::size_t frequencies);
  void add(std::size_t frequencies, std::int8_t position, PhaseFormat phase);
  /// TF32 is the last way of positions, and not one of programs: frequencies are rounded too.
  bool is_tf32(std::int8_t position) const { return static_cast<std::size_t>(position) == positions_.size(); }

  TableQuestion question_;
  std::size_t pairs_;
  std::vector<FrequencyClass> classes_;
  std::vector<PhaseBranch> branches_;
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
