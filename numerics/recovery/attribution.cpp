#include "numerics/recovery/attribution.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <complex>
#include <limits>

#include <oneapi/tbb/parallel_for.h>

namespace vernier {
namespace {

constexpr std::size_t rows_for_tones = 4096;
constexpr std::size_t rows_for_candidates = 768;
constexpr double certified_share = 0.99;
/// u of float32.
constexpr double roundoff = 0x1p-24;
/// A declared amplitude is kept if the points agree with it so nearly: the median magnitude of honest float32
/// points is off by a few u.
constexpr double amplitude_tolerance = 0x1p-20;

/// A pair's points and what they measured.
struct MeasuredPair {
  int pair = 0;
  PairSignal signal;
  std::optional<Tone> tone;
};

std::vector<std::optional<MeasuredPair>> measured_pairs(std::span<const TableTensor> tables,
                                                        std::span<const std::int64_t> positions) {
  const auto places = pair_places(tables);
  const auto rows = rows_to_measure(positions, rows_for_tones);
  const auto& declared = tables.front().table.frequencies;
  std::vector<std::optional<MeasuredPair>> result(places.size());
  oneapi::tbb::parallel_for(std::size_t{0}, places.size(), [&](std::size_t i) {
    if (places[i].complete()) {
      const int pair = static_cast<int>(i);
      auto signal = pair_signal(tables, positions, rows, places[i]);
      auto tone = measure_tone(signal, declared.approximate(pair));
      result[i] = MeasuredPair{pair, std::move(signal), std::move(tone)};
    }
  });
  return result;
}

/// Some of the rows of a signal, spread over all of it.
PairSignal spread(const PairSignal& signal) {
  if (signal.size() <= rows_for_candidates) {
    return signal;
  }
  PairSignal result;
  for (std::size_t i = 0; i < rows_for_candidates; ++i) {
    const auto row = i * (signal.size() - 1) / (rows_for_candidates - 1);
    result.positions.push_back(signal.positions[row]);
    result.points.push_back(signal.points[row]);
  }
  return result;
}

/// How well the points fit the phases of a candidate.
struct Fit {
  double residual;  ///< in units of u A: nine tenths are no further off
  double misfit;    ///< the sum of the squared errors of sines and cosines, in ulp of each
};

/// In ulp, small sines of slow pairs tell neighbouring frequencies apart, which their cosines near 1 do not.
/// An error counts as `most_ulps` at most, so that damaged rows do not decide.
double squared_ulps(double got, double truth) {
  constexpr double most_ulps = 16;
  const double ulps = std::min(std::fabs(got - truth) / ulp_at(Format::binary32, truth), most_ulps);
  return ulps * ulps;
}

Fit fit_of(const PairSignal& signal, double amplitude, const PhaseModel& model, int pair, double candidate) {
  std::vector<double> distances;
  double misfit = 0;
  for (std::size_t i = 0; i < signal.size(); ++i) {
    const auto truth = std::polar(amplitude, model.phase(signal.positions[i], pair, candidate));
    distances.push_back(std::abs(signal.points[i] - truth) / (roundoff * amplitude));
    misfit += squared_ulps(signal.points[i].real(), truth.real()) +
              squared_ulps(signal.points[i].imag(), truth.imag());
  }
  const auto tenth = distances.begin() + static_cast<std::ptrdiff_t>(distances.size() * 9 / 10);
  std::ranges::nth_element(distances, tenth);
  return {*tenth, misfit};
}

PairAttribution best_candidate(const MeasuredPair& measured, const PairSignal& signal, double amplitude,
                               const PhaseModel& model) {
  PairAttribution best;
  double least_misfit = std::numeric_limits<double>::infinity();
  for (const double candidate : model.candidates(measured.pair, measured.tone->frequency)) {
    const auto [residual, misfit] = fit_of(signal, amplitude, model, measured.pair, candidate);
    if (misfit < least_misfit) {
      best = {candidate, model.frequency(measured.pair, candidate), residual};
      least_misfit = misfit;
    }
  }
  return best;
}

std::vector<PairAttribution> attributed_by(const PhaseModel& model,
                                           const std::vector<std::optional<MeasuredPair>>& measured,
                                           double amplitude) {
  std::vector<PairAttribution> result(measured.size(), {0, 0, std::numeric_limits<double>::infinity()});
  oneapi::tbb::parallel_for(std::size_t{0}, measured.size(), [&](std::size_t i) {
    if (measured[i] && measured[i]->tone) {
      result[i] = best_candidate(*measured[i], spread(measured[i]->signal), amplitude, model);
    }
  });
  return result;
}

/// The share of the pairs with both components that are explained.
double explained_share(const std::vector<PairAttribution>& pairs,
                       const std::vector<std::optional<MeasuredPair>>& measured, double amplitude) {
  int complete = 0;
  int explained = 0;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    complete += measured[i] ? 1 : 0;
    explained += measured[i] && pairs[i].residual <= certified_residual(amplitude) ? 1 : 0;
  }
  return complete == 0 ? 0 : static_cast<double>(explained) / complete;
}

double amplitude_of(const std::vector<std::optional<MeasuredPair>>& measured, double declared) {
  std::vector<double> amplitudes;
  for (const auto& entry : measured) {
    if (entry && entry->tone) {
      amplitudes.push_back(entry->tone->amplitude);
    }
  }
  if (amplitudes.empty()) {
    return declared;
  }
  const auto middle = amplitudes.begin() + static_cast<std::ptrdiff_t>(amplitudes.size() / 2);
  std::ranges::nth_element(amplitudes, middle);
  return std::fabs(*middle / declared - 1) <= amplitude_tolerance ? declared : *middle;
}

/// Scalar product of points seen as vectors.
double dot(const std::complex<double>& a, const std::complex<double>& b) {
  return a.real() * b.real() + a.imag() * b.imag();
}

ErrorShares shares_of(const Attribution& attribution,
                      const std::vector<std::optional<MeasuredPair>>& measured, const Frequencies& declared,
                      double declared_amplitude) {
  ErrorShares sums;
  double squares = 0;
  for (std::size_t i = 0; i < measured.size(); ++i) {
    const int pair = static_cast<int>(i);
    if (!measured[i] || !attribution.explains(pair)) {
      continue;
    }
    const double frequency = declared.approximate(pair);
    for (std::size_t r = 0; r < measured[i]->signal.size(); ++r) {
      const auto position = measured[i]->signal.positions[r];
      const auto p = static_cast<double>(position);
      const auto truth = std::polar(declared_amplitude, p * frequency);
      const auto other = std::polar(attribution.amplitude, p * attribution.pairs[i].frequency);
      const auto rounded =
          std::polar(attribution.amplitude,
                     attribution.model->intended_phase(position, pair, attribution.pairs[i].candidate));
      const auto& point = measured[i]->signal.points[r];
      const auto total = point - truth;
      squares += std::norm(total);
      sums.frequency += dot(other - truth, total);
      sums.phase += dot(rounded - other, total);
      sums.trigonometry += dot(point - rounded, total);
    }
  }
  return squares == 0
             ? ErrorShares{}
             : ErrorShares{sums.frequency / squares, sums.phase / squares, sums.trigonometry / squares};
}

std::vector<std::optional<Tone>> tones_of(const std::vector<std::optional<MeasuredPair>>& measured) {
  std::vector<std::optional<Tone>> tones;
  for (const auto& entry : measured) {
    tones.push_back(entry ? entry->tone : std::nullopt);
  }
  return tones;
}

}  // namespace

