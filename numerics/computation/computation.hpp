#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "numerics/budgets/budget.hpp"
#include "numerics/budgets/scale_budget.hpp"
#include "numerics/elements/quantization.hpp"
#include "numerics/program/narrowing.hpp"
#include "reference/numbers/format.hpp"
#include "reference/tables/head_rotation.hpp"
#include "reference/tables/trig_table.hpp"

namespace vernier {

/// What the pairs of a tensor are multiplied by at any place, in extended precision, and what that may be off
/// by. Takes its time to make, so that computations share it.
class Growth {
 public:
  /// \param parameters of the tensor's contract
  Growth(const BudgetModel::Parameters& parameters, PositionScale scale);
  Growth(const Growth&) = delete;  // the errors refer to the model
  Growth& operator=(const Growth&) = delete;

  const PositionScale& scale() const { return scale_; }
  /// The same with another scale.
  std::shared_ptr<const Growth> with(PositionScale scale) const;

  struct Factor {
    long double exact = 1;
    ScaleAt at = {};
  };
  /// \param position the one nearest to the place
  Factor at(double place, std::int64_t position, int pair) const;

 private:
  PositionScale scale_;
  BudgetModel model_;
  ScaleErrors errors_;
  long double slope_;  ///< of the exponent: 1/B, or -1/B of the reciprocal
  std::vector<long double> logarithms_;
};

/// The frequencies of a pair, in radians a position: of its cosine and of its sine, which are the same but
/// for faulty computations. In extended precision, whose relative error of 2^-64 is a share of 2^-11 of what
/// any contract allows to a phase.
struct Tone {
  long double cosine = 0;
  long double sine = 0;

  bool operator==(const Tone&) const = default;
};

/// What one column of a table holds: sign times the component of the pair, or the magnitude of that.
struct Cell {
  int pair = 0;
  Component component = Component::zero;
  int sign = 1;
  bool is_magnitude = false;

  bool operator==(const Cell&) const = default;
};

/// What stands in place of the cosine, or of the sine, of a pair that vectors are turned by.
struct TurnPart {
  Component component = Component::cosine;
  int sign = 1;
  bool is_magnitude = false;

  bool operator==(const TurnPart&) const = default;
};

/// What a component of a pair of vectors is made of: of itself by the first, of the other by the second.
struct TurnParts {
  TurnPart cosine{Component::cosine};
  TurnPart sine{Component::sine};

  bool operator==(const TurnParts&) const = default;
};

/// Which component of its pair a dimension is: 0 or 1.
inline std::size_t component_of(const RotatedDimension& d) {
  return d.own < d.other ? 0 : 1;
}

/// How numbers are stored, where it is not by rounding them once to the format of the tensor.
struct Storing {
  std::optional<Format> through = std::nullopt;  ///< they are rounded to this narrower format first
  bool truncates = false;                        ///< toward zero
  Overflow overflow = Overflow::undeclared;      ///< of a format of eight bits
  std::optional<Format> bits_of = std::nullopt;  ///< the tensor's bits are those of this format
  bool before_amplitude = false;                 ///< `through` comes before the product with the amplitude
  double flushed_below = 0;                      ///< smaller magnitudes are stored as zero
  double clipped_at = std::numeric_limits<double>::infinity();  ///< larger magnitudes are stored as this

  /// Whether they are rounded to the tensor's format, and nothing else.
  bool is_one_rounding() const {
    return !through && !truncates && flushed_below == 0 && clipped_at > std::numeric_limits<double>::max() &&
           !bits_of && overflow == Overflow::undeclared;
  }
};

/// Another number in place of 2 pi, by which arguments of sine and cosine are reduced.
struct RoundedPeriod {
  double value = 0;
};

/// What an implementation is taken to compute, stage by stage: what the spec declares, or an edited form of
/// it. Element e of row r is sign_e times a component of the pair's turn (cos f, sin f) A, or for vectors
/// x_own A cos f + sign x_other A sin f, with f = place_r times the frequency of the pair.
struct Computation {
  /// \name Mapping
  /// @{
  std::vector<std::vector<Cell>> cells;   ///< a tensor, a column; of tables
  std::vector<RotatedDimension> rotated;  ///< of vectors; in the order in which they are computed
  enum class Passed { copied, zeroed } passed = Passed::copied;  ///< dimensions that do not rotate
  double passed_factor = 1;                                      ///< multiplies them
  int passed_shift = 0;                 ///< they move by so many dimensions, round and round
  bool fills_padding = false;           ///< the row that is zero by definition holds its position
  std::array<TurnParts, 2> turn_parts;  ///< of vectors: of the first component of each pair, and the second
  bool in_place = false;                ///< results replace the inputs of what is computed after them
  /// @}

