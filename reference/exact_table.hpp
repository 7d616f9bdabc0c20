#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "reference/rational.hpp"
#include "reference/real.hpp"
#include "reference/trig_table.hpp"

namespace vernier {

/// An absolute encoding that is not a plain table of sines: T[p][c] = factor(p, c), or factor(p, c) times an
/// entry of a table of sines. The factor is rational and exact, whatever the scheme.
struct ExactTable {
  /// How implementations come by a factor, which is what budgets need to know. lookup: it is an integer or
  /// read from memory. quotient: a division of integers, or a product with a rounded reciprocal.
  enum class Making { lookup, quotient };

  std::string role;         ///< the tensor's name in a case: "encoding"
  std::size_t columns = 0;  ///< >= 1
  /// The factor of any position at which the table is defined. \param column < columns
  std::function<Rational(std::int64_t position, std::size_t column)> factor;
  Making making = Making::lookup;
  std::optional<std::int64_t> first_position = std::nullopt;  ///< no row before it is defined
  std::optional<std::int64_t> last_position = std::nullopt;   ///< nor any after it
  std::optional<TrigTable> sines = std::nullopt;              ///< `columns` columns
  /// Positions beyond it have the sines of this one.
  std::optional<std::int64_t> last_sine_position = std::nullopt;

  bool defined(std::int64_t position) const;
  /// \throws InputError saying which positions have a row, if this one has none: a table never clamps
  void require(std::int64_t position) const;
  /// The position whose sines an entry of `position` has.
  std::int64_t sine_position(std::int64_t position) const;
  /// The entry as a real number; a point unless there are sines, or the factor has no finite binary
  /// expansion. \param position within +-2^31 \param column < columns
  /// \throws InputError for a position without a row
  Real entry(std::int64_t position, std::size_t column) const;
};

}  // namespace vernier
