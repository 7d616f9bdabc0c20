// Frequencies of single pairs, and those that no formula gives.

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numbers>
#include <utility>

#include <fmt/core.h>

#include "numerics/computation/polish.hpp"
#include "numerics/computation/prediction.hpp"
#include "numerics/decoding/pair_signal.hpp"
#include "numerics/diagnosis/stages/frequencies/measured_pairs.hpp"
#include "reference/support/told_apart.hpp"
#include "reference/support/word_list.hpp"

namespace vernier {
namespace {

/// The pairs that turn at other speeds than they should.
struct OtherPairs {
  std::vector<int> others;  ///< at any
  std::vector<int> still;   ///< next to not at all
  std::size_t known = 0;    ///< measured
};

/// So many rows show whether a pair fails.
constexpr std::size_t judged_rows = 64;

/// By how much frequencies that look alike differ.
double period_of(const FittedPhasor& phasor) {
  return phasor.ambiguity.value_or(2 * std::numbers::pi);
}

/// In how many of so many rows an element of a pair fails.
std::vector<int> failing_rows(const Clues& clues, const Computation& computation, std::size_t rows) {
  std::vector<int> fails(computation.tones.size());
  std::vector<std::size_t> last(computation.tones.size(), std::numeric_limits<std::size_t>::max());
  const Predictor predictor(clues.suspect, computation);
  for (const auto row : telling_rows(clues.suspect, rows)) {
    predictor.visit(row, [&](const PredictedElement& one) {
      const auto pair = static_cast<std::size_t>(one.pair);
      if (one.pair >= 0 && one.fails() && last[pair] != row) {
        ++fails[pair];
        last[pair] = row;
      }
    });
  }
  return fails;
}

OtherPairs other_pairs(const Clues& clues) {
  constexpr double loosely = 3;  // what is proposed must predict anyway
  constexpr double deviations = 4;
  constexpr std::ptrdiff_t a_few = 3;
  // A pair may be off by so little that its measured frequency agrees: then its elements say so, and more of
  // them than damage leaves.
  const auto fails = failing_rows(clues, clues.base, judged_rows);
  const bool few_fail = std::ranges::count_if(fails, [](int rows) { return rows > 0; }) <= a_few;
  OtherPairs result;
  for (std::size_t i = 0; i < clues.recovery.phasors.size(); ++i) {
    const auto& phasor = clues.recovery.phasors[i];
    if (!phasor) {
      continue;
    }
    ++result.known;
    const int pair = static_cast<int>(i);
    const double declared = clues.base.frequency(pair);
    const double uncertainty = deviations * phasor->uncertainty;
    const double allowed = clues.base.parameters.front().frequency_error[i] * std::fabs(declared);
    const double off = std::fabs(std::remainder(phasor->frequency - declared, period_of(*phasor)));
    const bool agrees = off <= loosely * (uncertainty + allowed);
    if (agrees && !(few_fail && fails[i] > a_few)) {
      continue;
    }
    const bool is_still = std::fabs(phasor->frequency) <= uncertainty + 0x1p-40;
    if (is_still && (declared > 4 * uncertainty || !agrees)) {
      result.still.push_back(pair);
    } else {
      result.others.push_back(pair);
    }
  }
  return result;
}

/// Whether the measured frequencies of an axis are in no order where the declared ones are: what a formula
/// gives with another number in it keeps the order, but for a few.
bool are_disordered(const Clues& clues) {
  std::size_t neighbours = 0;
  std::size_t inverted = 0;
  std::size_t rising = 0;
  std::size_t falling = 0;
  const auto& phasors = clues.recovery.phasors;
  const auto back =
      std::ranges::count_if(phasors, [](const auto& phasor) { return phasor && phasor->frequency < 0; });
  const double way = 2 * back > std::ssize(phasors) ? -1 : 1;
  std::map<int, std::size_t> last_of;  // the pair before, by axis
  for (std::size_t i = 0; i < phasors.size(); ++i) {
    const auto [found, is_first] = last_of.try_emplace(clues.base.axes[i], i);
    const auto before = std::exchange(found->second, i);
    const double step =
        clues.base.frequency(static_cast<int>(i)) - clues.base.frequency(static_cast<int>(before));
    if (is_first || step == 0) {
      continue;
    }
    ++(step > 0 ? rising : falling);
    if (phasors[before] && phasors[i]) {
      const double slack = 4 * (phasors[before]->uncertainty + phasors[i]->uncertainty);
      const double measured = way * (phasors[i]->frequency - phasors[before]->frequency);
      ++neighbours;
      inverted += (step > 0 ? measured : -measured) < -slack ? 1 : 0;
    }
  }
  if ((rising > 0) == (falling > 0) && spec_bases(clues).empty()) {
    return true;  // such a list says nothing of an order
  }
  return inverted > 0 && 4 * inverted >= neighbours;
}

/// What a pair's points turn by, over the position: exact where the phases are tiny. Nothing where they are
/// not.
std::optional<double> slow_frequency(const Clues& clues, const PairView& view, int pair) {
  constexpr double most_turn = 1;  // radians
  std::vector<double> quotients;
  for (const auto row : spread_rows(clues.suspect.rows(), judged_rows)) {
    const auto seen = view.point(row, pair);
    const double place = clues.base.place(row, pair);
    if (!seen || place == 0) {
      continue;
    }
    const double phase = std::arg(seen->z);
    if (std::fabs(phase) > most_turn) {
      return std::nullopt;
    }
    quotients.push_back(phase / place);
  }
  return quotients.empty() ? std::nullopt : std::optional(median(std::move(quotients)));
}

/// Gives pairs the frequencies that they are measured to have.
void set_measured(const Clues& clues, const std::vector<int>& pairs, bool may_turn_back,
                  Computation& computation) {
  const PairView view(clues.suspect, clues.base);
  for (const int pair : pairs) {
    const auto& phasor = *clues.recovery.phasors[static_cast<std::size_t>(pair)];
    const double turned = phasor.frequency < 0 && !may_turn_back ? period_of(phasor) : 0;
    const auto slow = slow_frequency(clues, view, pair);
    const long double w = slow ? *slow : static_cast<long double>(phasor.frequency) + turned;
    computation.tones[static_cast<std::size_t>(pair)] = {w, w};
  }
  computation.allow_computed_frequencies();
  polish_tones(clues.suspect, computation, pairs);
}

std::string no_turn_words(const std::vector<int>& still, std::size_t known, const Computation& computation) {
  if (still.size() == known) {
    const bool all_zero =
        std::ranges::all_of(still, [&](int pair) { return computation.frequency(pair) == 0; });
    return all_zero ? "no pair turns: every frequency is zero"
                    : "no pair turns: every frequency is next to zero";
  }
  return still.size() > 1
             ? fmt::format("{} pairs do not turn, the first of them pair {}", still.size(), still.front())
             : fmt::format("pair {} does not turn", still.front());
}

void propose_still(const KindEdits& edits, const OtherPairs& pairs) {
  const auto& still = pairs.still;
  if (still.empty()) {
    return;
  }
  // Of pairs whose positions are all zero nothing shows whether they turn.
  const bool are_all = still.size() == edits.base.tones.size();
  const double bits = still.size() == pairs.known
                          ? (are_all ? flag_bits : listed_bits)
                          : damaged_bits * static_cast<double>(std::min<std::size_t>(still.size(), 4));
  const auto add = [&](const Computation& edited) {
    edits.of("frequency/zero")
        .add(no_turn_words(still, pairs.known, edited), bits,
             [&](Computation& computation) { computation = edited; });
  };
  auto stopped = edits.base;
  for (const int pair : still) {
    stopped.tones[static_cast<std::size_t>(pair)] = {0, 0};
  }
  add(stopped);
  if (edits.is_thorough) {
    auto tiny = edits.base;
    set_measured(edits, still, true, tiny);
    add(tiny);
  }
}

/// Of a few pairs what each frequency is.
void propose_few(const KindEdits& edits, const OtherPairs& pairs, const std::vector<int>& all) {
  constexpr double bits_of_frequency = 16;
  constexpr double as_near = 1e-6;  // as frequencies are told
  // A pair that seems to turn the other way may as well turn by more than half a turn a position.
  const bool any_back = std::ranges::any_of(pairs.others, [&](int pair) {
    return edits.recovery.phasors[static_cast<std::size_t>(pair)]->frequency < 0;
  });
  for (const bool may_turn_back : {false, true}) {
    if (may_turn_back && !any_back) {
      break;
    }
    auto measured = edits.base;
    set_measured(edits, all, may_turn_back, measured);
    const auto words = [&](int pair) {
      return fmt::format("the frequency of pair {} is {}", pair,
                         one_not_other(measured.frequency(pair), edits.base.frequency(pair), 9));
    };
    const bool are_negated = std::ranges::all_of(all, [&](int pair) {
      const double declared = edits.base.frequency(pair);
      return std::fabs(measured.frequency(pair) + declared) <= as_near * std::fabs(declared);
    });
    const double bits_of_pair = are_negated ? variant_bits : bits_of_frequency;
    edits.add(joined(pairs.others, words), damaged_bits + bits_of_pair * static_cast<double>(all.size()),
              [&](Computation& computation) { computation = std::move(measured); });
  }
}

/// The pairs whose measured frequency is not the declared one.
void propose_pairs(const KindEdits& edits) {
  const auto pairs = other_pairs(edits);
  propose_still(edits, pairs);
  const auto& others = pairs.others;
  if (others.empty()) {
    return;
  }
  auto all = others;
  all.insert(all.end(), pairs.still.begin(), pairs.still.end());
  if (all.size() <= 3) {
    propose_few(edits, pairs, all);
  } else if (edits.is_thorough && are_disordered(edits)) {
    edits.of("frequency/unknown")
        .add(fmt::format("the frequencies of {} of {} pairs are others, which no formula gives", all.size(),
                         pairs.known),
             real_bits * static_cast<double>(all.size()),
             [&](Computation& computation) { set_measured(edits, all, true, computation); });
  }
}

}  // namespace

StageEdits pair_frequency_edits() {
  return {{"frequency/one-pair", propose_pairs}};
}

}  // namespace vernier
