#include "numerics/identification/attribution.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>

#include <oneapi/tbb/parallel_for.h>

#include "numerics/budgets/apart_from_phase.hpp"
#include "numerics/elements/turn_allowance.hpp"
#include "numerics/identification/frequency_window.hpp"
#include "reference/support/mapped.hpp"

namespace vernier {
namespace {

constexpr std::size_t rows_for_phasors = 4096;
constexpr std::size_t rows_for_candidates = 768;
/// A frequency, and a hypothesis, are believed if so many of the rows agree with them.
constexpr double most_of_rows = 0.9;
constexpr double nearly_all = 0.99;
/// A row tells ways of rounding a phase apart if its phase may be rounded by so much more than the row leaves
/// open.
constexpr double telling_ratio = 4;
constexpr std::size_t least_telling_rows = 32;
/// u of float32.
constexpr double roundoff = 0x1p-24;
/// A declared amplitude is kept if the points agree with it so nearly: the median magnitude of honest float32
/// points is off by a few u, and that of 16-bit ones by less than their own.
double amplitude_tolerance(Format stored) {
  return std::max(0x1p-20, 2 * traits(stored).unit_roundoff());
}

/// The points of the complete pairs; nothing of others.
std::vector<std::optional<PairSignal>> signals_of(const RowView& tables,
                                                  std::span<const std::int64_t> positions) {
  return pair_signals(tables, positions, rows_to_measure(positions, rows_for_phasors));
}

/// Some of the rows of a signal, spread over all of it.
PairSignal spread(const PairSignal& signal) {
  if (signal.size() <= rows_for_candidates) {
    return signal;
  }
  PairSignal result;
  for (const auto row : spread_rows(signal.size(), rows_for_candidates)) {
    result.positions.push_back(signal.positions[row]);
    result.points.push_back(signal.points[row]);
  }
  return result;
}

/// Rows of one pair that one frequency explains, and what it may be.
struct ExplainedRows {
  DoubleDouble reference;  ///< the frequency from whose phases the rows deviate
  std::vector<PairSighting> rows;
  FrequencyRange range;
};

/// What the components of a case's tables may be off by, whatever their phases are.
class Bounds {
 public:
  Bounds(const RowView& tables, double amplitude) : points_(first_points(tables)), amplitude_(amplitude) {
    for (const auto& part : tables.parts()) {
      models_.push_back(part.model());
      by_part_.emplace_back(models_.back());
    }
  }

  PairSighting seen(int pair, std::int64_t position, const std::complex<double>& point,
                    const DoubleDouble& reference) const {
    const auto& place = *points_[static_cast<std::size_t>(pair)];
    const auto bound = [&](const PointLayout::PartColumn& stored, double value) {
      // For the declared amplitude; another one takes its share.
      const double share = amplitude_ / models_[stored.part].amplitude();
      return by_part_[stored.part].at(position, pair, value / share).greatest * share;
    };
    const auto deviation =
        phase_deviation(unit_vector(position, reference), point.real(), bound(*place.real, point.real()),
                        point.imag(), bound(*place.imaginary, point.imag()), amplitude_);
    return {pair,
            0,
            position,
            static_cast<double>(position) * reference.high,
            models_.front().row_error(position, pair),
            deviation};
  }

  double frequency_error(int pair) const {
    return models_.front().parameters().frequency_error[static_cast<std::size_t>(pair)];
  }

