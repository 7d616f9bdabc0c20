// How results are rounded and stored; and how they become numbers of eight bits: scaled, saturated, rounded
// once, and read as what they are.

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include <fmt/core.h>

#include "numerics/computation/prediction.hpp"
#include "numerics/diagnosis/stages/stage_edits.hpp"

namespace vernier {
namespace {

std::vector<Format> stored_formats(const Suspect& suspect) {
  std::vector<Format> result;
  for (std::size_t t = 0; t < suspect.tensors(); ++t) {
    result.push_back(suspect.stored(t));
  }
  return result;
}

Format widest_stored(const Clues& clues) {
  return std::ranges::max(stored_formats(clues.suspect), {},
                          [](Format one) { return traits(one).precision; });
}

/// The one that all tensors are stored in; nothing for elements with scales of blocks, which tensors do not
/// hold.
std::optional<Format> only_format(const Suspect& suspect) {
  if (suspect.quantization() && suspect.quantization()->scales) {
    return std::nullopt;
  }
  const auto all = stored_formats(suspect);
  return std::ranges::count(all, all.front()) == std::ssize(all) ? std::optional(all.front()) : std::nullopt;
}

/// That which only stores, as formats of eight bits do.
std::optional<Format> only_narrow_format(const Suspect& suspect) {
  const auto stored = only_format(suspect);
  return stored && traits(*stored).is_storage_only() ? stored : std::nullopt;
}

/// What elements of some rows are.
struct Seen {
  double greatest = 0;  ///< magnitude
  std::size_t at_greatest = 0;
  double greatest_lost = 0;                ///< of those predicted where zero is stored
  bool is_member[3] = {true, true, true};  ///< of the narrow formats
};

constexpr std::array narrow_formats{Format::bfloat16, Format::binary16, Format::binary32};

Seen seen(const Clues& clues) {
  Seen result;
  const Predictor predictor(clues.suspect, clues.base);
  for (const auto row : telling_rows(clues.suspect, 256)) {
    bool has_zeros = false;
    predictor.visit_seen(row, [&](int pair, double got) {
      if (pair < 0 || !std::isfinite(got)) {
        return;
      }
      const double magnitude = std::fabs(got);
      if (magnitude > result.greatest) {
        result.greatest = magnitude;
        result.at_greatest = 0;
      }
      result.at_greatest += magnitude == result.greatest ? 1 : 0;
      has_zeros = has_zeros || magnitude == 0;
      for (std::size_t f = 0; f < narrow_formats.size(); ++f) {
        result.is_member[f] = result.is_member[f] && is_member(narrow_formats[f], got);
      }
    });
    if (has_zeros) {
      predictor.visit_values(row, [&](const PredictedElement& element) {
        if (element.pair >= 0 && element.got == 0) {
          result.greatest_lost = std::max(result.greatest_lost, std::fabs(element.predicted));
        }
      });
    }
  }
  return result;
}

/// Whether the tensors hold zeros, and no other number below one.
bool are_flushed(const Suspect& suspect, double below) {
  const auto magnitudes = suspect.magnitudes();
  return magnitudes.has_zeros && magnitudes.least >= below;
}

void propose_flushed(const KindEdits& edits, double lost) {
  const double smallest = traits(widest_stored(edits)).smallest();
  for (const auto one : {Format::binary16, Format::bfloat16}) {
    const double normal = traits(one).smallest_normal();
    if (normal > smallest && are_flushed(edits.suspect, normal)) {
      edits.add(fmt::format("values below the normal numbers of {} ({:.3g}) are stored as zero",
                            traits(one).name, normal),
                variant_bits, setting(&Storing::flushed_below, normal));
    }
  }
  // What is lost is small beside the amplitude, or it is no flush.
  if (lost > smallest && lost <= 0x1p-6 * edits.base.amplitude) {
    edits.add(fmt::format("values below {:.3g} are stored as zero", lost), listed_bits + 2,
              setting(&Storing::flushed_below, std::exp2(std::ceil(std::log2(lost)))));
  }
}

/// What the values themselves show.
void propose_values(const KindEdits& edits) {
  const auto values = seen(edits);
  const auto precision = traits(widest_stored(edits)).precision;
  for (std::size_t f = 0; f < narrow_formats.size(); ++f) {
    const auto narrow = narrow_formats[f];
    if (values.is_member[f] && traits(narrow).precision < precision) {
      edits.of("storage/format")
          .add(fmt::format("values are rounded to {} before they are stored", traits(narrow).name), flag_bits,
               setting(&Storing::through, narrow));
      edits.of("storage/truncated")
          .add(fmt::format("values are cut off to {} before they are stored", traits(narrow).name),
               variant_bits, setting(&Storing::through, narrow, &Storing::truncates, true));
    }
  }
  propose_flushed(edits.of("storage/flushed"), values.greatest_lost);
  if (values.at_greatest >= 8 && values.greatest > 0) {
    edits.of("storage/clipped")
        .add(fmt::format("values are cut off at {:.7g}", values.greatest), listed_bits,
             setting(&Storing::clipped_at, values.greatest));
  }
}

void propose_order(const KindEdits& edits) {
  const double amplitude = edits.base.amplitude;
  if (amplitude == 1) {
    return;
  }
  for (const auto narrow : narrow_formats) {
    if (traits(narrow).precision > traits(widest_stored(edits)).precision) {
      continue;
    }
    for (const double factor : {amplitude, round_to(narrow, amplitude)}) {
      edits.add(fmt::format("values are rounded to {} before the amplitude{} multiplies them",
                            traits(narrow).name, factor == amplitude ? "" : ", rounded as well,"),
                factor == amplitude ? variant_bits : variant_bits + 1,
                setting(&Computation::amplitude, factor, &Storing::through, narrow,
                        &Storing::before_amplitude, true));
    }
  }
}

void propose_truncated(const KindEdits& edits) {
  if (edits.base.parameters.front().storage_ulps > 0) {
    edits.add("values are cut off where they should be rounded", flag_bits,
              setting(&Storing::truncates, true));
  }
}

void propose_scale(const KindEdits& edits) {
  const auto& quantization = edits.suspect.quantization();
  if (!quantization || quantization->factor == 1) {
    return;
  }
  const auto factor = quantization->approximate_factor();
  const auto add = [&](double by, std::string sentence) {
    edits.add(std::move(sentence), flag_bits,
              setting(&Computation::amplitude, edits.base.amplitude * by, &Computation::passed_factor,
                      edits.base.passed_factor * by));
  };
  add(1 / factor,
      fmt::format("the scale is dropped: values are stored as they are, not times {:.7g}", factor));
  add(1 / (factor * factor),
      fmt::format("the scale is inverted: values are divided by {:.7g}, not multiplied by it", factor));
  add(factor,
      fmt::format("the scale is applied twice: values are multiplied by the square of {:.7g}", factor));
}

void propose_bits(const KindEdits& edits) {
  const auto stored = only_format(edits.suspect);
  for (const auto& other : format_table) {
    if (stored && other.format != *stored && other.bits == traits(*stored).bits) {
      edits.add(fmt::format("the bits are those of {}, read as {}", other.name, traits(*stored).name),
                flag_bits, [&](Computation& computation) {
                  computation.storing.bits_of = other.format;
                  for (auto& parameters : computation.parameters) {
                    parameters.stored = parameters.stored == *stored ? other.format : parameters.stored;
                  }
                });
    }
  }
}

std::string_view words_of(Overflow overflow) {
  // In the order of Overflow.
  static constexpr std::array words{"nothing", "the greatest number", "NaN", "infinity"};
  return words.at(static_cast<std::size_t>(overflow));
}

void propose_overflow(const KindEdits& edits) {
  const auto stored = only_narrow_format(edits.suspect);
  if (!stored || edits.suspect.vectors() == nullptr) {
    return;
  }
  const auto declared = edits.base.storing.overflow;
  const auto of_format = traits(*stored).has_infinity() ? Overflow::infinite : Overflow::nan;
  for (const auto other : {Overflow::saturate, of_format}) {
    if (other != declared) {
      edits.add(fmt::format("numbers beyond {:.7g} become {} ({} is declared)", traits(*stored).largest(),
                            words_of(other), words_of(declared)),
                flag_bits, setting(&Storing::overflow, other));
    }
  }
}

void propose_second_rounding(const KindEdits& edits) {
  const auto stored = only_narrow_format(edits.suspect);
  const auto& quantization = edits.suspect.quantization();
  if (!stored) {
    return;
  }
  for (const auto first : {Format::bfloat16, Format::binary16}) {
    edits.add(
        fmt::format("values are rounded to {} and then to {}", traits(first).name, traits(*stored).name),
        flag_bits, setting(&Storing::through, first));
    if (quantization && quantization->factor != 1) {
      edits.add(fmt::format("values are rounded to {}, then multiplied by the scale and rounded to {}",
                            traits(first).name, traits(*stored).name),
                flag_bits, setting(&Storing::through, first, &Storing::before_amplitude, true));
    }
  }
}

}  // namespace

StageEdits storage_edits() {
  return {{"storage/format", propose_values},
          {"storage/order", propose_order},
          {"storage/truncated", propose_truncated},
          {"amplitude/scale", propose_scale},
          {"storage/bits", propose_bits},
          {"storage/overflow", propose_overflow},
          {"storage/twice", propose_second_rounding}};
}

}  // namespace vernier
