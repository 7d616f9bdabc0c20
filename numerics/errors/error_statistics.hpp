#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <optional>

#include "numerics/errors/exact_sum.hpp"
#include "reference/numbers/enclosure.hpp"
#include "reference/numbers/format.hpp"

namespace vernier {

/// Where in a table something was seen.
struct Place {
  std::int64_t position = 0;
  std::size_t column = 0;
  std::int64_t row = 0;  ///< of the rows audited: positions may repeat, and need not ascend

  /// In the order in which rows are written.
  bool before(const Place& other) const {
    return row < other.row || (row == other.row && column < other.column);
  }
};

/// Sums over some errors.
struct Moments {
  std::uint64_t count = 0;
  double sum = 0;
  double sum_of_magnitudes = 0;
  double sum_of_squares = 0;
};

/// Statistics of one error measure over many elements. What is put together in whatever order and from
/// whatever parts is the same, to the bit: counts are integers, sums are exact, and of equal maxima the first
/// in the order of the rows is kept.
class ErrorSummary {
 public:
  /// Bins: each octave from 2^-150 to 2^66 in four equal parts, the lower edge included. Smaller errors (zero
  /// too) fall in the first, larger in the last. Parts of equal width, so that the leading bits of a number
  /// are its bin, and multiplying by a power of two moves it by whole octaves.
  static constexpr int bins_per_octave = 4;
  static constexpr int lowest_exponent = -150;
  static constexpr int highest_exponent = 66;
  /// How much the upper edge of a bin is above its lower one, at most.
  static constexpr double percentile_excess = 1 + 1.0 / bins_per_octave;
  static constexpr std::size_t bins = (highest_exponent - lowest_exponent) * bins_per_octave + 2;

  /// All that it holds.
  struct State {
    std::uint64_t count = 0;
    ExactSum sum;
    ExactSum sum_of_magnitudes;
    ExactSum sum_of_squares;
    double greatest = 0;                  ///< largest magnitude
    std::optional<Place> greatest_place;  ///< none where none was considered
    std::array<std::uint64_t, bins> histogram{};
  };

  ErrorSummary() = default;
  explicit ErrorSummary(const State& state) : state_(state) {}
  const State& state() const { return state_; }

  /// \param error not NaN; infinite where a finite element is too far off for a double, in ulp say
  void add(double error, Place place);
  void merge(const ErrorSummary& other);
  /// Many errors at once, without their greatest, which `consider` is told.
  void add(const Moments& moments);
  void add_to_bin(std::size_t bin, std::uint64_t count) { state_.histogram[bin] += count; }
  /// An error that may be the greatest, of one that is (or will be) counted by `add`.
  void consider(double error, Place place);

  std::uint64_t count() const { return state_.count; }
  double greatest() const { return state_.greatest; }  ///< largest magnitude
  Place greatest_place() const { return state_.greatest_place.value_or(Place{}); }
  double signed_mean() const;
  double mean() const;  ///< of the magnitudes
  double rms() const;
  /// An upper bound, at most `percentile_excess` times too large, of the magnitude that `share` of the
  /// elements do not exceed. \param share in [0, 1]
  double percentile(double share) const;
  const std::array<std::uint64_t, bins>& histogram() const { return state_.histogram; }
  /// The bin of a magnitude. \param magnitude finite or infinite, >= 0
  static std::size_t bin_of(double magnitude) {
    // The exponent and two bits of the significand count quarters of octaves from 2^-1023.
    const auto quarters = static_cast<std::int64_t>(std::bit_cast<std::uint64_t>(magnitude) >> 50);
    const auto bin = quarters - std::int64_t{1023 + lowest_exponent} * bins_per_octave + 1;
    return static_cast<std::size_t>(std::clamp<std::int64_t>(bin, 0, bins - 1));
  }
  /// The upper edge of a bin of the histogram; infinity for the last.
  static double upper_edge(std::size_t bin);

 private:
  State state_;
};

/// How far the elements of a table, or of several, are from the truth, in the three measures.
class ErrorStatistics {
 public:
  /// All that it holds.
  struct State {
    std::uint64_t count = 0;
    std::uint64_t non_finite = 0;
    std::uint64_t correctly_rounded = 0;
    std::uint64_t undecided = 0;
    std::uint64_t faithful = 0;
    std::optional<Place> first_non_finite;
    ErrorSummary ulps;  ///< of the finite elements, as the other two
    ErrorSummary absolute;
    ErrorSummary phase_roundings;
  };

  ErrorStatistics() = default;
  explicit ErrorStatistics(const State& state) : state_(state) {}
  const State& state() const { return state_; }

  /// \param got a value of `format`
  /// \param correctly_rounded the certified rounding of the truth; nothing if undecided
  /// \param phase, amplitude of the element, for phase roundings
  void add(Format format, double got, const Enclosure& truth, std::optional<double> correctly_rounded,
           double phase, double amplitude, Place place);
  void merge(const ErrorStatistics& other);
  /// Many finite elements at once: only their number and how many of them are well rounded. Their errors go
  /// to the summaries.
  void add_counted(std::uint64_t count, std::uint64_t correctly_rounded, std::uint64_t faithful);

  std::uint64_t count() const { return state_.count; }
  std::uint64_t non_finite() const { return state_.non_finite; }
  std::optional<Place> first_non_finite() const { return state_.first_non_finite; }
  std::uint64_t correctly_rounded() const { return state_.correctly_rounded; }
  std::uint64_t undecided() const { return state_.undecided; }
  std::uint64_t faithful() const { return state_.faithful; }  ///< less than 1 ulp off
  /// The finite elements only.
  const ErrorSummary& ulps() const { return state_.ulps; }
  const ErrorSummary& absolute() const { return state_.absolute; }
  /// Its percentiles over tables audited at once are up to `phase_roundings_percentile_excess` times too
  /// large: elements of a band of positions are binned together.
  static constexpr double phase_roundings_percentile_excess = 2.3;
  const ErrorSummary& phase_roundings() const { return state_.phase_roundings; }
  ErrorSummary& ulps() { return state_.ulps; }
  ErrorSummary& absolute() { return state_.absolute; }
  ErrorSummary& phase_roundings() { return state_.phase_roundings; }

 private:
  State state_;
};

}  // namespace vernier
