#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "numerics/identification/attribution.hpp"
#include "numerics/views/row_view.hpp"

namespace vernier {

/// What one stage of a computation has to do with the errors of a tensor.
struct StageError {
  std::string_view stage;  ///< "frequency"
  double share = 0;        ///< signed, of the sum of squared errors
  double greatest = 0;     ///< the greatest error that it makes by itself, absolute
  double left = 0;         ///< the greatest error that would be left were it exact, absolute
};

/// The errors of a tensor, split by stage. Of every element
///
///   got - A trig(p w) =  A trig(p w') - A trig(p w)   the frequency, w' as recovered
///                      + A trig(f) - A trig(p w')     the phase, f as the model of phases rounds it
///                      + A' trig(f) - A trig(f)       the amplitude, A' as measured
///                      + R(v) - v, v = A' trig(f)     the storage, R to the nearest of the stored format
///                      + got - R(v)                   the trigonometry: whatever it makes beyond that,
///
/// so that nothing is left over, and the shares add up to one.
struct ErrorSplit {
  std::uint64_t elements = 0;      ///< those of the rows looked at whose phase is known
  double greatest = 0;             ///< the greatest error of these
  std::vector<StageError> stages;  ///< in the order of the computation
};

/// Splits the errors of each table, in at most 4096 rows. Values are those of the C library in extended
/// precision, whose errors are below 2^-30 of any that float32 makes. \param tables of one case, all with the
/// frequencies of the first \param attribution of that case, certified
std::vector<ErrorSplit> split_errors(std::span<const TensorPart> tables,
                                     std::span<const std::int64_t> positions, const Attribution& attribution);

}  // namespace vernier
