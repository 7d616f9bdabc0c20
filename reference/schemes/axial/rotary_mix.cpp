#include "reference/schemes/axial/rotary_mix.hpp"

#include <array>
#include <cstdint>
#include <vector>

#include <fmt/core.h>
#include <fmt/ranges.h>

#include "reference/mixed_axes.hpp"
#include "reference/schemes/axial/axial_tensors.hpp"
#include "reference/schemes/axial/token_grid.hpp"
#include "reference/schemes/learned_frequencies.hpp"
#include "reference/schemes/parameters.hpp"
#include "reference/schemes/rotary_layout.hpp"
#include "reference/schemes/rotary_operation.hpp"

namespace vernier {
namespace {

/// Rotary encoding by learned frequencies: pair i of each head turns by the sum over the axes a of
/// p_a w_(a,head,i). RoPE-Mixed (Heo et al. 2024, "Rotary Position Embedding for Vision Transformer"; timm,
/// RotaryEmbeddingMixed) and Mochi (genmo, dit/joint_model/rope_mixed.py). The heads of a token lie one
/// behind the other.
struct RotaryMixSpec {
  LearnedFrequencies frequencies;  ///< a row an axis, head_dim/2 numbers of every head
  RopeSpec::Layout layout = RopeSpec::Layout::interleaved;  ///< of each head
  std::vector<RealPositions> positions;                     ///< one an axis, all of one unit
  std::vector<std::int64_t> grid;                           ///< lengths of all axes but the first; or empty
  RotationOperation operation = RotationOperation::forward;

  std::int64_t head_dim() const {
    return std::int64_t{2} * frequencies.pairs() / static_cast<std::int64_t>(frequencies.heads);
  }
};

class RotaryMixEncoding final : public Encoding {
 public:
  explicit RotaryMixEncoding(RotaryMixSpec spec) : spec_(std::move(spec)) {}

  std::string_view scheme() const override { return "axial_rope"; }
  std::string summary() const override;
  OrderedJson spec() const override;
  /// cos and sin by several positions, each with one column a pair and with one column a dimension, and the
  /// rotation: of all heads side by side.
  std::vector<TensorDefinition> define_tensors() const override;
  const PositionMap& positions_along(std::size_t axis) const override { return spec_.positions[axis].map; }

 private:
  RotaryMixSpec spec_;
};

std::vector<TensorDefinition> RotaryMixEncoding::define_tensors() const {
  const int pairs = spec_.frequencies.pairs();
  AxialTurns turns{spec_.frequencies.joined(spec_.positions),
                   {},
                   positions_along_axes(spec_.frequencies.axes(), spec_.grid, positions().unit())};
  for (int pair = 0; pair < pairs; ++pair) {
    turns.of_pairs.push_back({all_axes, pair});
  }
  for (const auto& of_axis : spec_.positions) {
    turns.axes.maps.push_back(of_axis.map);
  }
  auto result = axial_tensors({.head_dim = 2 * std::int64_t{pairs},
                               .layout = spec_.layout,
                               .operation = spec_.operation,
                               .positions = spec_.positions.front()},
                              turns);
  if (spec_.layout == RopeSpec::Layout::half) {
    lie_in_blocks(result, std::vector<int>(spec_.frequencies.heads, static_cast<int>(spec_.head_dim() / 2)));
  }
  return result;
}

std::string RotaryMixEncoding::summary() const {
  return fmt::format("axial RoPE, head_dim {}, {}, mixed, {} layout{}{}", spec_.head_dim(),
                     spec_.frequencies.summary(), name_of(spec_.layout), summary_of_mixed(spec_.positions),
                     spec_.grid.empty() ? "" : fmt::format(", grid {}", fmt::join(spec_.grid, " x "))) +
         summary_of(spec_.operation);
}

OrderedJson RotaryMixEncoding::spec() const {
  OrderedJson result{{"scheme", "axial_rope"}, {"head_dim", spec_.head_dim()}, {"arrangement", "mixed"}};
  spec_.frequencies.write(result);
  result["layout"] = name_of(spec_.layout);
  if (!spec_.grid.empty()) {
    result["grid"] = spec_.grid;
  }
  write_operation(result, spec_.operation);
  write_mixed_positions(spec_.positions, result);
  return result;
}

}  // namespace

std::unique_ptr<Encoding> parse_rotary_mix(ObjectReader& reader) {
  RotaryMixSpec spec;
  reader.choice("arrangement", {"mixed"}, 0);
  spec.frequencies = LearnedFrequencies::read(reader, true);
  const auto axes = spec.frequencies.axes();
  if (axes < 2) {
    reader.refuse("frequencies", "rows of 2 axes or more");
  }
  if (reader.integer("head_dim", 2, largest_dimension) != spec.head_dim()) {
    reader.refuse("head_dim",
                  fmt::format("{}, two dimensions for each of the frequencies of a head", spec.head_dim()));
  }
  spec.layout = read_layout(reader, spec.layout);
  spec.positions = read_mixed_positions(reader, axes);
  spec.grid = read_grid(reader, axes);
  spec.operation = read_operation(reader);
  return std::make_unique<RotaryMixEncoding>(std::move(spec));
}

}  // namespace vernier
