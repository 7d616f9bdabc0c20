#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "reference/enclosure.hpp"
#include "reference/format.hpp"

namespace vernier {

/// Where in a table something was seen.
struct Place {
  std::int64_t position = 0;
  std::size_t column = 0;
};

/// Statistics of one error measure over many elements. Merging is associative up to the rounding of the sums;
/// done in a fixed order it is bit-for-bit reproducible.
class ErrorSummary {
 public:
  /// Bins a quarter of an octave wide, from 2^-30 to 2^66; smaller errors (zero too) fall in the first,
  /// larger in the last.
  static constexpr int bins_per_octave = 4;
  static constexpr int lowest_exponent = -30;
  static constexpr int highest_exponent = 66;
  static constexpr std::size_t bins = (highest_exponent - lowest_exponent) * bins_per_octave + 2;

  /// \param error finite
  void add(double error, Place place);
  void merge(const ErrorSummary& other);

  std::uint64_t count() const { return count_; }
  double greatest() const { return greatest_; }  ///< largest magnitude
  Place greatest_place() const { return greatest_place_; }
  double signed_mean() const;
  double mean() const;  ///< of the magnitudes
  double rms() const;
  /// An upper bound, at most a quarter octave above, of the magnitude that `share` of the elements do not
  /// exceed. \param share in [0, 1]
  double percentile(double share) const;
  const std::array<std::uint64_t, bins>& histogram() const { return histogram_; }
  /// The upper edge of a bin of the histogram; infinity for the last.
  static double upper_edge(std::size_t bin);

 private:
  std::uint64_t count_ = 0;
  double greatest_ = 0;
  Place greatest_place_;
  double sum_ = 0;
  double sum_of_magnitudes_ = 0;
  double sum_of_squares_ = 0;
  std::array<std::uint64_t, bins> histogram_{};
};

/// How far the elements of a table, or of several, are from the truth, in the three measures.
class ErrorStatistics {
 public:
  /// \param got a value of `format`
  /// \param correctly_rounded the certified rounding of the truth; nothing if undecided
  /// \param phase, amplitude of the element, for kappa
  void add(Format format, double got, const Enclosure& truth, std::optional<double> correctly_rounded,
           double phase, double amplitude, Place place);
  void merge(const ErrorStatistics& other);

  std::uint64_t count() const { return count_; }
  std::uint64_t non_finite() const { return non_finite_; }
  std::optional<Place> first_non_finite() const { return first_non_finite_; }
  std::uint64_t correctly_rounded() const { return correctly_rounded_; }
  std::uint64_t undecided() const { return undecided_; }
  std::uint64_t faithful() const { return faithful_; }  ///< less than 1 ulp off
  /// The finite elements only.
  const ErrorSummary& ulps() const { return ulps_; }
  const ErrorSummary& absolute() const { return absolute_; }
  const ErrorSummary& kappa() const { return kappa_; }

 private:
  std::uint64_t count_ = 0;
  std::uint64_t non_finite_ = 0;
  std::uint64_t correctly_rounded_ = 0;
  std::uint64_t undecided_ = 0;
  std::uint64_t faithful_ = 0;
  std::optional<Place> first_non_finite_;
  ErrorSummary ulps_;
  ErrorSummary absolute_;
  ErrorSummary kappa_;
};

}  // namespace vernier
