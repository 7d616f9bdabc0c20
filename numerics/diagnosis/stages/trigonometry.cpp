// Phases, the products of positions and frequencies, and their sines and cosines.

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <optional>

#include <fmt/core.h>

#include "numerics/computation/polish.hpp"
#include "numerics/computation/prediction.hpp"
#include "numerics/decoding/pair_signal.hpp"
#include "numerics/diagnosis/stages/stage_edits.hpp"

namespace vernier {
namespace {

/// The shift that points show: of all of them, where the base predicts them but for it, else of the pair that
/// tells it best, whose points no frequency of the base disturbs.
std::optional<double> measured_shift(const Clues& clues) {
  constexpr double most_of_all = 0.99;
  const auto coherence = coherence_of(clues.suspect, clues.base, telling_rows(clues.suspect, 64));
  if (coherence.of_all > most_of_all) {
    const double shift = std::arg(coherence.factor);
    return std::fabs(shift) > 0x1p-20 ? std::optional(shift) : std::nullopt;
  }
  const FittedPhasor* best = nullptr;
  for (const auto& phasor : clues.recovery.phasors) {
    if (phasor && (best == nullptr || phasor->phase_uncertainty < best->phase_uncertainty)) {
      best = &*phasor;
    }
  }
  return best != nullptr && std::fabs(best->phase) > 4 * best->phase_uncertainty + 0x1p-20
             ? std::optional(best->phase)
             : std::nullopt;
}

void propose_shift(const KindEdits& edits) {
  const auto measured = edits.is_thorough ? measured_shift(edits) : std::nullopt;
  if (!measured) {
    return;
  }
  const auto shift_by = [](Computation& computation, double shift) {
    computation.phase_shift = shift;
    computation.allow_phase_roundings(1);  // the sum is rounded
  };
  const auto add = [&](double by, const std::string& words, double bits) {
    edits.add(fmt::format("every phase is shifted by {} radians", words), bits,
              [&](Computation& computation) { shift_by(computation, by); });
  };
  const double by = polished(edits.suspect, edits.base, *measured, 1e-6, shift_by);
  if (const auto decimal = shortest_decimal(by, 1e-7 / std::fabs(by))) {
    add(*decimal, number_words(*decimal), number_bits(*decimal));
  }
  add(by, fmt::format("{:.9g}", by), real_bits);
}

/// The contract has a phase rounded once, for its sine and its cosine, so that every pair keeps its norm. The
/// sum with pi/2 is rounded by itself: the cosine is that of a phase which is off by another d, up to u |x|,
/// and the norm by |sin 2x| d, which grows with the position.
void propose_reduction(const KindEdits& edits) {
  constexpr double two_pi = 2 * std::numbers::pi;
  static const std::array<std::pair<double, std::string_view>, 10> periods{
      {{static_cast<double>(static_cast<float>(two_pi)), "6.2831855, 2 pi in float32"},
       {6.28, "6.28"},
       {6.283, "6.283"},
       {6.2832, "6.2832"},
       {6.28319, "6.28319"},
       {6.28318, "6.28318"},
       {6.283185, "6.283185"},
       {6.2831853, "6.2831853"},
       {round_to(Format::binary16, two_pi), "2 pi in float16"},
       {round_to(Format::bfloat16, two_pi), "2 pi in bfloat16"}}};
  // The product with the number of turns and the difference are rounded as well. Where that alone predicts,
  // nothing shows a reduction.
  auto rounded = edits.base;
  rounded.allow_phase_roundings(1);
  if (Predictor(edits.suspect, rounded).compare(measured_rows(edits.suspect), 0).failing == 0) {
    return;
  }
  for (const auto& [period, words] : periods) {
    edits.add(
        fmt::format("arguments are reduced by {}", words), variant_bits + 1,
        setting(&Computation::parameters, rounded.parameters, &Computation::period, RoundedPeriod{period}));
  }
}

/// A turn is rounded to within half a step below 8.
void propose_rounded(const KindEdits& edits) {
  const auto& allowed = edits.base.parameters.front();
  const double rounding = ulp_at(allowed.compute, 2 * std::numbers::pi) / 2;
  if (allowed.trig_ulps > 0) {
    edits.add(fmt::format("phases are reduced to one turn, and what is left is rounded to {}: off by up to "
                          "{:.2g} radians",
                          traits(allowed.compute).name, rounding),
              variant_bits, setting(&Computation::reduced_rounding, rounding));
  }
}

void propose_quarter_turn(const KindEdits& edits) {
  const auto& allowed = edits.base.parameters.front();
  // What has a pair whose phases are exact shows how the sum is rounded.
  const bool shows = std::ranges::count(allowed.frequency_error, 0.0) > 0;
  for (const int sign : {1, -1}) {
    if (allowed.trig_ulps != 0 && shows) {
      edits.add(fmt::format("the cosine of a phase x is {}, whose argument is rounded to {}",
                            sign > 0 ? "sin(x + pi/2)" : "sin(pi/2 - x)", traits(allowed.compute).name),
                variant_bits, setting(&Computation::quarter_turn, sign));
    }
  }
}

void propose_lookup(const KindEdits& edits) {
  for (int bits = 7; bits <= 20; ++bits) {
    const int entries = 1 << bits;
    edits.add(fmt::format("sines and cosines are looked up in a table of {} entries a turn", entries),
              listed_bits, setting(&Computation::phase_step, 2 * std::numbers::pi / entries));
  }
}

double phase_magnitude(const Computation& base, std::size_t row, int pair) {
  return std::fabs(base.place(row, pair)) * base.frequency(pair);
}

/// Beyond which phase both components are zero: midway between the largest that has numbers and the smallest
/// that has none.
void propose_no_reduction(const KindEdits& edits) {
  double largest = 0;
  double smallest = std::numeric_limits<double>::infinity();
  std::size_t lost = 0;
  const Predictor predictor(edits.suspect, edits.base);
  for (const auto row : measured_rows(edits.suspect)) {
    bool has_zeros = false;
    predictor.visit_seen(row, [&](int pair, double got) {
      if (pair >= 0 && got != 0) {
        largest = std::max(largest, phase_magnitude(edits.base, row, pair));
      }
      has_zeros = has_zeros || (pair >= 0 && got == 0);
    });
    if (!has_zeros) {
      continue;
    }
    predictor.visit(row, [&](const PredictedElement& element) {
      if (element.pair >= 0 && element.got == 0 && element.fails()) {
        smallest = std::min(smallest, phase_magnitude(edits.base, row, element.pair));
        ++lost;
      }
    });
  }
  if (lost > 4 && largest > 0 && largest <= smallest) {
    edits.add(fmt::format("phases beyond {:.6g} have no sine and no cosine", largest), listed_bits,
              setting(&Computation::zero_beyond, largest + (smallest - largest) / 2));
  }
}

/// Errors of a size that shows next to phase 0 only, as the fast functions of GPUs have them: their results
/// have an absolute accuracy, where those of others have a relative one. Small phases are known to a small
/// part of themselves, so that none explains the errors.
class SmallErrors {
 public:
  explicit SmallErrors(const Clues& clues)
      : clues_(clues), amplitude_(std::fabs(clues.base.amplitude)), predictor_(clues.suspect, clues.base) {
    for (const auto row : measured_rows(clues.suspect)) {
      if (clues.suspect.vectors() != nullptr) {
        look_at_points(row);
      } else {
        look_at_elements(row);
      }
    }
  }

