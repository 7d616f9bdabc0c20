#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "reference/encoding.hpp"
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

/// What an encoding is besides if it defines such tables.
class RealTables {
 public:
  RealTables() = default;
  RealTables(const RealTables&) = delete;
  RealTables& operator=(const RealTables&) = delete;
  virtual ~RealTables() = default;

  /// One for each shape in which implementations lay it out: several may share a role.
  virtual std::vector<RealTable> real_tables() const = 0;
};

/// The tables of an encoding that are of this kind; empty if it has none.
std::vector<RealTable> real_tables(const Encoding& encoding);

}  // namespace vernier
