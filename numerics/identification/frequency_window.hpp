#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "numerics/audit/failing_extent.hpp"
#include "numerics/screens/phase_deviation.hpp"
#include "numerics/views/row_view.hpp"

namespace vernier {

/// What one row shows of one pair.
struct PairSighting {
  int pair = 0;
  std::size_t row = 0;
  std::int64_t position = 0;
  double phase = 0;      ///< position * frequency
  double row_error = 0;  ///< what this row's phase may be off by besides the frequency, relatively
  /// Of the phase from the true one, in the direction in which pairs are declared to turn.
  PhaseDeviation deviation;
};

/// Rows that show how far the phases of pairs are from the true ones.
class DeviationRows {
 public:
  DeviationRows() = default;
  DeviationRows(const DeviationRows&) = delete;
  DeviationRows& operator=(const DeviationRows&) = delete;
  virtual ~DeviationRows() = default;

  using Visit = std::function<void(const PairSighting&)>;
  virtual std::size_t rows() const = 0;
  virtual int pairs() const = 0;
  /// The greatest relative error that the contract allows the frequency of a pair.
  virtual double frequency_error(int pair) const = 0;
  /// Visits what a row shows, pair by pair. Non-finite components, and rows that are zero by definition, show
  /// nothing. Several threads may ask.
  virtual void visit(std::size_t row, const Visit& visit) const = 0;
  /// Visits some rows, in their order, but may leave out sightings that surely say something of their pair's
  /// frequency and surely leave all that is known of it. \param known may be narrowed while visiting
  /// \return how many are left out
  virtual std::uint64_t visit_telling(std::size_t first, std::size_t last, const ErrorRanges& known,
                                      const Visit& visit) const {
    static_cast<void>(known);
    for (auto row = first; row < last; ++row) {
      this->visit(row, visit);
    }
    return 0;
  }
};

/// What the points of a view show. Null where phases are no multiples of one frequency a pair, or the
/// contract does not say how they are computed.
std::unique_ptr<DeviationRows> deviation_rows(const RowView& view);

/// The relative errors d of one pair's frequency that explain its rows: from `least` to `greatest`.
///
/// A row at phase a = p w computes a (1 + d)(1 + e), |e| <= E its own rounding, and is seen to deviate by x:
/// so a d lies within |a| E (1 + r) of x, r the most that |d| may be. Every row leaves an interval of d, and
/// what all leave is theirs together. If that is empty, no frequency explains the rows, whatever it is: two
/// of them, the one that needs the greatest d and the one that lets the least, suffice as proof.
struct FrequencyWindow {
  struct Bound {
    double value = 0;
    std::optional<PairSighting> row;  ///< the one that sets it; nothing: the contract does
  };
  Bound least;
  Bound greatest;

  explicit FrequencyWindow(double frequency_error)
      : least{-frequency_error, std::nullopt}, greatest{frequency_error, std::nullopt} {}
  bool empty() const { return least.value > greatest.value; }
};

/// What most of some rows of one pair have in common.
struct CommonFrequency {
  double least = 0;  ///< the relative errors of the frequency that they share are from here
  double greatest = 0;
  std::size_t rows = 0;    ///< that share them
  std::size_t judged = 0;  ///< rows that say something
};

/// \param rows of one pair \param frequency_error as in FrequencyWindow
CommonFrequency common_frequency(std::span<const PairSighting> rows, double frequency_error);

/// Two rows of one pair that no one frequency explains; or one, if it is beyond what the contract allows any.
struct FrequencyContradiction {
  int pair = 0;
  FrequencyWindow::Bound least;     ///< some row needs the frequency to be off by this at least
  FrequencyWindow::Bound greatest;  ///< and another by this at most, which is less
  PairSighting odd_row;             ///< the first row that the frequency of most rows does not explain
  std::uint64_t odd_rows = 0;       ///< of this pair
};

/// Whether each pair has one frequency.
struct OneFrequencyReport {
  std::uint64_t elements = 0;  ///< pairs, row by row
  std::uint64_t left_out = 0;  ///< beyond what the contract allows by themselves, where those do not count
  std::uint64_t judged = 0;
  std::uint64_t failing = 0;       ///< those that the frequency which explains most rows of the pair does not
  std::uint64_t inconclusive = 0;  ///< their phases may be off by a quarter turn
  std::optional<FrequencyContradiction> first;  ///< of the pair with most failing rows
  std::optional<FailingExtent> failing_extent;
  std::vector<FrequencyWindow> windows;  ///< one a pair
};

/// Judges all rows. The result does not depend on the number of threads.
/// \param beyond_counts whether a row fails that no allowed frequency explains by itself; else it is left
/// out: some other check has failed it, and other rows are not to be held against a frequency that none of
/// them has
OneFrequencyReport audit_one_frequency(const DeviationRows& rows, bool beyond_counts);

}  // namespace vernier
