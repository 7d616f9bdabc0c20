// What turns vectors back: the transpose of a rotation, its inverse, and the gradient of either.

#include <cmath>

#include <fmt/core.h>

#include "numerics/diagnosis/stages/stage_edits.hpp"

namespace vernier {
namespace {

bool is_gradient(const Clues& clues) {
  return clues.suspect.vectors()->rotation.is_gradient;
}

bool is_inverse(const Clues& clues) {
  return clues.suspect.vectors()->rotation.operation == RotationOperation::inverse;
}

/// The spec that declares it, where that is of nothing but these vectors.
OrderedJson operation_patch(const Clues& clues, std::string_view operation) {
  return is_gradient(clues) ? OrderedJson(nullptr) : replacement("operation", operation);
}

void propose_forward(const Clues& clues, const FaultKind& /*kind*/, Proposals& out) {
  if (!clues.suspect.has_operation() || clues.base.rotated.empty()) {
    return;
  }
  const auto turn = [](Computation& computation) {
    for (auto& d : computation.rotated) {
      d.sign = -d.sign;
    }
  };
  if (is_gradient(clues)) {
    const bool is_back = clues.suspect.vectors()->rotation.turns_back();
    propose_edit(clues, fault_kind("direction/gradient-forward"),
                 fmt::format("the gradient rotates {}, as the vectors do, not {}",
                             is_back ? "forward" : "back", is_back ? "back" : "forward"),
                 flag_bits, out, turn);
    return;
  }
  const bool is_one = clues.base.amplitude == 1 && clues.base.growth.empty();
  propose_edit(clues, fault_kind("direction/not-back"), "the vectors rotate forward, not back", flag_bits,
               out, turn,
               is_inverse(clues) && !is_one ? OrderedJson(nullptr) : operation_patch(clues, "forward"));
}

/// Divides by all that vectors are multiplied by, or multiplies by what they are divided by.
void turn_round(Computation& computation) {
  computation.amplitude = 1 / computation.amplitude;
  for (auto& growth : computation.growth) {
    if (growth != nullptr) {
      auto scale = growth->scale();
      scale.is_reciprocal = !scale.is_reciprocal;
      growth = growth->with(std::move(scale));
    }
  }
}

void propose_amplitude(const Clues& clues, const FaultKind& /*kind*/, Proposals& out) {
  const double declared = clues.base.amplitude;
  const bool grows = clues.suspect.grows();
  if (!clues.suspect.has_operation() || clues.base.rotated.empty() || (declared == 1 && !grows)) {
    return;
  }
  const std::string_view what = is_gradient(clues)  ? "the gradient"
                                : is_inverse(clues) ? "the inverse"
                                                    : "the transpose";
  const auto of =
      grows ? std::string("scale") : fmt::format("amplitude {:.7g}", std::fmax(declared, 1 / declared));
  if (is_inverse(clues)) {
    propose_edit(clues, fault_kind("amplitude/back-multiplies"),
                 fmt::format("{} multiplies by the {} where it should divide", what, of), flag_bits, out,
                 turn_round, operation_patch(clues, "transpose"));
  } else {
    propose_edit(clues, fault_kind("amplitude/back-divides"),
                 fmt::format("{} divides by the {} where the transpose multiplies", what, of), flag_bits, out,
                 turn_round, operation_patch(clues, "inverse"));
  }
  if (declared == 1) {
    return;
  }
  propose_edit(clues, fault_kind("amplitude/back-left-out"),
               fmt::format("the amplitude is missing: 1, not {:.7g}", declared), flag_bits, out,
               [](Computation& computation) { computation.amplitude = 1; });
  propose_edit(clues, fault_kind("amplitude/back-twice"),
               fmt::format("the amplitude is squared: {:.7g}, not {:.7g}", declared * declared, declared),
               flag_bits, out,
               [=](Computation& computation) { computation.amplitude = declared * declared; });
}

}  // namespace

StageEdits operation_edits() {
  return {{"direction/gradient-forward", propose_forward}};
}

StageEdits operation_amplitude_edits() {
  return {{"amplitude/back-divides", propose_amplitude}};
}

}  // namespace vernier
