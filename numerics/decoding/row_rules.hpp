#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "numerics/decoding/held_number.hpp"
#include "numerics/decoding/row_set.hpp"

namespace vernier {

/// A number that every row is known by, and that it may hold in place of its position.
struct RowFeature {
  /// next_row: the one before or behind; mirrored_row: the one as far from the end
  enum class Kind { position, other_axis, row, leading_index, other_row, next_row, mirrored_row };

  Kind kind = Kind::position;
  std::vector<double> values;  ///< one a row
  std::string words;           ///< "p", "r": in "every row holds position r + 8"
  std::string held;            ///< "its own index": in "every row holds its own index"
  double bits = 0;
  /// Of a rule that every row follows, f or f + o, in place of words with the expression; empty: those.
  std::string whole = {};
};

/// What the rows of a tensor hold, of numbers that should be their positions.
class HeldNumbers {
 public:
  virtual ~HeldNumbers() = default;
  virtual std::size_t rows() const = 0;
  /// Whether a row may hold the number.
  virtual bool fits(std::size_t row, double number) const = 0;
  /// All numbers that a row may hold; none where they are too many to tell.
  virtual std::span<const HeldRange> numbers(std::size_t row) const = 0;
};

/// A map from what rows are known by to what they hold.
struct RowRule {
  enum class Kind {
    offset,
    factor,  ///< or a line
    constant,
    reversed,
    wrapped,
    clamped,
    magnitude,
    staircase,
    jump,   ///< an offset from one position on
    block,  ///< an offset, or a factor, of some
    single_rows,
    other_axis,
    row_index,
    leading_index,
    other_rows
  };

  Kind kind = Kind::offset;
  std::string words;  ///< "positions are larger by 8"
  double bits = 0;
  std::vector<double> held;           ///< one a row
  std::optional<double> offset = {};  ///< of all rows alike
  bool is_whole = false;              ///< it is of every row
  bool is_multiple = false;           ///< of positions: s p, s may be negative
};

/// The features of rows. \param width of a row \param positions as they are declared, an axis, a row
std::vector<RowFeature> row_features(const RowGrid& grid, std::size_t width,
                                     std::span<const std::vector<double>> positions, std::size_t axis);

/// How rules are told of rows, or of what else has an index: pairs, columns.
struct RuleWords {
  /// Of what every row holds: "p mod 12", "7". Empty: positions, which have words of their own.
  std::function<std::string(const RowSet& set, const std::string& expression)> tell = {};
};

/// The rules by which every row holds what it may, the likeliest first, and no more than so many; none where
/// all may hold their positions, and where no rule of the language fits. \param features the first is that of
/// the position
std::vector<RowRule> learn_rows(const HeldNumbers& held, const RowGrid& grid,
                                std::span<const RowFeature> features, const RuleWords& words = {},
                                std::size_t most = 8);

/// Indices, each of which holds another one: a pair the frequency of one of these pairs.
class HeldIndices final : public HeldNumbers {
 public:
  /// \param held of each index those that it may hold; empty: none
  explicit HeldIndices(std::vector<std::vector<HeldRange>> held) : held_(std::move(held)) {}

  std::size_t rows() const override { return held_.size(); }
  bool fits(std::size_t row, double number) const override {
    return std::ranges::any_of(held_[row], [=](const HeldRange& one) { return one.contains(number); });
  }
  std::span<const HeldRange> numbers(std::size_t row) const override { return held_[row]; }

 private:
  std::vector<std::vector<HeldRange>> held_;
};

}  // namespace vernier
