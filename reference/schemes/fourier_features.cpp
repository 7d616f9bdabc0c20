#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include <fmt/core.h>
#include <fmt/ranges.h>

#include "reference/mixed_axes.hpp"
#include "reference/schemes/axial/token_grid.hpp"
#include "reference/schemes/columns.hpp"
#include "reference/schemes/learned_frequencies.hpp"
#include "reference/schemes/parameters.hpp"
#include "reference/schemes/real_positions.hpp"
#include "reference/schemes/schemes.hpp"

namespace vernier {
namespace {

/// Sines and cosines of a token's positions times a matrix of given frequencies, random or trained: the phase
/// of pair i is the sum over the axes a of p_a w_(a,i) (Tancik et al. 2020). The prompts of SAM have two axes
/// (segment_anything/modeling/prompt_encoder.py, PositionEmbeddingRandom), the noise levels of NCSN++ one
/// (models/layerspp.py, GaussianFourierProjection).
struct FourierFeaturesSpec {
  /// halves: all first components, then all second ones. interleaved: each pair in two neighbouring columns.
  enum class Layout { halves, interleaved };

  LearnedFrequencies frequencies;  ///< a row an axis, a column a pair
  Layout layout = Layout::halves;
  PairOrder order = PairOrder::sin_cos;
  std::vector<RealPositions> positions;  ///< one an axis, all of one unit
  std::vector<std::int64_t> grid;        ///< lengths of all axes but the first; or empty
};

class FourierFeaturesEncoding final : public Encoding {
 public:
  explicit FourierFeaturesEncoding(FourierFeaturesSpec spec) : spec_(std::move(spec)) {}

  std::string_view scheme() const override { return "fourier_features"; }
  std::string summary() const override;
  OrderedJson spec() const override;
  std::vector<TensorDefinition> define_tensors() const override;
  const PositionMap& positions_along(std::size_t axis) const override { return spec_.positions[axis].map; }

 private:
  FourierFeaturesSpec spec_;
};

constexpr std::array<std::string_view, 2> feature_layout_names{"halves", "interleaved"};

std::unique_ptr<Encoding> parse_fourier_features(ObjectReader& reader) {
  FourierFeaturesSpec spec;
  spec.frequencies = LearnedFrequencies::read(reader);
  const auto axes = spec.frequencies.axes();
  spec.layout = static_cast<FourierFeaturesSpec::Layout>(
      reader.choice("layout", {feature_layout_names[0], feature_layout_names[1]}, 0));
  spec.order = read_pair_order(reader);
  spec.positions = read_mixed_positions(reader, axes);
  if (axes == 1 && reader.has("grid")) {
    reader.refuse("grid", "none, as there is one axis");
  }
  spec.grid = read_grid(reader, axes);
  return std::make_unique<FourierFeaturesEncoding>(std::move(spec));
}

std::vector<Column> columns_of(const FourierFeaturesSpec& spec) {
  auto columns = interleaved_pairs(spec.frequencies.pairs(), spec.order);
  if (spec.layout == FourierFeaturesSpec::Layout::halves) {
    std::ranges::stable_partition(columns, [first = columns.front().component](const Column& column) {
      return column.component == first;
    });
  }
  return columns;
}

std::vector<TensorDefinition> FourierFeaturesEncoding::define_tensors() const {
  const auto columns = columns_of(spec_);
  auto axes = positions_along_axes(spec_.frequencies.axes(), spec_.grid, positions().unit());
  for (const auto& of_axis : spec_.positions) {
    axes.maps.push_back(of_axis.map);
  }
  return {TurnedTable(
      {"encoding", spec_.frequencies.joined(spec_.positions), 1, columns, std::nullopt, positions()},
      {std::vector<int>(columns.size(), all_axes), std::move(axes)})};
}

std::string FourierFeaturesEncoding::summary() const {
  return fmt::format("Fourier features, {}, {}{}{}{}", spec_.frequencies.summary(),
                     feature_layout_names[static_cast<std::size_t>(spec_.layout)],
                     spec_.order == PairOrder::cos_sin ? ", cosine first" : "",
                     summary_of_mixed(spec_.positions),
                     spec_.grid.empty() ? "" : fmt::format(", grid {}", fmt::join(spec_.grid, " x ")));
}

OrderedJson FourierFeaturesEncoding::spec() const {
  OrderedJson result{{"scheme", "fourier_features"}};
  spec_.frequencies.write(result);
  result["layout"] = feature_layout_names[static_cast<std::size_t>(spec_.layout)];
  result["order"] = name_of(spec_.order);
  if (!spec_.grid.empty()) {
    result["grid"] = spec_.grid;
  }
  write_mixed_positions(spec_.positions, result);
  return result;
}

}  // namespace

Scheme fourier_features_scheme() {
  return {
      "fourier_features",
      "sines and cosines of positions times a matrix of given frequencies, random or trained (SAM, NCSN++)",
      parse_fourier_features,
      {R"({"scheme":"fourier_features","frequencies":[[0.5,-1.25,"1/3"],[-0.75,0,2]],"frequency_scale":"2pi","grid":[6],"position_scale":"1/3","position_offset":"-5/6"})",
       R"({"scheme":"fourier_features","frequencies":[[16.1,-3.7]],"frequencies_dtype":"float32","layout":"interleaved","order":"cos_sin"})"}};
}

}  // namespace vernier