  /// The greatest, beside the amplitude.
  double level() const { return level_; }

  /// Whether there are any, of no more than a few float32 roundings of 1, and with no sign of their own.
  bool are_noise() const {
    constexpr std::size_t least_failing = 8;
    constexpr double most = 0x1p-20;
    const double rounding = traits(clues_.base.parameters.front().compute).unit_roundoff();
    constexpr double most_of_one_sign = 0.5;  // correlation of errors and values
    // A sine is as bad in one pair as in another.
    const auto have = [](std::size_t least) { return [least](std::size_t count) { return count >= least; }; };
    const auto looked_at = std::ranges::count_if(looked_at_by_pair_, have(least_failing));
    return 2 * std::ranges::count_if(failing_by_pair_, have(1)) >= looked_at && failing_ >= least_failing &&
           level_ > rounding && level_ < most &&
           std::fabs(products_) <= most_of_one_sign * std::sqrt(squares_ * error_squares_);
  }

 private:
  static constexpr double small = 0x1p-6;  // such phases are

  bool is_small(std::size_t row, int pair) const {
    const double phase = phase_magnitude(clues_.base, row, pair);
    return phase > 0 && phase < small;
  }

  void count(int pair, bool fails) {
    const auto i = static_cast<std::size_t>(pair);
    ++looked_at_by_pair_[i];
    failing_by_pair_[i] += fails ? 1 : 0;
    failing_ += fails ? 1 : 0;
  }