double certified_residual(double amplitude) {
  return amplitude == 1 ? 6 : 8;
}

bool Attribution::explains(int pair) const {
  return certified() && pairs[static_cast<std::size_t>(pair)].residual <= certified_residual(amplitude);
}

std::vector<std::optional<Tone>> measure_tones(std::span<const TableTensor> tables,
                                               std::span<const std::int64_t> positions) {
  return tones_of(measured_pairs(tables, positions));
}

Attribution attribute_phases(std::span<const TableTensor> tables, std::span<const std::int64_t> positions) {
  assert(std::ranges::all_of(tables, [](const auto& t) { return t.stored() == Format::binary32; }));
  const auto& table = tables.front().table;
  const auto measured = measured_pairs(tables, positions);
  const double declared_amplitude = approximately(table.amplitude);
  Attribution result;
  result.tones = tones_of(measured);
  result.amplitude = amplitude_of(measured, declared_amplitude);
  std::vector<double> frequencies;
  for (std::size_t i = 0; i < measured.size(); ++i) {
    frequencies.push_back(result.tones[i] ? result.tones[i]->frequency
                                          : table.frequencies.approximate(static_cast<int>(i)));
  }
  double best_share = -1;
  for (auto& model : float32_phase_models(table.frequencies, frequencies)) {
    auto pairs = attributed_by(*model, measured, result.amplitude);
    const double share = explained_share(pairs, measured, result.amplitude);
    if (share > best_share) {
      best_share = share;
      result.pairs = std::move(pairs);
      if (share >= certified_share) {
        result.model = std::move(model);
        break;
      }
    }
  }
  if (result.certified()) {
    result.shares = shares_of(result, measured, table.frequencies, declared_amplitude);
  }
  return result;
}

}  // namespace vernier
