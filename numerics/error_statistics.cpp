#include "numerics/error_statistics.hpp"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cmath>
#include <limits>

#include "numerics/metrics.hpp"

namespace vernier {
namespace {

/// The bin whose upper edge is the first not below `magnitude`: its octave from the exponent, its quarter by
/// comparison.
std::size_t bin_of(double magnitude) {
  const auto bits = std::bit_cast<std::uint64_t>(magnitude);
  const int octave = static_cast<int>(bits >> 52) - 1023 - ErrorSummary::lowest_exponent;
  const double significand = std::bit_cast<double>((bits & 0xfffffffffffff) | 0x3ff0000000000000);
  const int quarter = (significand > 1 ? 1 : 0) + (significand > 0x1.306fe0a31b715p0 ? 1 : 0) +
                      (significand > 0x1.6a09e667f3bcdp0 ? 1 : 0) +
                      (significand > 0x1.ae89f995ad3adp0 ? 1 : 0);
  const int bin = octave * ErrorSummary::bins_per_octave + quarter;
  return static_cast<std::size_t>(std::clamp(bin, 0, static_cast<int>(ErrorSummary::bins) - 1));
}

}  // namespace

double ErrorSummary::upper_edge(std::size_t bin) {
  if (bin + 1 == bins) {
    return std::numeric_limits<double>::infinity();
  }
  return std::exp2(lowest_exponent + static_cast<double>(bin) / bins_per_octave);
}

void ErrorSummary::add(double error, Place place) {
  assert(std::isfinite(error));
  const double magnitude = std::fabs(error);
  if (magnitude > greatest_ || count_ == 0) {
    greatest_ = magnitude;
    greatest_place_ = place;
  }
  ++count_;
  sum_ += error;
  sum_of_magnitudes_ += magnitude;
  sum_of_squares_ += error * error;
  ++histogram_[bin_of(magnitude)];
}

void ErrorSummary::merge(const ErrorSummary& other) {
  if (other.count_ > 0 && (other.greatest_ > greatest_ || count_ == 0)) {
    greatest_ = other.greatest_;
    greatest_place_ = other.greatest_place_;
  }
  count_ += other.count_;
  sum_ += other.sum_;
  sum_of_magnitudes_ += other.sum_of_magnitudes_;
  sum_of_squares_ += other.sum_of_squares_;
  std::ranges::transform(histogram_, other.histogram_, histogram_.begin(), std::plus{});
}

double ErrorSummary::signed_mean() const {
  return count_ == 0 ? 0 : sum_ / static_cast<double>(count_);
}
double ErrorSummary::mean() const {
  return count_ == 0 ? 0 : sum_of_magnitudes_ / static_cast<double>(count_);
}
double ErrorSummary::rms() const {
  return count_ == 0 ? 0 : std::sqrt(sum_of_squares_ / static_cast<double>(count_));
}

double ErrorSummary::percentile(double share) const {
  assert(share >= 0 && share <= 1);
  const auto wanted = static_cast<std::uint64_t>(std::ceil(share * static_cast<double>(count_)));
  std::uint64_t seen = 0;
  for (std::size_t bin = 0; bin < bins; ++bin) {
    seen += histogram_[bin];
    if (seen >= wanted && seen > 0) {
      return std::min(upper_edge(bin), greatest_);
    }
  }
  return greatest_;
}

void ErrorStatistics::add(Format format, double got, const Enclosure& truth,
                          std::optional<double> correctly_rounded, double phase, double amplitude,
                          Place place) {
  ++count_;
  if (!std::isfinite(got)) {
    ++non_finite_;
    first_non_finite_ = first_non_finite_.value_or(place);
    return;
  }
  const double ulps = signed_ulp_error(format, got, truth);
  const double error = signed_error(got, truth);
  correctly_rounded_ += correctly_rounded && *correctly_rounded == got ? 1 : 0;
  undecided_ += correctly_rounded ? 0 : 1;
  faithful_ += std::fabs(ulps) < 1 ? 1 : 0;
  ulps_.add(ulps, place);
  absolute_.add(error, place);
  kappa_.add(vernier::kappa(format, error, phase, amplitude), place);
}

void ErrorStatistics::merge(const ErrorStatistics& other) {
  if (!first_non_finite_) {
    first_non_finite_ = other.first_non_finite_;
  }
  count_ += other.count_;
  non_finite_ += other.non_finite_;
  correctly_rounded_ += other.correctly_rounded_;
  undecided_ += other.undecided_;
  faithful_ += other.faithful_;
  ulps_.merge(other.ulps_);
  absolute_.merge(other.absolute_);
  kappa_.merge(other.kappa_);
}

}  // namespace vernier
