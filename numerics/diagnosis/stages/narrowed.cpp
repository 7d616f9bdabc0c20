// Positions, frequencies, periods and phases that are rounded to fewer bits, alone or several at once.

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/core.h>

#include "numerics/diagnosis/computation/narrowing.hpp"
#include "numerics/diagnosis/computation/real_place.hpp"
#include "numerics/diagnosis/stages/frequencies/change_frequencies.hpp"
#include "numerics/diagnosis/stages/position_kinds.hpp"
#include "numerics/diagnosis/stages/stage_edits.hpp"

namespace vernier {
namespace {

/// What is rounded, all to one format.
struct Narrowed {
  std::string_view what;
  std::string_view kind;
  bool given = false;  ///< positions as they are given, before they are scaled
  bool places = false;
  bool frequencies = false;
  bool periods = false;
  bool phases = false;
  double more_bits = 0;
  std::string_view behind = {};
};
constexpr std::array all_narrowed{
    Narrowed{.what = "positions", .kind = "position/format", .places = true},
    Narrowed{.what = "positions",
             .kind = "position/format",
             .given = true,
             .more_bits = 0.5,
             .behind = " before they are scaled"},
    Narrowed{.what = "the frequencies", .kind = "frequency/format", .frequencies = true},
    Narrowed{.what = "the periods", .kind = "frequency/format", .periods = true, .more_bits = 1},
    Narrowed{.what = "positions and frequencies",
             .kind = "frequency/format",
             .places = true,
             .frequencies = true,
             .more_bits = 1},
    Narrowed{.what = "phases", .kind = "phase/format", .phases = true},
    Narrowed{.what = "positions and phases",
             .kind = "phase/format",
             .places = true,
             .phases = true,
             .more_bits = 1},
    Narrowed{.what = "frequencies and phases",
             .kind = "phase/format",
             .frequencies = true,
             .phases = true,
             .more_bits = 1},
    Narrowed{.what = "positions, frequencies and phases",
             .kind = "phase/format",
             .places = true,
             .frequencies = true,
             .phases = true,
             .more_bits = 2}};

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
    for (std::size_t axis = 0; axis < computation.places->size(); ++axis) {
      changes = changes || std::ranges::any_of((*computation.places)[axis], [&](double place) {
                  const double x = place * computation.place_sizes[axis];
                  return narrowing(x) != x;
                });
    }
  }
  if (what.frequencies || what.periods) {
    change_frequencies(computation, [&](long double w) -> long double {
      const auto x = static_cast<double>(w);
      const double to = what.periods ? 1 / narrowing(1 / x) : narrowing(x);
      changes = changes || to != x;
      return to;
    });
  }
  if (what.phases) {
    computation.phase_format = narrowing;
  }
  return changes;
}

double farthest(const Computation& computation) {
  double result = 0;
  for (std::size_t axis = 0; axis < computation.places->size(); ++axis) {
    for (const double place : (*computation.places)[axis]) {
      result = std::max(result, std::fabs(place) * computation.place_sizes[axis]);
    }
  }
  return result;
}

bool is_plain(const Clues& clues) {
  for (std::size_t axis = 0; axis < clues.base.places->size(); ++axis) {
    const auto& map = clues.suspect.encoding().positions_along(axis);
    if (!map.scale().is_one() || map.offset().factor != 0) {
      return false;
    }
  }
  return true;
}

/// Whether it is tried beside another edit too: what is rounded to 16 bits.
bool is_usual(const Narrowed& what, const Narrowing& narrowing) {
  return narrowing.bits == traits(narrowing.range).precision && !what.periods &&
         !(what.places && what.frequencies && !what.phases) &&
         (!narrowing.is_cut || (what.frequencies && !what.phases));
}

void propose_narrowed(const Clues& clues, const FaultKind& kind, Proposals& out) {
  const double reach = farthest(clues.base);
  const bool has_scale = !is_plain(clues);
  for (const auto& one : all_narrowed) {
    if (one.kind != kind.id || (one.given && !has_scale)) {
      continue;
    }
    for (const auto& narrowing : narrowings()) {
      if (!clues.is_thorough && !is_usual(one, narrowing)) {
        continue;
      }
      auto narrowed = clues.base;
      const bool changes = narrow(narrowed, clues, one, narrowing);
      if (!changes) {
        continue;
      }
      const bool overflows = one.places && std::isinf(narrowing(reach));
      propose_edit(clues, kind,
                   fmt::format("{} are {} {}{}{}", one.what, narrowing.is_cut ? "cut off to" : "rounded to",
                               narrowing.name, one.behind, overflows ? ", and infinite beyond it" : ""),
                   variant_bits + one.more_bits + (narrowing.is_cut ? 1 : 0), out,
                   [&](Computation& computation) { computation = std::move(narrowed); });
    }
  }
}

}  // namespace

StageEdits narrowed_edits() {
  return {{"frequency/format", propose_narrowed},
          {"position/format", propose_narrowed},
          {"phase/format", propose_narrowed}};
}

}  // namespace vernier
