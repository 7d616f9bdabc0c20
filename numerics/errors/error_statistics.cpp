#include "numerics/errors/error_statistics.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

#include "numerics/errors/metrics.hpp"

namespace vernier {
namespace {

void keep_first(std::optional<Place>& first, const Place& place) {
  if (!first || place.before(*first)) {
    first = place;
  }
}

}  // namespace

Moments& Moments::operator+=(const Moments& other) {
  count += other.count;
  sum += other.sum;
  sum_of_magnitudes += other.sum_of_magnitudes;
  sum_of_squares += other.sum_of_squares;
  return *this;
}

double ErrorSummary::upper_edge(std::size_t bin) {
  if (bin + 1 == bins) {
    return std::numeric_limits<double>::infinity();
  }
  const auto octave = static_cast<int>(bin) / bins_per_octave;
  const auto quarter = static_cast<int>(bin) % bins_per_octave;
  return std::ldexp(1 + quarter / static_cast<double>(bins_per_octave), lowest_exponent + octave);
}

void ErrorSummary::consider(double error, Place place) {
  const double magnitude = std::fabs(error);
  if (!placed_ || magnitude > greatest_ || (magnitude == greatest_ && place.before(greatest_place_))) {
    placed_ = true;
    greatest_ = magnitude;
    greatest_place_ = place;
  }
}

void ErrorSummary::add(double error, Place place) {
  assert(!std::isnan(error));
  const double magnitude = std::fabs(error);
  consider(error, place);
  moments_ += {1, error, magnitude, error * error};
  ++histogram_[bin_of(magnitude)];
}

void ErrorSummary::merge(const ErrorSummary& other) {
  if (other.placed_) {
    consider(other.greatest_, other.greatest_place_);
  }
  moments_ += other.moments_;
  std::ranges::transform(histogram_, other.histogram_, histogram_.begin(), std::plus{});
}

double ErrorSummary::signed_mean() const {
  return moments_.count == 0 ? 0 : moments_.sum / static_cast<double>(moments_.count);
}
double ErrorSummary::mean() const {
  return moments_.count == 0 ? 0 : moments_.sum_of_magnitudes / static_cast<double>(moments_.count);
}
double ErrorSummary::rms() const {
  return moments_.count == 0 ? 0 : std::sqrt(moments_.sum_of_squares / static_cast<double>(moments_.count));
}

double ErrorSummary::percentile(double share) const {
  assert(share >= 0 && share <= 1);
  const auto wanted = static_cast<std::uint64_t>(std::ceil(share * static_cast<double>(moments_.count)));
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
    keep_first(first_non_finite_, place);
    return;
  }
  const double ulps = signed_ulp_error(format, got, truth);
  const double error = signed_error(got, truth);
  correctly_rounded_ += correctly_rounded && *correctly_rounded == got ? 1 : 0;
  undecided_ += correctly_rounded ? 0 : 1;
  faithful_ += std::fabs(ulps) < 1 ? 1 : 0;
  ulps_.add(ulps, place);
  absolute_.add(error, place);
  phase_roundings_.add(vernier::phase_roundings(format, error, phase, amplitude), place);
}

void ErrorStatistics::add_counted(std::uint64_t count, std::uint64_t correctly_rounded,
                                  std::uint64_t faithful) {
  count_ += count;
  correctly_rounded_ += correctly_rounded;
  faithful_ += faithful;
}

void ErrorStatistics::merge(const ErrorStatistics& other) {
  if (other.first_non_finite_) {
    keep_first(first_non_finite_, *other.first_non_finite_);
  }
  count_ += other.count_;
  non_finite_ += other.non_finite_;
  correctly_rounded_ += other.correctly_rounded_;
  undecided_ += other.undecided_;
  faithful_ += other.faithful_;
  ulps_.merge(other.ulps_);
  absolute_.merge(other.absolute_);
  phase_roundings_.merge(other.phase_roundings_);
}

}  // namespace vernier
