// Frequencies of single pairs, and those that no formula gives.

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include <fmt/core.h>

#include "numerics/diagnosis/stages/frequencies/measured_pairs.hpp"
#include "numerics/identification/pair_signal.hpp"

namespace vernier {
namespace {

using namespace std::string_view_literals;

constexpr std::array frequency_garbage_bugs{"huggingface/transformers #45902"sv, "pytorch/torchtitan #4783"sv,
                                            "vllm-project/vllm #39176"sv};

constexpr FaultKind frequency_one_pair{
    .id = "frequency/one-pair",
    .stage = Stage::frequency,
    .title = "single pairs have another frequency",
    .means = "The scores of these pairs depend on another distance.",
    .advice =
        "Look at how the frequencies of these pairs come about: the edge of a loop, a ramp, or a stream "
        "of positions that they are given by mistake."};
constexpr FaultKind frequency_swapped{
    .id = "frequency/swapped",
    .stage = Stage::frequency,
    .title = "frequencies are given to other pairs",
    .means =
        "Two pairs turn at each other's speed: weights that learned one see "
        "the other.",
    .advice = "Look for a permutation of the frequencies."};
constexpr FaultKind frequency_zero{.id = "frequency/zero",
                                   .stage = Stage::frequency,
                                   .title = "pairs do not turn",
                                   .means = "These pairs carry no position.",
                                   .advice =
                                       "Look for frequencies that are zero: an underflow, an uninitialised "
                                       "buffer, or a stream of positions that is not filled.",
                                   .similar = frequency_garbage_bugs};
constexpr FaultKind frequency_unknown{
    .id = "frequency/unknown",
    .stage = Stage::frequency,
    .title = "the frequencies are not those of the spec, nor of a usual mistake",
    .means =
        "Every pair turns at a speed of its own, which no formula gives: such tables come of memory that "
        "was never written.",
    .advice =
        "Compare the recovered frequencies with the buffer inv_freq as it is in memory: a module that "
        "was created without storage and never initialised has garbage there.",
    .similar = frequency_garbage_bugs};

/// The frequency of a pair near `start` that its points show best: least squares of the angles that are left.
long double refined(const Clues& clues, const PairView& view, int pair, long double start) {
  constexpr int iterations = 3;
  constexpr std::size_t most_rows = 512;
  constexpr double belonging = 0.5;  // radians
  const auto axis = static_cast<std::size_t>(clues.base.axes[static_cast<std::size_t>(pair)]);
  const auto& places = (*clues.base.places)[axis];
  long double frequency = start;
  for (int i = 0; i < iterations; ++i) {
    long double products = 0;
    long double squares = 0;
    for (const auto row : spread_rows(clues.suspect.rows(), most_rows)) {
      const auto seen = view.point(row, pair);
      if (!seen) {
        continue;
      }
      const long double place = places[row];
      const long double phase = std::remainder(place * frequency, 2 * std::numbers::pi_v<long double>);
      const double off = std::arg(seen->z * std::polar(1.0, -static_cast<double>(phase)));
      if (std::fabs(off) < belonging) {
        products += place * off;
        squares += place * place;
      }
    }
    frequency += squares > 0 ? products / squares : 0;
  }
  return frequency;
}

/// The pairs whose measured frequency is not the declared one; nothing where too many are.
void propose_pairs(const Clues& clues, Proposals& out) {
  std::vector<MeasuredPair> others;
  std::vector<int> still;
  std::size_t known = 0;
  for (std::size_t i = 0; i < clues.recovery.phasors.size(); ++i) {
    const auto& phasor = clues.recovery.phasors[i];
    const double declared = clues.base.frequency(static_cast<int>(i));
    if (!phasor || !(declared > 0)) {
      continue;
    }
    ++known;
    if (std::fabs(phasor->frequency) <= 4 * phasor->uncertainty + 0x1p-40 &&
        declared > 16 * phasor->uncertainty) {
      still.push_back(static_cast<int>(i));
    }
  }
  for (const auto& one : measured_pairs(clues)) {
    if (!one.agrees()) {
      others.push_back(one);
    }
  }
  const PairView view(clues.suspect, clues.base);
  const auto set = [&](Computation& computation) {
    for (const auto& one : others) {
      const auto w = refined(clues, view, one.pair, one.frequency);
      computation.tones[static_cast<std::size_t>(one.pair)] = {w, w};
    }
    for (const int pair : still) {
      // Tiny frequencies are none to a model, and other numbers.
      const auto w = std::max(refined(clues, view, pair, 0), 0.0L);
      computation.tones[static_cast<std::size_t>(pair)] = {w, w};
    }
    computation.allow_computed_frequencies();
  };
  if (!still.empty() && others.empty()) {
    const bool all = still.size() == known;
    const auto words = all                ? "no pair turns: every frequency is zero"
                       : still.size() > 1 ? fmt::format("{} pairs do not turn, the first of them pair {}",
                                                        still.size(), still.front())
                                          : fmt::format("pair {} does not turn", still.front());
    const double bits =
        all ? flag_bits : damaged_bits * static_cast<double>(std::min<std::size_t>(still.size(), 4));
    propose_edit(clues, frequency_zero, words, bits, out, [&](Computation& computation) {
      for (const int pair : still) {
        computation.tones[static_cast<std::size_t>(pair)] = {0, 0};
      }
    });
    propose_edit(clues, frequency_zero, words, bits, out, set);
  }
  if (others.size() == 2 && still.empty()) {
    const auto a = static_cast<std::size_t>(others[0].pair);
    const auto b = static_cast<std::size_t>(others[1].pair);
    propose_edit(clues, frequency_swapped,
                 fmt::format("the frequencies of pairs {} and {} are exchanged", a, b), damaged_bits, out,
                 [&](Computation& computation) { std::swap(computation.tones[a], computation.tones[b]); });
  }
  // A pair that seems to turn the other way may as well turn by more than half a turn a position.
  const auto is_negative = [](const std::optional<FittedPhasor>& phasor) {
    return phasor && phasor->frequency < -4 * phasor->uncertainty;
  };
  const bool are_few = std::ranges::count_if(clues.recovery.phasors, is_negative) <= 2;
  for (std::size_t i = 0; are_few && i < clues.recovery.phasors.size(); ++i) {
    const auto& phasor = clues.recovery.phasors[i];
    if (is_negative(phasor)) {
      const double period = phasor->ambiguity.value_or(2 * std::numbers::pi);
      others.push_back({static_cast<int>(i), phasor->frequency + period, phasor->uncertainty / period,
                        clues.base.frequency(static_cast<int>(i))});
    }
  }
  const auto count = others.size() + still.size();
  if (!others.empty() && count <= 3) {
    std::string sentence;
    for (const auto& one : others) {
      sentence += fmt::format("{}the frequency of pair {} is {:.9g}, not {:.9g}",
                              sentence.empty() ? "" : ", ", one.pair, one.frequency, one.declared);
    }
    propose_edit(clues, frequency_one_pair, std::move(sentence),
                 damaged_bits + 16 * static_cast<double>(count), out, set);
  } else if (count > 3 && !others.empty()) {
    propose_edit(
        clues, frequency_unknown,
        fmt::format("the frequencies of {} of {} pairs are others, which no formula gives", count, known),
        real_bits * static_cast<double>(count), out, set);
  }
}

void propose_one_pair(const Clues& clues, const FaultKind&, Proposals& out) {
  propose_edit(clues, frequency_swapped, "the frequencies are in reverse order, the slowest first", flag_bits,
               out, [](Computation& computation) {
                 std::ranges::reverse(computation.tones);
                 for (auto& parameters : computation.parameters) {
                   std::ranges::reverse(parameters.frequency_error);
                   std::ranges::reverse(parameters.phase_rounding);
                 }
               });
  propose_pairs(clues, out);
}

}  // namespace

StageEdits pair_frequency_edits() {
  return {{&frequency_one_pair,
           propose_one_pair,
           false,
           {&frequency_swapped, &frequency_zero, &frequency_unknown}}};
}

}  // namespace vernier
