#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace vernier {

/// Cells of an octave that are told at most; of wider tables each cell is of several neighbouring pairs.
inline constexpr std::size_t most_error_cells = 64;

/// The elements of a pair, or of neighbouring pairs, in an octave of positions.
struct ErrorCell {
  std::uint64_t judged = 0;   ///< conclusively: elements whose budget proves something, and non-finite ones
  std::uint64_t failing = 0;  ///< of those judged: beyond their budget, or not finite
  /// The greatest |error| / budget of those judged; infinite if one is not finite. It exceeds 1 exactly where
  /// an element fails. An audit of tables may give values up to 1 that are off by 2^-13 of themselves and
  /// 2^-14 (CellReport); values above 1 are right to 2^-40.
  double greatest_budget_ratio = 0;

  void include(const ErrorCell& other);
};

/// Positions p with 2^k <= |p| < 2^(k + 1), k being its index in the map; with k = 0 those of |p| <= 1.
struct ErrorOctave {
  std::int64_t least_position = 0;     ///< |position|, of those that hold an element
  std::int64_t greatest_position = 0;  ///< the same
  std::vector<ErrorCell> cells = {};   ///< by pair; empty where no element has such a position

  void include_positions(std::int64_t least, std::int64_t greatest);
  ErrorCell whole() const;
};

/// How much of their budgets errors use, by pair and octave of positions. Elements that belong to no pair,
/// zeros by definition, are not in it.
struct ErrorMap {
  std::size_t pairs_per_cell = 1;  ///< neighbours; the last cell may hold fewer
  std::size_t pairs = 0;
  std::vector<ErrorOctave> octaves = {};

  static std::size_t octave_of(std::int64_t position);
  /// The octave, with room for a cell for each of as many pairs as any octave has. \pre one pair a cell
  ErrorOctave& octave(std::size_t index, std::size_t least_pairs);
  /// \param budget_ratio of an element; nothing if it is inconclusive \pre one pair a cell
  void add(std::int64_t position, std::size_t pair, std::optional<double> budget_ratio);
  /// \pre one pair a cell in both
  void merge(const ErrorMap& other);
  /// The same with so many neighbouring pairs to a cell that there are at most `most_cells` in an octave.
  ErrorMap coarsened(std::size_t most_cells) const;
};

}  // namespace vernier
