#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "reference/numbers/rational.hpp"
#include "reference/numbers/real.hpp"
#include "reference/tables/trig_table.hpp"

namespace vernier {

/// A table by positions that is not a plain table of sines: T[p][c] = factor(p, c), or factor(p, c) times an
/// entry of a table of sines, or times a number that is computed. The factor is rational and exact, whatever
/// the scheme.
struct ExactTable {
  /// How implementations come by a factor, which is what budgets need to know. lookup: it is an integer or
  /// read from memory. quotient: a division of integers, or a product with a rounded reciprocal.
  enum class Making { lookup, quotient };

  std::string role;         ///< the tensor's name in a case: "encoding"
  std::size_t columns = 0;  ///< >= 1
  /// The factor of any position at which the table is defined. \param column < columns
  std::function<Rational(std::int64_t position, std::size_t column)> factor =
      [](std::int64_t /*position*/, std::size_t /*column*/) { return Rational(1); };
  Making making = Making::lookup;
  std::optional<std::int64_t> first_position = std::nullopt;  ///< no row before it is defined
  std::optional<std::int64_t> last_position = std::nullopt;   ///< nor any after it
  std::optional<TrigTable> sines = std::nullopt;              ///< `columns` columns
  /// Positions beyond it have the sines of this one.
  std::optional<std::int64_t> last_sine_position = std::nullopt;
  /// The number that a factor is multiplied by, if there are no sines: its roundings are those of the entry.
  std::function<ComputedReal(std::int64_t position, std::size_t column)> computed = nullptr;

  /// Whether entries are the factors.
  bool is_rational() const { return !sines && !computed; }
  bool defined(std::int64_t position) const {
    return (!first_position || position >= *first_position) && (!last_position || position <= *last_position);
  }
  /// \throws InputError saying which positions have a row, if this one has none: a table never clamps
  void require(std::int64_t position) const;
  /// The position whose sines an entry of `position` has.
  std::int64_t sine_position(std::int64_t position) const {
    return last_sine_position ? std::min(position, *last_sine_position) : position;
  }
  /// The computed number times the factor. \pre there is one
  ComputedReal computed_entry(std::int64_t position, std::size_t column) const;
  /// The entry as a real number; a point if it has a finite binary expansion. \param position within +-2^31
  /// \param column < columns \throws InputError for a position without a row
  Real entry(std::int64_t position, std::size_t column) const;
};

}  // namespace vernier
