// How results are rounded and stored.

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include <fmt/core.h>

#include "numerics/diagnosis/computation/prediction.hpp"
#include "numerics/diagnosis/stages/stage_edits.hpp"

namespace vernier {
namespace {

Format widest_stored(const Clues& clues) {
  auto widest = clues.suspect.stored(0);
  for (std::size_t t = 1; t < clues.suspect.tensors(); ++t) {
    const auto one = clues.suspect.stored(t);
    widest = traits(one).precision > traits(widest).precision ? one : widest;
  }
  return widest;
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

void propose_storage_format(const Clues& clues, const Seen& values, Proposals& out) {
  const auto stored = widest_stored(clues);
  for (std::size_t f = 0; f < narrow_formats.size(); ++f) {
    const auto narrow = narrow_formats[f];
    if (values.is_member[f] && traits(narrow).precision < traits(stored).precision) {
      const std::string name(traits(narrow).name);
      propose_edit(clues, fault_kind("storage/format"),
                   "values are rounded to " + name + " before they are stored", flag_bits, out,
                   [&](Computation& computation) { computation.storing.through = narrow; });
      propose_edit(clues, fault_kind("storage/truncated"),
                   "values are cut off to " + name + " before they are stored", variant_bits, out,
                   [&](Computation& computation) {
                     computation.storing.through = narrow;
                     computation.storing.truncates = true;
                   });
    }
  }
}

void propose_order(const Clues& clues, const FaultKind& kind, Proposals& out) {
  const double amplitude = clues.base.amplitude;
  if (amplitude == 1) {
    return;
  }
  for (const auto narrow : narrow_formats) {
    if (traits(narrow).precision > traits(widest_stored(clues)).precision) {
      continue;
    }
    const double rounded = round_to(narrow, amplitude);
    for (const double factor : {amplitude, rounded}) {
      propose_edit(clues, kind,
                   fmt::format("values are rounded to {} before the amplitude{} multiplies them",
                               traits(narrow).name, factor == amplitude ? "" : ", rounded as well,"),
                   factor == amplitude ? variant_bits : variant_bits + 1, out, [&](Computation& computation) {
                     computation.amplitude = factor;
                     computation.storing.through = narrow;
                     computation.storing.before_amplitude = true;
                   });
    }
  }
}

void propose_truncated(const Clues& clues, const FaultKind& kind, Proposals& out) {
  const auto& parameters = clues.base.parameters.front();
  if (parameters.storage_ulps > 0) {
    propose_edit(clues, kind, "values are cut off where they should be rounded", flag_bits, out,
                 [](Computation& computation) { computation.storing.truncates = true; });
  }
}

/// Whether the tensors hold zeros, and no other number below one.
bool are_flushed(const Suspect& suspect, double below) {
  const auto magnitudes = suspect.magnitudes();
  return magnitudes.has_zeros && magnitudes.least >= below;
}

void propose_flushed(const Clues& clues, const Seen& values, Proposals& out) {
  const double smallest = traits(widest_stored(clues)).smallest();
  for (const auto one : {Format::binary16, Format::bfloat16}) {
    const double normal = traits(one).smallest_normal();
    if (normal > smallest && are_flushed(clues.suspect, normal)) {
      propose_edit(clues, fault_kind("storage/flushed"),
                   fmt::format("values below the normal numbers of {} ({:.3g}) are stored as zero",
                               traits(one).name, normal),
                   variant_bits, out,
                   [&](Computation& computation) { computation.storing.flushed_below = normal; });
    }
  }
  const double lost = values.greatest_lost;
  // What is lost is small beside the amplitude, or it is no flush.
  if (lost > smallest && lost <= 0x1p-6 * clues.base.amplitude) {
    const double threshold = std::exp2(std::ceil(std::log2(lost)));
    propose_edit(clues, fault_kind("storage/flushed"),
                 fmt::format("values below {:.3g} are stored as zero", lost), listed_bits + 2, out,
                 [&](Computation& computation) { computation.storing.flushed_below = threshold; });
  }
}

void propose_clipped(const Clues& clues, const Seen& values, Proposals& out) {
  if (values.at_greatest >= 8 && values.greatest > 0) {
    propose_edit(clues, fault_kind("storage/clipped"),
                 fmt::format("values are cut off at {:.7g}", values.greatest), listed_bits, out,
                 [&](Computation& computation) { computation.storing.clipped_at = values.greatest; });
  }
}

/// What the values themselves show.
void propose_values(const Clues& clues, const FaultKind&, Proposals& out) {
  const auto values = seen(clues);
  propose_storage_format(clues, values, out);
  propose_flushed(clues, values, out);
  propose_clipped(clues, values, out);
}

}  // namespace

StageEdits storage_edits() {
  return {{"storage/format", propose_values},
          {"storage/order", propose_order},
          {"storage/truncated", propose_truncated}};
}

}  // namespace vernier