 private:
  std::vector<std::optional<PointLayout::Place>> points_;
  double amplitude_;
  std::vector<BudgetModel> models_;
  std::vector<BinadeBounds> by_part_;
};

/// The rows that one frequency within the relative error of the reference explains, if they are nearly all.
std::optional<ExplainedRows> explained_by_one(const DoubleDouble& reference, double error,
                                              std::vector<PairSighting> rows) {
  const auto common = common_frequency(rows, error);
  if (rows.empty() || static_cast<double>(common.rows) < most_of_rows * static_cast<double>(rows.size())) {
    return std::nullopt;
  }
  const double middle = (common.least + common.greatest) / 2;
  std::erase_if(rows, [&](const PairSighting& seen) {
    const double slack = std::fabs(seen.phase) * seen.row_error * (1 + error);
    const double expected = seen.phase * middle;
    return expected < seen.deviation.least - slack || expected > seen.deviation.greatest + slack;
  });
  const double at_least = reference.high * (1 + common.least);
  const double at_most = reference.high * (1 + common.greatest);
  return ExplainedRows{
      reference, std::move(rows), {std::min(at_least, at_most), std::max(at_least, at_most)}};
}

std::optional<ExplainedRows> explained_near(const DoubleDouble& reference, double error,
                                            const PairSignal& signal, int pair, const Bounds& bounds) {
  std::vector<PairSighting> rows;
  for (std::size_t i = 0; i < signal.size(); ++i) {
    rows.push_back(bounds.seen(pair, signal.positions[i], signal.points[i], reference));
  }
  return explained_by_one(reference, error, std::move(rows));
}

/// \param declared the frequency of the pair
std::optional<ExplainedRows> explained_rows(const PairSignal& measured, int pair,
                                            const DoubleDouble& declared, const Bounds& bounds) {
  const auto signal = spread(measured);
  auto near_declared = explained_near(declared, bounds.frequency_error(pair), signal, pair, bounds);
  if (near_declared) {
    return near_declared;
  }
  const auto phasor = fit_phasor(measured, declared.high);
  if (!phasor || phasor->frequency == 0) {
    return std::nullopt;
  }
  constexpr double deviations = 4;
  const double error = deviations * (phasor->uncertainty / std::fabs(phasor->frequency) + roundoff);
  return explained_near({phasor->frequency, 0}, error, signal, pair, bounds);
}

/// How far a phase of the row is from that of the reference, to 2^-50 of itself.
double deviation_of(double phase, const PairSighting& seen, const DoubleDouble& reference) {
  const auto true_phase = two_product(static_cast<double>(seen.position), reference.high);
  const double low = true_phase.low + static_cast<double>(seen.position) * reference.low;
  const double difference = (phase - true_phase.high) - low;
  // Most are small, and their own remainders.
  return std::fabs(difference) < 3 ? difference : std::remainder(difference, 2 * std::numbers::pi);
}

/// How well a hypothesis explains the rows of a pair.
struct Fit {
  std::size_t explained = 0;
  std::size_t telling_rows = 0;
  std::size_t telling_explained = 0;
  double misfit = 0;  ///< the sum of squared distances from the middles of the deviations, over their widths
};

Fit fit_of(const ExplainedRows& explained, const PhaseModel& model, double candidate) {
  Fit fit;
  for (const auto& seen : explained.rows) {
    const double deviation =
        deviation_of(model.phase(seen.position, seen.pair, candidate), seen, explained.reference);
    const double half = seen.deviation.half_width();
    const bool explains = seen.deviation.contains(deviation);
    const bool tells = std::fabs(seen.phase) * seen.row_error >= telling_ratio * half;
    fit.explained += explains ? 1 : 0;
    fit.telling_rows += tells ? 1 : 0;
    fit.telling_explained += tells && explains ? 1 : 0;
    const double distance = (deviation - (seen.deviation.least + half)) / half;
    fit.misfit += std::min(distance * distance, 16.0);
  }
  return fit;
}

struct FittedHypothesis {
  Hypothesis hypothesis;
  Fit fit;
};

/// The hypotheses of one model that explain a pair, the likeliest first, or just the likeliest.
std::vector<FittedHypothesis> fitted(const PhaseModel& model, int pair, const ExplainedRows& rows) {
  auto result = mapped(model.candidates(pair, rows.range), [&](double candidate) -> FittedHypothesis {
    return {{&model, candidate, model.frequency(pair, candidate)}, fit_of(rows, model, candidate)};
  });
  std::ranges::stable_sort(result, {}, [](const auto& fitted) { return fitted.fit.misfit; });
  return result;
}

/// Where the contract lets a phase be rounded more often than any model does, honest rows may differ from
/// all: there a pair's own rows must confirm the hypothesis, as all rows together confirm the model.
bool is_accepted(const FittedHypothesis& fitted, const ExplainedRows& rows) {
  const auto& fit = fitted.fit;
  const bool is_confirmed =
      rows.rows.front().row_error < 1.5 * roundoff ||
      static_cast<double>(fit.telling_explained) >= nearly_all * static_cast<double>(fit.telling_rows);
  return is_confirmed &&
         static_cast<double>(fit.explained) >= most_of_rows * static_cast<double>(rows.rows.size());
}

/// The fitted hypotheses of one model, pair by pair.
using FittedPairs = std::vector<std::vector<FittedHypothesis>>;

bool is_the_implementations(const FittedPairs& pairs) {
  std::size_t telling_rows = 0;
  std::size_t explained = 0;
  for (const auto& of_pair : pairs) {
    if (!of_pair.empty()) {
      telling_rows += of_pair.front().fit.telling_rows;
      explained += of_pair.front().fit.telling_explained;
    }
  }
  return telling_rows >= least_telling_rows &&
         static_cast<double>(explained) >= nearly_all * static_cast<double>(telling_rows);
}

/// The median amplitude of the phasors; the declared one where they agree with it, and where there are none.
double amplitude_of(const std::vector<std::optional<PairSignal>>& signals, const TrigTable& table,
                    Format stored) {
  const double declared = approximately(table.amplitude);
  const auto agrees = [declared, tolerance = amplitude_tolerance(stored)](double amplitude) {
    return std::fabs(amplitude / declared - 1) <= tolerance;
  };
  // A phasor's amplitude is the median magnitude of its points: where all agree, no phasor need be fitted.
  const bool all_agree = std::ranges::all_of(signals, [&](const auto& signal) {
    return !signal ||
           std::ranges::all_of(signal->points, [&](const auto& point) { return agrees(std::abs(point)); });
  });
  if (all_agree) {
    return declared;
  }
  std::vector<std::optional<FittedPhasor>> phasors(signals.size());
  oneapi::tbb::parallel_for(std::size_t{0}, signals.size(), [&](std::size_t i) {
    phasors[i] = signals[i] ? fit_phasor(*signals[i], table.frequencies.approximate(static_cast<int>(i)))
                            : std::nullopt;
  });
  std::vector<double> amplitudes;
  for (const auto& phasor : phasors) {
    if (phasor) {
      amplitudes.push_back(phasor->amplitude);
    }
  }
  const double usual = amplitudes.empty() ? declared : median(std::move(amplitudes));
  return agrees(usual) ? declared : usual;
}

/// Whether a hypothesis is another rounding of the phases that one of these makes.
bool rounds_alike(const Hypothesis& hypothesis, std::span<const Hypothesis> implementations) {
  return std::ranges::any_of(implementations, [&](const Hypothesis& own) {
    return hypothesis.candidate == own.candidate && hypothesis.frequency == own.frequency;
  });
}

/// Takes the hypotheses of a model that are accepted, and those that round phases of the implementation's own
/// otherwise: by those a part of the rows may be computed, in the tail of a vector loop or where a product
/// is fused.
void append(const FittedPairs& fitted_pairs, const std::vector<std::optional<ExplainedRows>>& rows,
            const std::vector<std::vector<Hypothesis>>& own, std::vector<std::vector<Hypothesis>>& out) {
  for (std::size_t pair = 0; pair < fitted_pairs.size(); ++pair) {
    for (const auto& fitted : fitted_pairs[pair]) {
      if (is_accepted(fitted, *rows[pair]) || (!own.empty() && rounds_alike(fitted.hypothesis, own[pair]))) {
        out[pair].push_back(fitted.hypothesis);
      }
    }
  }
}

/// Sets the models, the implementation's among them, and the hypotheses. \param rows one entry a pair
void attribute(const Frequencies& declared, const std::vector<std::optional<ExplainedRows>>& rows,
               Attribution& result) {
  result.models = std::make_shared<const std::vector<PhaseModel>>(float32_phase_models(declared));
  const auto& models = *result.models;
  result.pairs.resize(rows.size());
  std::vector<FittedPairs> by_model(models.size(), FittedPairs(rows.size()));
  oneapi::tbb::parallel_for(std::size_t{0}, rows.size(), [&](std::size_t i) {
    for (std::size_t m = 0; rows[i] && m < by_model.size(); ++m) {
      by_model[m][i] = fitted(models[m], static_cast<int>(i), *rows[i]);
    }
  });
  const auto own = std::ranges::find_if(by_model, is_the_implementations);
  if (own == by_model.end()) {
    return;
  }
  result.model = &models[static_cast<std::size_t>(own - by_model.begin())];
  append(*own, rows, {}, result.pairs);
  const auto own_pairs = result.pairs;
  for (auto model = by_model.begin(); model != by_model.end(); ++model) {
    if (model != own) {
      append(*model, rows, own_pairs, result.pairs);
    }
  }
}

}  // namespace

std::optional<FittedPhasor> fit_pair(const RowView& tables, std::span<const std::int64_t> positions,
                                     int pair) {
  const auto signals = signals_of(tables, positions);
  const auto& signal = signals[static_cast<std::size_t>(pair)];
  return signal ? fit_phasor(*signal, tables.parts().front().sines->frequencies.approximate(pair))
                : std::nullopt;
}

Attribution attribute_phases(const RowView& tables, std::span<const std::int64_t> positions) {
  const auto& table = *tables.parts().front().sines;
  const auto signals = signals_of(tables, positions);
  Attribution result;
  result.amplitude = amplitude_of(signals, table, tables.parts().front().format());
  const Bounds bounds(tables, result.amplitude);
  const auto frequencies = exact_frequencies(table.frequencies);
  std::vector<std::optional<ExplainedRows>> rows(signals.size());
  oneapi::tbb::parallel_for(std::size_t{0}, signals.size(), [&](std::size_t i) {
    rows[i] =
        signals[i] ? explained_rows(*signals[i], static_cast<int>(i), frequencies[i], bounds) : std::nullopt;
  });
  attribute(table.frequencies, rows, result);
  return result;
}

Attribution attribute_phases(const DeviationRows& rows, const Frequencies& declared) {
  std::vector<std::vector<PairSighting>> by_pair(static_cast<std::size_t>(rows.pairs()));
  for (const auto row : spread_rows(rows.rows(), rows_for_candidates)) {
    rows.visit(
        row, [&](const PairSighting& seen) { by_pair[static_cast<std::size_t>(seen.pair)].push_back(seen); });
  }
  const auto frequencies = exact_frequencies(declared);
  std::vector<std::optional<ExplainedRows>> explained;
  for (int pair = 0; pair < rows.pairs(); ++pair) {
    explained.push_back(explained_by_one(frequencies[static_cast<std::size_t>(pair)],
                                         rows.frequency_error(pair),
                                         std::move(by_pair[static_cast<std::size_t>(pair)])));
  }
  Attribution result;
  attribute(declared, explained, result);
  return result;
}

std::optional<double> unexplained_by(const Attribution& attribution, const PairSighting& seen,
                                     const DoubleDouble& frequency) {
  std::optional<double> least;
  for (const auto& hypothesis : attribution.pairs[static_cast<std::size_t>(seen.pair)]) {
    const double phase = hypothesis.model->intended_phase(seen.position, seen.pair, hypothesis.candidate);
    const double deviation = deviation_of(phase, seen, frequency);
    const double beyond = std::max(seen.deviation.least - deviation, deviation - seen.deviation.greatest);
    least = least ? std::min(*least, beyond) : beyond;
    if (*least <= 0) {
      return std::nullopt;
    }
  }
  return least;
}

}  // namespace vernier
