#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "numerics/cases/mixed_row.hpp"
#include "reference/certified_scale.hpp"
#include "reference/certified_table.hpp"
#include "reference/head_rotation.hpp"

namespace vernier {

/// What a rotation does to one row of vectors, certified, pair by pair: each has the position along its
/// axis, and the scale of that position.
class TurnedRow {
 public:
  /// \param positions one a row, where rows have one \param by_axis along each axis, one a row, where they
  /// have several; both outlive it
  TurnedRow(const HeadRotation& rotation, std::span<const std::int64_t> positions,
            std::span<const std::vector<std::int64_t>> by_axis);

  void go_to(std::size_t row);

  /// Where pairs turn by all axes, that along the first.
  std::int64_t position(std::size_t pair) const { return positions_of_pairs_[pair]; }
  /// Times the amplitude, and not the scale.
  const Enclosure& cosine(std::size_t pair) const { return cosine_[pair]; }
  const Enclosure& sine(std::size_t pair) const { return sine_[pair]; }
  /// One where the rotation has no scale; nothing where it is too large or too small to be enclosed.
  const std::optional<Enclosure>& scale(std::size_t pair) const { return scales_[pair]; }
  /// The places of the row where pairs turn by all axes, one an axis; else null.
  const std::vector<std::int64_t>* mixed_places() const { return mixed_ ? &mixed_->places() : nullptr; }
  /// \pre the rotation has a scale
  bool is_growth(std::size_t pair) const {
    return scale_->is_growth(positions_of_pairs_[pair], static_cast<int>(pair));
  }

 private:
  std::vector<int> axes_of_pairs_;
  std::vector<std::span<const std::int64_t>> by_axis_;
  std::vector<CertifiedTable> tables_;  ///< one an axis, all pairs as if they turned by its position
  std::optional<MixedRow> mixed_;       ///< in place of them where pairs turn by all axes
  std::optional<CertifiedScale> scale_;
  std::vector<std::int64_t> positions_of_pairs_;
  std::vector<Enclosure> cosine_;
  std::vector<Enclosure> sine_;
  std::vector<std::optional<Enclosure>> scales_;
  std::vector<Enclosure> cosines_of_axis_;
  std::vector<Enclosure> sines_of_axis_;
};

}  // namespace vernier
