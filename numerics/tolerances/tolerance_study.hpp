#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "numerics/formats/tensor.hpp"
#include "numerics/tolerances/frequency_order.hpp"
#include "numerics/tolerances/rotation_errors.hpp"
#include "numerics/tolerances/tolerance.hpp"
#include "reference/schemes/encoding.hpp"

namespace vernier {

/// What a tolerance is of: tensors, at which positions, computed in which order, and compared with what.
struct ToleranceQuestion {
  std::shared_ptr<const Encoding> encoding;  ///< has a table of sines and cosines
  PositionRange positions;
  ElementType type = ElementType::float32;                     ///< of the tensors that are compared
  const Contract* contract = nullptr;                          ///< that the table keeps
  std::optional<program::Program> frequencies = std::nullopt;  ///< what frequency_orders() says of them
  std::optional<RotationOrder> rotation = std::nullopt;        ///< of rotated vectors; nothing: of the table
  Expected expected = Expected::certified;                     ///< the same table: of rotated vectors alone

  Format stored() const { return *traits(type).format; }
};

/// What no honest implementation exceeds at positions up to the farthest of an octave.
struct OctaveErrors {
  PositionOctave positions;
  GreatestErrors errors;
  Tolerance smallest;
  double greatest_difference = 0;  ///< from what is compared with
};

/// What no honest implementation exceeds.
struct ToleranceStudy {
  std::vector<OctaveErrors> octaves;  ///< at least one, the nearest positions first
  double greatest_value = 1;          ///< no element is larger, but for errors
  double full_scale = 1;              ///< the amplitude times the largest input

  /// Of all positions: errors grow with the position.
  const OctaveErrors& whole() const { return octaves.back(); }
  /// The first octave where the bound is more than a quarter of full scale, so that a tolerance of this size
  /// tells little.
  const OctaveErrors* first_loose() const;
};

ToleranceStudy study_tolerance(const ToleranceQuestion& question);

}  // namespace vernier
