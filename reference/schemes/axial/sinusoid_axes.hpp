#pragma once

#include <cstdint>
#include <vector>

#include "reference/schemes/sinusoidal.hpp"

namespace vernier {

/// Sinusoids of several positions side by side: the tables of images and videos (MAE, DiT, DETR, V-JEPA,
/// CogVideoX). A token has a position on each axis, in the order of the list; one that is said to have a
/// single position is numbered along the grid or, without a grid, has it on every axis.
struct SinusoidAxesSpec {
  /// per_axis: the columns of one axis behind those of another. across: the first components of all axes,
  /// then the second ones (timm: sines of rows, sines of columns, cosines of rows, cosines of columns).
  /// by_frequency: the first components of all axes of the first frequency, their second ones, then the next
  /// frequency's; the axes are equally wide (NeRF).
  enum class Arrangement { per_axis, across, by_frequency };

  static constexpr std::string_view scheme = "sinusoidal";

  std::int64_t d_model = 1;          ///< the sum of the axes' widths, or less: then the last columns are cut
  std::vector<SinusoidalSpec> axes;  ///< each as wide as its d_model, of positions in one unit
  std::vector<int> blocks;           ///< the axes in the order of their columns: of MAE the last comes first
  Arrangement arrangement = Arrangement::per_axis;
  std::vector<std::int64_t> grid;  ///< lengths of all axes but the first; or empty
  std::int64_t zero_prefix = 0;    ///< rows of zeros before the first position: -zero_prefix .. -1
  Rational scale = 1;

  void keys(KeyVisitor& visit);
  std::string summary() const;
  /// The table by several positions.
  std::vector<TensorDefinition> tensors() const;
  const PositionMap& positions_along(std::size_t axis) const { return axes[axis].positions.map; }
  PositionRange default_positions(std::int64_t rows) const { return {-zero_prefix, 1, rows}; }
  int width() const;

 private:
  void visit_axes(KeyVisitor& visit);
  PositionAxes position_axes() const;
};

}  // namespace vernier
