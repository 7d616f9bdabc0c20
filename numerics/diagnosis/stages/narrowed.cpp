// Positions, frequencies, periods and phases that are rounded to fewer bits, alone or several at once; and
// frequencies that are computed in 16 bits, by every order of operations that has a row, or multiplied up in
// float32.

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <iterator>
#include <vector>

#include <fmt/core.h>

#include "numerics/computation/position_decoder.hpp"
#include "numerics/diagnosis/stages/frequencies/measured_pairs.hpp"
#include "numerics/program/program.hpp"
#include "reference/support/mapped.hpp"

namespace vernier {
namespace {

/// What is rounded, all to one format.
struct Narrowed {
  std::string_view what;
  std::string_view way;  ///< of a program: the row whose fault it is
  double more_bits;
  bool places = false;
  bool frequencies = false;
  bool periods = false;
  bool phases = false;
  bool given = false;  ///< positions as they are given, before they are scaled
};
constexpr std::array all_narrowed{
    Narrowed{.what = "positions", .way = "rounded-position", .more_bits = 0, .places = true},
    Narrowed{.what = "positions", .way = "rounded-position", .more_bits = 0.5, .given = true},
    Narrowed{.what = "the frequencies", .way = "rounded-frequency", .more_bits = 0, .frequencies = true},
    Narrowed{.what = "the periods", .way = "rounded-frequency", .more_bits = 1, .periods = true},
    Narrowed{"positions and frequencies", "rounded-frequency", 1, true, true},
    Narrowed{.what = "phases", .way = "rounded-phase", .more_bits = 0, .phases = true},
    Narrowed{"positions and phases", "rounded-phase", 1, true, false, false, true},
    Narrowed{"frequencies and phases", "rounded-phase", 1, false, true, false, true},
    Narrowed{"positions, frequencies and phases", "rounded-phase", 2, true, true, false, true}};

/// The places of positions that are rounded as they are given.
std::shared_ptr<const Computation::Places> places_of_rounded(const Clues& clues, const Narrowing& narrowing) {
  auto places = std::make_shared<Computation::Places>(*clues.base.places);
  for (std::size_t axis = 0; axis < places->size(); ++axis) {
    const auto& map = clues.suspect.encoding().positions_along(axis);
    for (double& place : (*places)[axis]) {
      place = real_place(map, narrowing(real_number(map, place)));
    }
  }
  return places;
}

/// Of the magnitudes of the numbers that places stand for.
double farthest(const Computation& computation) {
  double result = 0;
  for (std::size_t axis = 0; axis < computation.places->size(); ++axis) {
    for (const double place : (*computation.places)[axis]) {
      result = std::max(result, std::fabs(place) * computation.place_sizes[axis]);
    }
  }
  return result;
}

program::Use rounded_frequency(const Narrowing& narrowing) {
  return {.way = &program::way_named("rounded-frequency"), .to = narrowing};
}

/// \return whether anything becomes another number
bool narrow(Computation& computation, const Clues& clues, const Narrowed& what, const Narrowing& narrowing) {
  bool changes = what.phases;
  if (what.given) {
    computation.places = places_of_rounded(clues, narrowing);
    changes = *computation.places != *clues.base.places;
    computation.allow_rounded_places();
  }
  if (what.places) {
    computation.place_format = narrowing;
    for (std::size_t axis = 0; axis < computation.places->size() && !changes; ++axis) {
      changes = std::ranges::any_of((*computation.places)[axis], [&](double place) {
        const double x = place * computation.place_sizes[axis];
        return narrowing(x) != x;
      });
    }
  }
  if (what.frequencies || what.periods) {
    const auto rounded = rounded_frequency(narrowing);
    computation.change_frequencies([&](long double w) -> long double {
      const auto x = static_cast<double>(w);
      const double to = what.periods ? 1 / narrowing(1 / x) : program::narrowed(rounded, x);
      changes = changes || to != x;
      return to;
    });
  }
  if (what.phases) {
    computation.phase_format = narrowing;
  }
  return changes;
}

/// What each order of operations gives in a format, of those that give the same once; none of frequencies
/// that are no progressions.
std::vector<std::vector<double>> frequencies_computed_in(const Clues& clues, const Narrowing& narrowing) {
  std::vector<std::vector<double>> result;
  const bool has_meant = clues.base.meant && clues.base.meant_of_pair.size() == clues.base.tones.size();
  if (!has_meant || !narrowing.is_of_format()) {
    return result;  // of pairs that the spec does not have, or in what no program computes in
  }
  program::Program orders{{narrowing.range}, program::ways_that_end(program::Stage::exponent)};
  std::ranges::copy(program::ways_that_end(program::Stage::order), std::back_inserter(orders.ways));
  for (const auto& order : sequences(orders, program::Stage::exponent, program::Stage::order)) {
    if (auto found = program::frequencies_of({orders.in, order}, *clues.base.meant)) {
      add_once(result, *std::move(found));
    }
  }
  return result;
}

/// The same as it is narrowed, but of frequencies that are computed in the format.
void propose_computed(const KindEdits& edits, const Narrowed& what, const Narrowing& narrowing,
                      const Computation& narrowed) {
  const auto all = frequencies_computed_in(edits, narrowing);
  for (const auto& frequencies : all) {
    edits.add(fmt::format("{} are computed in {}", what.what, narrowing.name),
              variant_bits + what.more_bits + std::log2(static_cast<double>(all.size())),
              [&](Computation& computation) {
                computation = narrowed;
                computation.places_are_sums = what.places;
                const double scale = approximately(computation.meant->scale());
                computation.set_frequencies([&](std::size_t i) -> long double {
                  return frequencies[static_cast<std::size_t>(computation.meant_of_pair[i])] * scale *
                         computation.place_size(i);
                });
              });
  }
}

/// Whether it is tried beside another edit too: what is rounded to 16 bits.
bool is_usual(const Narrowed& what, const Narrowing& narrowing) {
  const bool is_of_16_bits = narrowing.bits == traits(narrowing.range).precision;
  return is_of_16_bits && !what.periods && !(what.places && what.frequencies && !what.phases) &&
         (!narrowing.is_cut || (what.frequencies && !what.phases));
}

void propose_narrowed(const KindEdits& edits) {
  const double reach = farthest(edits.base);
  const bool has_scale = std::ranges::any_of(edits.suspect.maps(), [](const PositionMap& map) {
    return !map.scale().is_one() || map.offset().factor != 0;
  });
  for (const auto& one : all_narrowed) {
    if (program::way_named(one.way).fault != edits.kind.id || (one.given && !has_scale)) {
      continue;
    }
    for (const auto& narrowing : narrowings()) {
      auto narrowed = edits.base;
      if ((!edits.is_thorough && !is_usual(one, narrowing)) || !narrow(narrowed, edits, one, narrowing)) {
        continue;
      }
      const bool overflows = one.places && std::isinf(narrowing(reach));
      edits.add(fmt::format("{} are {}{}{}", one.what, narrowing.words(),
                            one.given ? " before they are scaled" : "",
                            overflows ? ", and infinite beyond its largest number" : ""),
                variant_bits + one.more_bits + (narrowing.is_cut ? 1 : 0),
                [&](Computation& computation) { computation = narrowed; });
      if (one.frequencies && edits.is_thorough) {
        propose_computed(edits, one, narrowing, narrowed);
      }
      if (one.places && !narrowing.is_cut) {
        // Predicts what rounding predicts, and more: told only where that does not.
        edits.add(fmt::format("{} are computed in {}{}", one.what, narrowing.name,
                              overflows ? ", and infinite beyond its largest number" : ""),
                  variant_bits + one.more_bits + equally_likely_bits + 1, [&](Computation& computation) {
                    computation = std::move(narrowed);
                    computation.places_are_sums = true;
                  });
      }
    }
  }
}

/// Frequencies below the normal numbers of a format, which some hardware takes for zero.
void propose_flushed(const KindEdits& edits) {
  for (const auto narrow : {Format::bfloat16, Format::binary16}) {
    const auto rounded = [by = rounded_frequency(Narrowing::to_nearest(narrow))](long double w) {
      return program::narrowed(by, static_cast<double>(w));
    };
    const auto name = traits(narrow).name;
    const double least_normal = traits(narrow).smallest_normal();
    if (std::ranges::any_of(edits.base.tones,
                            [&](const Tone& tone) { return std::fabs(tone.sine) < least_normal; })) {
      edits.add(
          fmt::format("the frequencies are rounded to {}, and those below its normal numbers are zero", name),
          variant_bits + 1, [&](Computation& computation) {
            computation.change_frequencies(
                [&](long double w) { return std::fabs(rounded(w)) < least_normal ? 0 : rounded(w); });
          });
    }
  }
}

/// Frequencies that are multiplied up in float32, from a ratio that is the declared one to some ulp; and the
/// powers of such a ratio.
void propose_iterated(const KindEdits& edits) {
  const auto& base = edits.base;
  if (!declared_base(edits) || is_scaled(edits) || base.tones.size() < 2 || base.frequency(0) == 0) {
    return;
  }
  const auto nearest = static_cast<float>(base.frequency(1) / base.frequency(0));
  const long double first = base.tones[0].sine;
  for (int ulps = -2; ulps <= 2; ++ulps) {
    float ratio = nearest;
    for (int i = 0; i < std::abs(ulps); ++i) {
      ratio = std::nextafter(ratio, ulps > 0 ? 2.0F : 0.0F);
    }
    const auto add = [&](std::string sentence, const std::function<long double(std::size_t)>& frequency) {
      edits.add(std::move(sentence), variant_bits + std::abs(ulps), [&](Computation& computation) {
        computation.set_frequencies(frequency);
        computation.allow_computed_frequencies();
      });
    };
    auto product = static_cast<float>(first);
    add("each frequency is the one before times a float32 ratio", [&](std::size_t i) -> long double {
      product = i == 0 ? product : product * ratio;
      return product;
    });
    add("the frequencies are powers of a ratio that is rounded to float32", [&](std::size_t i) {
      return first * std::pow(static_cast<long double>(ratio), static_cast<long double>(i));
    });
  }
}

}  // namespace

StageEdits rounded_frequency_edits() {
  return {{program::way_named("rounded-frequency").fault, propose_flushed},
          {"frequency/iterated", propose_iterated}};
}

StageEdits narrowed_edits() {
  StageEdits result;
  for (const auto* way : {"rounded-frequency", "rounded-position", "rounded-phase"}) {
    result.push_back({program::way_named(way).fault, propose_narrowed});
  }
  return result;
}

}  // namespace vernier