  /// \name Frequency
  /// @{
  std::vector<Tone> tones;  ///< one a pair
  std::vector<int> axes;    ///< the axis of positions that a pair turns by
  /// What the spec says the frequencies are, and which of them each pair has.
  std::shared_ptr<const Frequencies> meant;
  std::vector<int> meant_of_pair;
  /// What the contract allows to each tensor, for frequencies as many as there are tones.
  std::vector<BudgetModel::Parameters> parameters;
  /// @}

  /// \name Position
  /// @{
  using Places = std::vector<std::vector<double>>;  ///< an axis, a row
  std::shared_ptr<const Places> places;
  std::optional<Narrowing> place_format =
      std::nullopt;                    ///< in which the numbers are stored that they stand for
  bool places_are_sums = false;        ///< in that format: a place is one of its neighbours there
  std::vector<double> place_sizes{1};  ///< what a place along each axis is of that number
  std::int64_t least_position = 0;     ///< rows are allowed what this position is, at least
  /// Places that are no whole numbers: those of rows that are not at their declared ones, or all.
  enum class RoundedPlaces { none, moved, all } rounded_places = RoundedPlaces::none;
  double place_terms = 0;  ///< such places are sums of terms as large as this, and rounded as these are
  /// @}

  /// \name Phase and trigonometry
  /// @{
  std::optional<Narrowing> phase_format = std::nullopt;  ///< in which products are rounded
  double phase_shift = 0;                                ///< added to every phase, radians
  std::optional<RoundedPeriod> period = std::nullopt;
  /// Phases of more than half a turn are off by so much, radians, as what their reduction leaves is rounded.
  double reduced_rounding = 0;
  double phase_step = 0;  ///< phases are rounded to multiples of it, unless zero
  double zero_beyond = std::numeric_limits<double>::infinity();  ///< larger phases have zero for both
  /// 1, -1: the cosine of a phase x is sin(pi/2 + x), sin(pi/2 - x), of an argument that is rounded
  int quarter_turn = 0;
  double trigonometry_error = 0;  ///< absolute, where it is more than the contract allows
  /// @}

  double amplitude = 1;
  /// What multiplies the pairs of a tensor besides, where that grows or falls with the position; one a
  /// tensor, null where it is none, and empty where none has any.
  std::vector<std::shared_ptr<const Growth>> growth;
  std::optional<Format> input_format = std::nullopt;  ///< in which vectors are read
  Storing storing = {};

  int pairs() const { return static_cast<int>(tones.size()); }
  /// Allows each frequency what the contract allows to one that is computed by exp and log, 1/pow or the
  /// like: (4 |ln w| + 3) u, and its phases one rounding, as far as they are allowed less. After an edit of
  /// tones.
  void allow_computed_frequencies();
  /// Allows each phase roundings that the declared computation has not. \param more how many
  void allow_phase_roundings(int more);
  /// Allows places that are not the declared ones to be no whole numbers. Rows that keep theirs are allowed
  /// no more than before: what is wrong there is not explained by what is elsewhere.
  void allow_rounded_places();
  /// Turns pairs by the numbers that positions along other axes stand for. \param along one axis a pair
  void turn_along(std::vector<int> along);
  /// What a place that the pair turns by is of the number that it stands for.
  double place_size(std::size_t pair) const { return place_sizes[static_cast<std::size_t>(axes[pair])]; }
  /// Gives the cosine and the sine of every pair one frequency.
  void set_frequencies(const std::function<long double(std::size_t pair)>& frequency);
  /// Edits the frequencies of cosines and of sines.
  void change_tones(const std::function<long double(long double frequency)>& change);
  /// The same as they multiply the numbers that places stand for: the scale of positions is none of theirs.
  /// \param change called with a frequency and not zero
  void change_frequencies(const std::function<long double(long double frequency)>& change);
  /// Edits each column of each table.
  void change_cells(const std::function<void(Cell& cell)>& change);
  /// Turns pairs of vectors the other way.
  void turn_round();

  /// That which the pair turns by.
  std::size_t axis(int pair) const { return static_cast<std::size_t>(axes[static_cast<std::size_t>(pair)]); }
  /// The place in a row that the pair turns by.
  double place(std::size_t row, int pair) const { return (*places)[axis(pair)][row]; }

  /// Whether it allows more to a frequency, a phase or a sine than another computation of as many pairs does.
  bool allows_more_than(const Computation& other) const;
  /// Allows to each of them what another computation allows, as far as it allows less.
  void allow_as_much_as(const Computation& other);
  /// Allows to each row what another computation allows to the farthest, where that is farther than its own.
  void reach_as_far_as(const Computation& other);

  std::vector<double> frequencies() const;
  /// Of the frequencies, as far as a budget looks at them: negative ones turn the other way.
  std::vector<double> magnitudes() const;
  double frequency(int pair) const { return static_cast<double>(tones[static_cast<std::size_t>(pair)].sine); }
};

/// What a phase is allowed whose place is no whole number: the place is rounded, and so is the product.
BudgetModel::Parameters with_rounded_places(BudgetModel::Parameters parameters);

}  // namespace vernier