  void add(double error, double value) {
    products_ += error * value;
    squares_ += value * value;
    error_squares_ += error * error;
  }

  void look_at_elements(std::size_t row) {
    constexpr double least_ratio = 4;  // of some errors and what is allowed
    predictor_.visit(row, [&](const PredictedElement& element) {
      if (element.pair < 0 || !(std::fabs(element.predicted) < small * amplitude_) ||
          !is_small(row, element.pair)) {
        return;
      }
      const double error = element.got - element.predicted;
      level_ = std::max(level_, (std::fabs(error) - element.allowed) / amplitude_);
      count(element.pair, element.ratio() >= least_ratio);
      add(error, element.predicted);
    });
  }

  /// Of vectors the errors show in how far they turn; components are as large as they are.
  void look_at_points(std::size_t row) {
    const auto predicted = predictor_.points(row);
    for (int pair = 0; pair < clues_.base.pairs(); ++pair) {
      const auto seen =
          view_.is_complete(pair) && is_small(row, pair) ? view_.point(row, pair) : std::nullopt;
      if (seen) {
        const double value = predicted[static_cast<std::size_t>(pair)].imag();
        const double error = seen->z.imag() / amplitude_ - value;
        level_ = std::max(level_, std::fabs(error));
        add(error, value);
      }
    }
    predictor_.visit(row, [&](const PredictedElement& element) {
      if (element.pair >= 0 && is_small(row, element.pair)) {
        count(element.pair, element.fails());
      }
    });
  }

  const Clues& clues_;
  double amplitude_;
  Predictor predictor_;
  PairView view_{clues_.suspect, clues_.base};
  double level_ = 0;
  double products_ = 0;
  double squares_ = 0;
  double error_squares_ = 0;
  std::size_t failing_ = 0;
  std::vector<std::size_t> looked_at_by_pair_ = std::vector<std::size_t>(clues_.base.tones.size());
  std::vector<std::size_t> failing_by_pair_ = std::vector<std::size_t>(clues_.base.tones.size());
};

void propose_absolute(const KindEdits& edits) {
  const SmallErrors errors(edits);
  if (!errors.are_noise()) {
    return;
  }
  const double level = errors.level();
  const auto words = fmt::format("sines and cosines are off by up to {:.2g}, however small they are", level);
  edits.add(words, real_bits + damaged_bits, setting(&Computation::trigonometry_error, 2 * level));
  // Turns are a product with a rounded constant, 1/(2 pi), which is rounded. What is left of them is made an
  // angle by another rounded product, which is off by two roundings of half a turn at most.
  edits.add(words + ", and phases are counted in turns", real_bits + damaged_bits + flag_bits,
            [&](Computation& computation) {
              const double u = traits(computation.parameters.front().compute).unit_roundoff();
              computation.trigonometry_error = 2 * level + 2 * std::numbers::pi * u;
              computation.allow_phase_roundings(2);
            });
}

}  // namespace

StageEdits trigonometry_edits() {
  return {{"phase/shift", propose_shift},
          {"trigonometry/range-reduction", propose_reduction},
          {"trigonometry/rounded-reduction", propose_rounded},
          {"trigonometry/quarter-turn", propose_quarter_turn},
          {"trigonometry/lookup", propose_lookup},
          {"trigonometry/no-reduction", propose_no_reduction},
          {"trigonometry/low-accuracy", propose_absolute, true}};
}

}  // namespace vernier
