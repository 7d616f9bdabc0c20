#include "numerics/errors/error_statistics.hpp"

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

double mean_of(const ExactSum& sum, std::uint64_t count) {
  return count == 0 ? 0 : sum.nearest() / static_cast<double>(count);
}

}  // namespace

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
  auto& greatest_place = state_.greatest_place;
  if (!greatest_place || magnitude > state_.greatest ||
      (magnitude == state_.greatest && place.before(*greatest_place))) {
    state_.greatest = magnitude;
    greatest_place = place;
  }
}

void ErrorSummary::add(const Moments& moments) {
  state_.count += moments.count;
  state_.sum += moments.sum;
  state_.sum_of_magnitudes += moments.sum_of_magnitudes;
  state_.sum_of_squares += moments.sum_of_squares;
}

void ErrorSummary::add(double error, Place place) {
  assert(!std::isnan(error));
  const double magnitude = std::fabs(error);
  consider(error, place);
  add(Moments{1, error, magnitude, error * error});
  ++state_.histogram[bin_of(magnitude)];
}

void ErrorSummary::merge(const ErrorSummary& other) {
  const auto& its = other.state_;
  if (its.greatest_place) {
    consider(its.greatest, *its.greatest_place);
  }
  state_.count += its.count;
  state_.sum += its.sum;
  state_.sum_of_magnitudes += its.sum_of_magnitudes;
  state_.sum_of_squares += its.sum_of_squares;
  auto& histogram = state_.histogram;
  std::ranges::transform(histogram, its.histogram, histogram.begin(), std::plus{});
}

double ErrorSummary::signed_mean() const {
  return mean_of(state_.sum, state_.count);
}
double ErrorSummary::mean() const {
  return mean_of(state_.sum_of_magnitudes, state_.count);
}
double ErrorSummary::rms() const {
  return std::sqrt(mean_of(state_.sum_of_squares, state_.count));
}

double ErrorSummary::percentile(double share) const {
  assert(share >= 0 && share <= 1);
  const auto wanted = static_cast<std::uint64_t>(std::ceil(share * static_cast<double>(state_.count)));
  std::uint64_t seen = 0;
  for (std::size_t bin = 0; bin < bins; ++bin) {
    seen += state_.histogram[bin];
    if (seen >= wanted && seen > 0) {
      return std::min(upper_edge(bin), state_.greatest);
    }
  }
  return state_.greatest;
}

void ErrorStatistics::add(Format format, double got, const Enclosure& truth,
                          std::optional<double> correctly_rounded, double phase, double amplitude,
                          Place place) {
  ++state_.count;
  if (!std::isfinite(got)) {
    ++state_.non_finite;
    keep_first(state_.first_non_finite, place);
    return;
  }
  const double ulps = signed_ulp_error(format, got, truth);
  const double error = signed_error(got, truth);
  state_.correctly_rounded += correctly_rounded && *correctly_rounded == got ? 1 : 0;
  state_.undecided += correctly_rounded ? 0 : 1;
  state_.faithful += std::fabs(ulps) < 1 ? 1 : 0;
  state_.ulps.add(ulps, place);
  state_.absolute.add(error, place);
  state_.phase_roundings.add(vernier::phase_roundings(format, error, phase, amplitude), place);
}

void ErrorStatistics::add_counted(std::uint64_t count, std::uint64_t correctly_rounded,
                                  std::uint64_t faithful) {
  state_.count += count;
  state_.correctly_rounded += correctly_rounded;
  state_.faithful += faithful;
}

void ErrorStatistics::merge(const ErrorStatistics& other) {
  if (other.state_.first_non_finite) {
    keep_first(state_.first_non_finite, *other.state_.first_non_finite);
  }
  state_.count += other.state_.count;
  state_.non_finite += other.state_.non_finite;
  state_.correctly_rounded += other.state_.correctly_rounded;
  state_.undecided += other.state_.undecided;
  state_.faithful += other.state_.faithful;
  state_.ulps.merge(other.state_.ulps);
  state_.absolute.merge(other.state_.absolute);
  state_.phase_roundings.merge(other.state_.phase_roundings);
}

}  // namespace vernier
