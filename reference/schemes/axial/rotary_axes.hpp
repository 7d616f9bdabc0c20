#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "reference/frequencies/frequency_families.hpp"
#include "reference/schemes/axial/axial_tensors.hpp"

namespace vernier {

/// The part of a head that turns by one axis. Its frequencies are those of a head as wide, from 1 on.
struct RotaryAxis {
  std::int64_t dims = 2;
  Rational rope_theta = 10000;
  RopeScaling scaling = Unscaled{};                         ///< one that leaves the amplitude at 1
  std::optional<BoundedFrequencies> bounds = std::nullopt;  ///< of other frequencies than a base has
  RealPositions positions = {};                             ///< all axes have one unit

  /// \param theta_of_all, positions_of_all what the spec says of all axes \param is_pooled whether tokens
  /// stand for several places, so that frequencies are those of a base
  void keys(KeyVisitor& visit, const Rational& theta_of_all, const RealPositions& positions_of_all,
            bool is_pooled);
  int pairs() const { return static_cast<int>(dims / 2); }
};

/// Rotary encoding over axes that the spec lists (FLUX, Wan, HunyuanVideo, Lumina: their time, height and
/// width). A token has a position on each axis, in the order of the list; one that is said to have a single
/// position is numbered along the grid or, without a grid, has it on every axis, as text does.
struct RotaryAxesSpec {
  /// blocks: the pairs of the first axis, then those of the second. alternating: the first pair of every
  /// axis, then the second of every axis; the axes are equally wide. mixed: none of these, see RotaryMixSpec.
  enum class Arrangement { blocks, alternating, mixed };
  /// half and interleaved as in RoPE, of all that rotates. half_per_axis: half within the block of each axis.
  enum class Layout { half, interleaved, half_per_axis };

  static constexpr std::string_view scheme = "axial_rope";

  std::int64_t head_dim = 4;  ///< what the axes leave passes through
  std::vector<RotaryAxis> axes;
  Arrangement arrangement = Arrangement::blocks;
  Layout layout = Layout::interleaved;
  /// How the columns of cos and sin lie that dimensions are multiplied by. Where it is not `layout` the two
  /// dimensions of a pair turn by different phases, which is no rotation: V-JEPA 2 was trained so.
  Layout table_layout = Layout::interleaved;
  /// Dimensions before and behind those of the axes that are turned by nothing: cosine 1, sine 0
  /// (LTX-Video has those in front that six does not divide).
  std::int64_t identity_front = 0;
  std::int64_t identity_back = 0;
  std::vector<std::int64_t> grid;  ///< lengths of all axes but the first; or empty
  std::vector<std::int64_t> pool;  ///< of each axis, how many places a token stands for; or empty
  RotationOperation operation = RotationOperation::forward;

  void keys(KeyVisitor& visit);
  std::string summary() const;
  /// cos and sin by several positions, each with one column a pair and with one column a dimension; the
  /// rotation, unless tokens stand for several places (pooled()).
  std::vector<TensorDefinition> tensors() const;
  const PositionMap& positions_along(std::size_t axis) const;
  /// Of the axes, and what is turned by nothing.
  int rotary_dim() const;

 private:
  /// Refuses axes and layouts that do not go together.
  void require_fit(KeyVisitor& visit) const;
  void require_poolable(KeyVisitor& visit) const;
  /// As if columns and pairs lay in the same layout.
  AxialTensors tensors_in(Layout of_both) const;
};

/// The tables of tokens that stand for blocks of places, as models of video give their history (FramePack,
/// Helios; diffusers, center_down_sample_3d): each cosine and sine is the average over the block. Blocks that
/// reach beyond the grid repeat its last place. Positions are numbers of blocks along the grid of blocks, or
/// one number on every axis. An average of turns is no rotation, so that there are cos and sin only.
/// \param axes of the places, not scaled \param of_places their tables
std::vector<TensorDefinition> pooled(const RotaryAxesSpec& axes, const std::vector<TurnedTable>& of_places);

}  // namespace vernier
