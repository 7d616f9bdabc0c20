// The sense in which pairs turn, and what else is wrong with the two products of a pair.

#include <algorithm>
#include <functional>

#include <fmt/core.h>

#include "numerics/diagnosis/stages/stage_edits.hpp"
#include "reference/word_list.hpp"

namespace vernier {
namespace {

void propose_sign(const Clues& clues, const FaultKind& kind, Proposals& out) {
  const auto spec = clues.suspect.encoding().spec();
  if (clues.suspect.vectors() != nullptr) {
    if (clues.base.rotated.empty() || clues.suspect.has_operation()) {
      return;
    }
    const bool is_counterclockwise = clues.base.rotated.front().sign < 0;
    propose_edit(
        clues, kind,
        is_counterclockwise
            ? "the rotation is clockwise, not counterclockwise (or, the same here, positions are negated)"
            : "the rotation is counterclockwise, not clockwise (or, the same here, positions are negated)",
        flag_bits, out,
        [](Computation& computation) {
          for (auto& d : computation.rotated) {
            d.sign = -d.sign;
          }
        },
        spec.contains("direction")
            ? replacement("direction", is_counterclockwise ? "clockwise" : "counterclockwise")
            : OrderedJson(nullptr));
    return;
  }
  const auto negate = [](Component component) {
    return [component](Computation& computation) {
      for (auto& cells : computation.cells) {
        for (auto& cell : cells) {
          cell.sign = cell.component == component ? -cell.sign : cell.sign;
        }
      }
    };
  };
  propose_edit(clues, kind, "the sine has the opposite sign (or, the same here, positions are negated)",
               flag_bits, out, negate(Component::sine));
  propose_edit(clues, kind, "the cosine has the opposite sign", variant_bits, out, negate(Component::cosine));
}

void propose_one_component(const Clues& clues, const FaultKind& kind, Proposals& out) {
  if (clues.base.rotated.empty()) {
    return;
  }
  for (const bool is_first : {true, false}) {
    propose_edit(clues, kind,
                 is_first ? "the sine has the wrong sign in the first component of every pair"
                          : "the sine has the wrong sign in the second component of every pair",
                 variant_bits, out, [&](Computation& computation) {
                   const int first_sign = computation.rotated.front().sign;
                   for (auto& d : computation.rotated) {
                     if ((d.sign == first_sign) == is_first) {
                       d.sign = -d.sign;
                     }
                   }
                 });
  }
}

/// Single pairs that are measured to turn the other way.
void propose_one_pair_sign(const Clues& clues, const FaultKind& kind, Proposals& out) {
  std::vector<int> turned;
  for (std::size_t i = 0; i < clues.recovery.phasors.size(); ++i) {
    const auto& phasor = clues.recovery.phasors[i];
    if (phasor && phasor->frequency < -4 * phasor->uncertainty) {
      turned.push_back(static_cast<int>(i));
    }
  }
  if (turned.empty() || turned.size() > 3 || turned.size() == clues.recovery.phasors.size()) {
    return;
  }
  propose_edit(clues, kind,
               fmt::format("{} {} {} the other way", turned.size() == 1 ? "pair" : "pairs",
                           joined(turned, std::identity{}, " and "), turned.size() == 1 ? "turns" : "turn"),
               damaged_bits * static_cast<double>(turned.size()), out, [&](Computation& computation) {
                 const auto is_turned = [&](int pair) {
                   return std::ranges::find(turned, pair) != turned.end();
                 };
                 for (auto& d : computation.rotated) {
                   d.sign = is_turned(d.pair) ? -d.sign : d.sign;
                 }
                 for (auto& cells : computation.cells) {
                   for (auto& cell : cells) {
                     const bool is_negated = cell.component == Component::sine && is_turned(cell.pair);
                     cell.sign = is_negated ? -cell.sign : cell.sign;
                   }
                 }
               });
}

void propose_in_place(const Clues& clues, const FaultKind& kind, Proposals& out) {
  if (clues.base.rotated.empty()) {
    return;
  }
  propose_edit(clues, kind, "the second component of a pair is computed from the first one's result",
               variant_bits, out, [](Computation& computation) { computation.in_place = true; });
  propose_edit(clues, kind, "the first component of a pair is computed from the second one's result",
               variant_bits, out, [](Computation& computation) {
                 computation.in_place = true;
                 std::ranges::reverse(computation.rotated);
               });
}

void propose_not_rotated(const Clues& clues, const FaultKind& kind, Proposals& out) {
  if (!clues.base.rotated.empty()) {
    propose_edit(clues, kind, "the vectors are not turned: they come out as they went in", flag_bits, out,
                 [](Computation& computation) { computation.rotated.clear(); });
  }
}

void propose_input_format(const Clues& clues, const FaultKind& kind, Proposals& out) {
  for (const auto format : {Format::bfloat16, Format::binary16}) {
    if (!clues.base.rotated.empty()) {
      propose_edit(clues, kind,
                   "vectors are rounded to " + std::string(traits(format).name) + " before they are turned",
                   variant_bits, out, [&](Computation& computation) { computation.input_format = format; });
    }
  }
}

}  // namespace

StageEdits direction_edits() {
  return {{"direction/sign", propose_sign},
          {"direction/one-component", propose_one_component},
          {"direction/one-pair", propose_one_pair_sign},
          // Pairs are read otherwise: all else is measured after it.
          {"rotation/aliased", propose_in_place, false, Stage::direction},
          {"rotation/not-rotated", propose_not_rotated},
          {"rotation/input-format", propose_input_format}};
}

}  // namespace vernier
