// Which dimensions of a head rotate, and what becomes of the others.

#include <algorithm>
#include <cmath>
#include <set>

#include <fmt/core.h>

#include "numerics/diagnosis/computation/prediction.hpp"
#include "numerics/diagnosis/stages/stage_edits.hpp"

namespace vernier {
namespace {

/// How many leading dimensions are not the input, at rows where something turns.
std::size_t moving_dimensions(const Suspect& suspect) {
  const auto& vectors = *suspect.vectors();
  const auto width = vectors.head_dim();
  std::size_t moving = 0;
  for (const auto row : telling_rows(suspect, 32)) {
    for (std::size_t d = width; d > moving; --d) {
      if (vectors.input.number(row * width + d - 1) != vectors.rotated.number(row * width + d - 1)) {
        moving = d;
      }
    }
  }
  return moving + moving % 2;
}

void propose_part(const Clues& clues, const FaultKind& kind, Proposals& out) {
  if (clues.suspect.vectors() == nullptr ||
      !clues.suspect.encoding().spec().contains("partial_rotary_factor")) {
    return;
  }
  const auto width = clues.suspect.vectors()->head_dim();
  const auto declared = clues.base.rotated.size();
  for (const auto part : std::set{width, width / 2, width / 4, declared / 2, moving_dimensions(clues.suspect),
                                  declared * declared / width}) {
    if (part < 2 || part == declared || part % 2 != 0 || part > width) {
      continue;
    }
    const double factor = static_cast<double>(part) / static_cast<double>(width);
    const auto patch = replacement("partial_rotary_factor", factor);
    if (auto other = clues.suspect.declared_by(patch)) {
      out.push_back({{&kind, fmt::format("{} of {} dimensions rotate, not {}", part, width, declared), patch},
                     variant_bits,
                     *std::move(other)});
    }
  }
}

void propose_last_dimensions(const Clues& clues, const FaultKind& kind, Proposals& out) {
  const auto* vectors = clues.suspect.vectors();
  if (vectors == nullptr || clues.base.rotated.size() >= vectors->head_dim()) {
    return;
  }
  const auto shift = vectors->head_dim() - clues.base.rotated.size();
  propose_edit(clues, kind,
               fmt::format("the last {} dimensions rotate, not the first", clues.base.rotated.size()),
               variant_bits, out, [&](Computation& computation) {
                 for (auto& d : computation.rotated) {
                   d.out += shift;
                   d.own += shift;
                   d.other += shift;
                 }
               });
}

/// What dimensions that do not rotate are multiplied by, as a short decimal.
std::optional<double> passed_factor(const Clues& clues) {
  const auto& vectors = *clues.suspect.vectors();
  const auto width = vectors.head_dim();
  std::vector<bool> is_rotated(width);
  for (const auto& d : clues.base.rotated) {
    is_rotated[d.out] = true;
  }
  long double products = 0;
  long double squares = 0;
  for (const auto row : telling_rows(clues.suspect, 64)) {
    for (std::size_t d = 0; d < width; ++d) {
      if (!is_rotated[d]) {
        const long double in = vectors.input.number(row * width + d);
        products += in * vectors.rotated.number(row * width + d);
        squares += in * in;
      }
    }
  }
  const auto factor = static_cast<double>(products / squares);
  if (!std::isfinite(factor) || factor == 0 || std::fabs(factor - 1) < 1e-7) {
    return std::nullopt;
  }
  // A double is not the decimal.
  return shortest_decimal(factor, std::max(traits(vectors.stored()).unit_roundoff() / 4, 0x1p-52));
}

void propose_pass_through(const Clues& clues, const FaultKind& kind, Proposals& out) {
  const auto* vectors = clues.suspect.vectors();
  if (vectors != nullptr && clues.base.rotated.size() < vectors->head_dim()) {
    propose_edit(clues, kind, "the dimensions that should pass through are zero", flag_bits, out,
                 [](Computation& computation) { computation.passed = Computation::Passed::zeroed; });
    for (const int by : {1, -1}) {
      propose_edit(clues, kind,
                   by > 0 ? "the dimensions that should pass through come out one place further"
                          : "the dimensions that should pass through come out one place before",
                   variant_bits, out, [&](Computation& computation) { computation.passed_shift = by; });
    }
    if (const auto factor = passed_factor(clues)) {
      propose_edit(
          clues, kind,
          fmt::format("the dimensions that should pass through are multiplied by {}", number_words(*factor)),
          number_bits(*factor), out, [&](Computation& computation) { computation.passed_factor = *factor; });
    }
  }
}

}  // namespace

StageEdits part_edits() {
  return {{"mapping/rotary-part", propose_part},
          {"mapping/last-dimensions", propose_last_dimensions},
          {"mapping/pass-through", propose_pass_through}};
}

}  // namespace vernier
