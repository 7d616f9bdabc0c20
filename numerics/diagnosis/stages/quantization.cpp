// How results become numbers of eight bits: scaled, saturated and rounded once, and read as what they are.

#include <string>

#include <fmt/core.h>

#include "numerics/diagnosis/stages/stage_edits.hpp"

namespace vernier {
namespace {

std::optional<Format> only_format(const Suspect& suspect) {
  const auto format = suspect.stored(0);
  for (std::size_t t = 1; t < suspect.tensors(); ++t) {
    if (suspect.stored(t) != format) {
      return std::nullopt;
    }
  }
  return format;
}

void propose_scale(const Clues& clues, const FaultKind& kind, Proposals& out) {
  const auto& quantization = clues.suspect.quantization();
  if (!quantization || quantization->factor == 1) {
    return;
  }
  const auto factor = quantization->approximate_factor();
  const auto propose = [&](double by, const std::string& sentence) {
    propose_edit(clues, kind, sentence, flag_bits, out, [&](Computation& computation) {
      computation.amplitude *= by;
      computation.passed_factor *= by;
    });
  };
  propose(1 / factor,
          fmt::format("the scale is dropped: values are stored as they are, not times {:.7g}", factor));
  propose(1 / (factor * factor),
          fmt::format("the scale is inverted: values are divided by {:.7g}, not multiplied by it", factor));
  propose(factor,
          fmt::format("the scale is applied twice: values are multiplied by the square of {:.7g}", factor));
}

void propose_bits(const Clues& clues, const FaultKind& kind, Proposals& out) {
  const auto stored = only_format(clues.suspect);
  if (!stored) {
    return;
  }
  for (const auto& other : format_table) {
    if (other.format == *stored || other.bits != traits(*stored).bits) {
      continue;
    }
    propose_edit(clues, kind,
                 fmt::format("the bits are those of {}, read as {}", other.name, traits(*stored).name),
                 flag_bits, out, [&](Computation& computation) {
                   computation.storing.bits_of = other.format;
                   for (auto& parameters : computation.parameters) {
                     parameters.stored = parameters.stored == *stored ? other.format : parameters.stored;
                   }
                 });
  }
}

std::string_view words_of(Overflow overflow) {
  switch (overflow) {
    case Overflow::saturate:
      return "the greatest number";
    case Overflow::nan:
      return "NaN";
    case Overflow::infinite:
      return "infinity";
    case Overflow::undeclared:
      break;
  }
  return "nothing";
}

void propose_overflow(const Clues& clues, const FaultKind& kind, Proposals& out) {
  const auto stored = only_format(clues.suspect);
  if (!stored || !traits(*stored).is_storage_only() || clues.suspect.vectors() == nullptr) {
    return;
  }
  const auto declared = clues.base.storing.overflow;
  const auto of_format = traits(*stored).has_infinity() ? Overflow::infinite : Overflow::nan;
  for (const auto other : {Overflow::saturate, of_format}) {
    if (other != declared) {
      propose_edit(clues, kind,
                   fmt::format("numbers beyond {:.7g} become {} ({} is declared)", traits(*stored).largest(),
                               words_of(other), words_of(declared)),
                   flag_bits, out, [&](Computation& computation) { computation.storing.overflow = other; });
    }
  }
}

void propose_second_rounding(const Clues& clues, const FaultKind& kind, Proposals& out) {
  const auto stored = only_format(clues.suspect);
  if (!stored || !traits(*stored).is_storage_only()) {
    return;
  }
  for (const auto first : {Format::bfloat16, Format::binary16}) {
    propose_edit(
        clues, kind,
        fmt::format("values are rounded to {} and then to {}", traits(first).name, traits(*stored).name),
        flag_bits, out, [&](Computation& computation) { computation.storing.through = first; });
    if (const auto& quantization = clues.suspect.quantization(); quantization && quantization->factor != 1) {
      propose_edit(clues, kind,
                   fmt::format("values are rounded to {}, then multiplied by the scale and rounded to {}",
                               traits(first).name, traits(*stored).name),
                   flag_bits, out, [&](Computation& computation) {
                     computation.storing.through = first;
                     computation.storing.before_amplitude = true;
                   });
    }
  }
}

}  // namespace

StageEdits quantization_edits() {
  return {{"amplitude/scale", propose_scale},
          {"storage/bits", propose_bits},
          {"storage/overflow", propose_overflow},
          {"storage/twice", propose_second_rounding}};
}

}  // namespace vernier
