#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "numerics/recovery/phase_model.hpp"
#include "numerics/recovery/tone.hpp"
#include "numerics/table_tensor.hpp"

namespace vernier {

/// The frequency that explains one pair of a float32 table.
struct PairAttribution {
  double candidate = 0;  ///< see PhaseModel
  double frequency = 0;  ///< in radians a position
  /// How far the points lie from (cos, sin) of the model's phases, in units of u A: nine tenths of them are
  /// no further off. Infinite where the pair has no tone.
  double residual = 0;
};

/// Where the errors of a table come from: the shares of the three causes in the sum of squared errors,
/// signed, which add up to one. An error is the sum of what the frequency makes of the truth, of what the
/// rounding of the phase makes of that, and of the rest: the trigonometry and the rounding to storage.
struct ErrorShares {
  double frequency = 0;
  double phase = 0;
  double trigonometry = 0;
};

/// The phases behind the tables of a case, as far as they can be told.
struct Attribution {
  /// The tone of every pair; nothing where a pair has none, or not both its components.
  std::vector<std::optional<Tone>> tones;
  /// Null unless `pairs` explain the tables: 99 of 100 measured pairs lie within `certified_residual`.
  std::unique_ptr<PhaseModel> model;
  std::vector<PairAttribution> pairs;  ///< of the model; else of the model that explains most pairs
  double amplitude = 1;                ///< the declared one, where the points agree with it; else as measured
  std::optional<ErrorShares> shares;   ///< with a model alone

  bool certified() const { return model != nullptr; }
  bool explains(int pair) const;
};

/// The residual, in units of u A, that attributes a pair: sine and cosine each within 2 ulp at 1, which are
/// 4u, lie within 4 sqrt(2) u = 5.7 u of the point; rounded up. An amplitude other than 1 is rounded, and so
/// is the product with it: 2u more.
double certified_residual(double amplitude);

/// Measures the tone of every complete pair.
std::vector<std::optional<Tone>> measure_tones(std::span<const TableTensor> tables,
                                               std::span<const std::int64_t> positions);

/// Finds the float32 frequencies and the model of the phases that explain the tables: per pair the candidate
/// whose points are the fewest ulp off, over all models the one that explains most pairs. Without a
/// certificate the shares would mean nothing, and there are none. \param tables of one case, stored in
/// float32
Attribution attribute_phases(std::span<const TableTensor> tables, std::span<const std::int64_t> positions);

}  // namespace vernier
