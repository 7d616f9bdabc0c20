// The numbers that frequencies are multiplied by.

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/core.h>

#include "numerics/diagnosis/stages/frequencies/measured_pairs.hpp"
#include "numerics/diagnosis/stages/position_maps.hpp"

namespace vernier {
namespace {

using namespace std::string_view_literals;

constexpr std::array position_offset_bugs{"sentence-transformers #3879"sv,
                                          "huggingface/transformers #22161"sv, "nnsight #673"sv};
constexpr std::array position_format_bugs{"huggingface/transformers #25681"sv, "NVIDIA/Megatron-LM #535"sv,
                                          "huggingface/diffusers #13922"sv};

constexpr FaultKind position_offset{
    .id = "position/offset",
    .stage = Stage::position,
    .title = "every position is off by as much",
    .means =
        "Scores within one table are unchanged, as they depend on the distance; against a cache or "
        "another kernel that counts otherwise, every distance is off.",
    .advice = "Look for where counting begins: at 0, at 1, or after the padding.",
    .similar = position_offset_bugs};
constexpr FaultKind position_format{
    .id = "position/format",
    .stage = Stage::position,
    .title = "positions are rounded to a 16-bit format",
    .means = "From 256 on in bfloat16, and from 2048 on in float16, neighbouring tokens share a position.",
    .advice =
        "Look for arange in the type of the model, or for autocast; positions need integers or float32.",
    .similar = position_format_bugs};
constexpr FaultKind position_scaled{
    .id = "position/scaled",
    .stage = Stage::position,
    .title = "positions are multiplied by a factor",
    .means = "Every distance looks so much longer or shorter to the model.",
    .advice = "Look for a scale that is applied to positions and to frequencies, or to positions twice."};

void propose_offset(const Clues& clues, const FaultKind& kind, Proposals& out) {
  propose_offset_by(clues, kind, 1, variant_bits, out);
  propose_offset_by(clues, kind, -1, variant_bits, out);
  const auto [least, greatest] = std::ranges::minmax(clues.suspect.positions().front());
  propose_map(clues, *fault_kind_named("position/reversed"),
              fmt::format("positions are counted down: p stands for {} - p", least + greatest), listed_bits,
              out, [sum = static_cast<double>(least + greatest)](double p) { return sum - p; });
  propose_position_maps(clues, kind, out);
}

void propose_format(const Clues& clues, const FaultKind& kind, Proposals& out) {
  for (const auto narrow : {Format::bfloat16, Format::binary16}) {
    propose_edit(clues, kind, "positions are rounded to " + std::string(traits(narrow).name), variant_bits,
                 out, [&](Computation& computation) { computation.place_format = narrow; });
  }
}

}  // namespace

void propose_places(const Clues& clues, Proposals& out) {
  propose_position_maps(clues, position_offset, out);
}

void propose_scaled_places(const Clues& clues, std::vector<ScaledPlaces>& out) {
  constexpr int most_digits = 4;
  constexpr double greatest = 1024;
  const auto propose = [&](double factor, const std::string& words, double bits) {
    const bool is_new =
        factor < greatest && factor > 1 / greatest && std::ranges::none_of(out, [&](const ScaledPlaces& one) {
          return std::fabs(one.factor / factor - 1) < 1e-9;
        });
    if (is_new) {
      Proposals proposals;
      propose_map(clues, position_scaled, "positions are multiplied by " + words, bits, proposals,
                  [factor](double p) { return p * factor; });
      out.push_back({std::move(proposals.front()), factor});
    }
  };
  // The fastest pair and one in the middle: a scaling leaves the fast ones alone, or divides all alike.
  const auto measured = measured_pairs(clues);
  for (const auto i : {std::size_t{0}, measured.size() / 2}) {
    if (i >= measured.size() || measured[i].agrees()) {
      continue;
    }
    const double ratio = measured[i].frequency / measured[i].declared;
    if (const auto decimal = shortest_decimal(ratio, measured[i].uncertainty, most_digits)) {
      propose(*decimal, number_words(*decimal), 2 + number_bits(*decimal));
    }
    if (const auto inverse = shortest_decimal(1 / ratio, measured[i].uncertainty, most_digits)) {
      propose(1 / *inverse, "1/" + number_words(*inverse), 3 + number_bits(*inverse));
    }
  }
}

StageEdits position_edits() {
  auto others = position_map_kinds();
  others.push_back(&position_scaled);
  return {{&position_offset, propose_offset, false, others}, {&position_format, propose_format}};
}

}  // namespace vernier
