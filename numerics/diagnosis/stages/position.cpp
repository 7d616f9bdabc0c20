// The numbers that frequencies are multiplied by.

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include <fmt/core.h>

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

StageEdits position_edits() {
  return {{&position_offset, propose_offset, false, position_map_kinds()},
          {&position_format, propose_format}};
}

}  // namespace vernier
