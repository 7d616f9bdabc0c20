// The sense in which pairs turn, forward or back, and what else is wrong with the two products of a pair.

#include <algorithm>
#include <functional>

#include <fmt/core.h>

#include "numerics/diagnosis/stages/stage_edits.hpp"

namespace vernier {
namespace {

void turn_round(Computation& computation) {
  computation.turn_round();
}

void propose_sign(const KindEdits& edits) {
  const auto spec = edits.spec();
  if (edits.suspect.vectors() != nullptr) {
    if (edits.base.rotated.empty() || edits.suspect.has_operation()) {
      return;
    }
    const bool is_back = edits.base.rotated.front().sign < 0;
    edits.add(fmt::format("the rotation is {} (or, the same here, positions are negated)",
                          is_back ? "clockwise, not counterclockwise" : "counterclockwise, not clockwise"),
              flag_bits, turn_round,
              spec.contains("direction")
                  ? replacement("direction", is_back ? "clockwise" : "counterclockwise")
                  : OrderedJson(nullptr));
    return;
  }
  edits.add("the sine has the opposite sign (or, the same here, positions are negated)", flag_bits,
            [](Computation& computation) {
              computation.change_cells(
                  [](Cell& cell) { cell.sign = cell.component == Component::sine ? -cell.sign : cell.sign; });
            });
}

void propose_in_place(const KindEdits& edits) {
  if (!edits.base.rotated.empty()) {
    edits.add("the second component of a pair is computed from the first one's result", variant_bits,
              setting(&Computation::in_place, true));
    edits.add("the first component of a pair is computed from the second one's result", variant_bits,
              setting(&Computation::in_place, true, &Computation::rotated,
                      std::vector(edits.base.rotated.rbegin(), edits.base.rotated.rend())));
  }
}

void propose_not_rotated(const KindEdits& edits) {
  if (!edits.base.rotated.empty()) {
    edits.add("the vectors are not turned: they come out as they went in", flag_bits,
              setting(&Computation::rotated, {}));
  }
}

void propose_input_format(const KindEdits& edits) {
  for (const auto format : {Format::bfloat16, Format::binary16}) {
    if (!edits.base.rotated.empty()) {
      edits.add(fmt::format("vectors are rounded to {} before they are turned", traits(format).name),
                variant_bits, setting(&Computation::input_format, format));
    }
  }
}

/// What should turn vectors back: the transpose of a rotation, its inverse, and the gradient of either.
void propose_forward(const KindEdits& edits) {
  if (!edits.suspect.has_operation() || edits.base.rotated.empty()) {
    return;
  }
  const auto& rotation = edits.suspect.vectors()->rotation;
  if (rotation.is_gradient) {
    edits.add(rotation.turns_back() ? "the gradient rotates in the declared forward direction"
                                    : "the gradient rotates against the declared forward direction",
              flag_bits, turn_round);
    return;
  }
  const bool is_told = rotation.operation != RotationOperation::inverse ||
                       (edits.base.amplitude == 1 && edits.base.growth.empty());
  edits.of("direction/not-back")
      .add("the vectors rotate forward, not back", flag_bits, turn_round,
           is_told ? replacement("operation", "forward") : OrderedJson(nullptr));
}

}  // namespace

StageEdits direction_edits() {
  return {{"direction/sign", propose_sign},
          // Pairs are read otherwise: all else is measured after it.
          {"rotation/aliased", propose_in_place, false, Stage::direction},
          {"rotation/not-rotated", propose_not_rotated},
          {"rotation/input-format", propose_input_format},
          {"direction/gradient-forward", propose_forward}};
}

}  // namespace vernier
