#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "reference/real.hpp"

namespace vernier {

/// A table that is neither one of sines at a single position (`TrigTable`) nor one of exact factors
/// (`ValueTable`): any real numbers, entry by entry.
struct RealTable {
  std::string role;         ///< the tensor's name: "cos", "cos_k", "scale"
  std::size_t columns = 0;  ///< >= 1
  /// \param position within +-2^31 \param column < columns
  /// \throws InputError for a position without a row
  std::function<Real(std::int64_t position, std::size_t column)> entry;
};

}  // namespace vernier
