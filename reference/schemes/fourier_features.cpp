#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include <fmt/core.h>
#include <fmt/ranges.h>

#include "reference/keys/parameters.hpp"
#include "reference/schemes/axial/axial_tensors.hpp"
#include "reference/schemes/encoding_of.hpp"
#include "reference/schemes/learned_frequencies.hpp"
#include "reference/schemes/real_positions.hpp"
#include "reference/schemes/schemes.hpp"
#include "reference/schemes/sinusoid_keys.hpp"
#include "reference/tables/mixed_axes.hpp"

namespace vernier {
namespace {

constexpr std::array<std::string_view, 2> features_layout_names{"halves", "interleaved"};

/// Sines and cosines of a token's positions times a matrix of given frequencies, random or trained: the phase
/// of pair i is the sum over the axes a of p_a w_(a,i) (Tancik et al. 2020). The prompts of SAM have two axes
/// (segment_anything/modeling/prompt_encoder.py, PositionEmbeddingRandom), the noise levels of NCSN++ one
/// (models/layerspp.py, GaussianFourierProjection). Phases b may be added (Kazemi et al. 2019, Time2Vec:
/// sin(w t
/// + b); Rahimi and Recht 2007): they are the frequencies of one more axis, behind all others, along which
/// every token is at 1.
struct FourierFeaturesSpec {
  /// halves: all first components, then all second ones. interleaved: each pair in two neighbouring columns.
  enum class Layout { halves, interleaved };

  static constexpr std::string_view scheme = "fourier_features";

  LearnedFrequencies frequencies;  ///< a row an axis, a column a pair
  FourierFeaturesSpec::Layout layout = FourierFeaturesSpec::Layout::halves;
  PairOrder order = PairOrder::sin_cos;
  std::vector<RealPositions> positions;  ///< one an axis, all of one unit
  std::vector<std::int64_t> grid;        ///< lengths of all axes but the first; or empty
  std::vector<Rational> phases;          ///< b, one a pair, before frequency_scale; or empty
  RealPositions at_one;                  ///< of the axis of phases

  void keys(KeyVisitor& visit) {
    frequencies.keys(visit);
    const auto axes = frequencies.axes();
    visit.defaulted("layout", layout, one_of(features_layout_names));
    visit_pair_order(visit, order);
    visit_mixed_positions(visit, positions, axes);
    visit_grid(visit, grid, axes);
    visit_phases(visit);
  }

  std::string summary() const {
    return fmt::format("Fourier features, {}{}, {}{}{}{}", frequencies.summary(),
                       phases.empty() ? "" : " with phases",
                       features_layout_names[static_cast<std::size_t>(layout)],
                       order == PairOrder::cos_sin ? ", cosine first" : "", summary_of_mixed(positions),
                       grid.empty() ? "" : fmt::format(", grid {}", fmt::join(grid, " x ")));
  }

  std::vector<TensorDefinition> tensors() const {
    const auto all_columns = columns();
    const auto& map = positions.front().map;
    auto axes = positions_along_axes(frequencies.axes(), grid, map.unit());
    auto all_frequencies = frequencies;
    auto along = positions;
    if (!phases.empty()) {
      all_frequencies.values.push_back(phases);
      along.push_back(at_one);
      ++axes.count;
      const auto one = as_integer(Rational(1 / map.unit())).value_or(0);
      axes.of_position = [of_others = std::move(axes.of_position), one](std::int64_t position) {
        auto result = of_others(position);
        result->push_back(one);
        return result;
      };
    }
    for (const auto& of_axis : along) {
      axes.maps.push_back(of_axis.map);
    }
    return {TurnedTable({"encoding", all_frequencies.joined(along), 1, all_columns, std::nullopt, map},
                        {std::vector<int>(all_columns.size(), all_axes), std::move(axes)})};
  }

  const PositionMap& positions_along(std::size_t axis) const {
    return axis < positions.size() ? positions[axis].map : at_one.map;
  }

 private:
  void visit_phases(KeyVisitor& visit) {
    static const NumberRange each{-1'000'000, 1'000'000,
                                  "a number from -1e6 to 1e6, or one written as text (\"1/4\")"};
    const auto pairs = static_cast<std::size_t>(frequencies.pairs());
    visit.optional(
        "phases", phases,
        list_of(each, of_size(pairs), fmt::format("an array of {} numbers, one for each pair", pairs)));
    if (phases.empty()) {
      return;
    }
    require_unit_of_axes(visit, positions.front());
    visit.require(
        std::ranges::all_of(positions, [](const auto& one) { return one.map.scale().power_of_pi == 0; }),
        "position_scale", "a number without pi, as phases have none; frequency_scale may have it");
    const auto& factor = positions.front().frequency_scale;
    visit.require(
        std::ranges::all_of(positions, [&](const auto& one) { return one.frequency_scale == factor; }),
        "axes", "axes that all have one frequency_scale, as it multiplies the phases too");
    if (visit.fills()) {
      at_one = with_unit_of(positions.front());
      at_one.frequency_scale = positions.front().frequency_scale;
    }
  }

  std::vector<Column> columns() const {
    auto columns = interleaved_pairs(frequencies.pairs(), order);
    if (layout == Layout::halves) {
      std::ranges::stable_partition(columns, [first = columns.front().component](const Column& column) {
        return column.component == first;
      });
    }
    return columns;
  }
};

}  // namespace

std::vector<Scheme> fourier_features_schemes() {
  return schemes_of<FourierFeaturesSpec>();
}

}  // namespace vernier
