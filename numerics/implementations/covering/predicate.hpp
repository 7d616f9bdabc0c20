#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "numerics/implementations/covering/coordinates.hpp"

namespace vernier {

enum class Relation : std::uint8_t {
  at_least,
  at_most,
  equal,
  unequal,
  multiple,      ///< x = value modulo modulus
  not_multiple,  ///< x differs from value modulo modulus
  in_tail        ///< of `from_end`: the rows that fill no tile of `modulus` rows
};

/// A condition on one coordinate.
struct Atom {
  Coordinate coordinate = Coordinate::rows;
  Relation relation = Relation::at_least;
  std::int64_t value = 0;
  std::int64_t modulus = 1;

  bool holds(const Coordinates& values) const;
  friend bool operator==(const Atom&, const Atom&) = default;
};

/// All of these; of none it holds everywhere.
using Predicate = std::vector<Atom>;

bool holds(const Predicate& predicate, const Coordinates& values);
/// Whether those of its conditions hold that a question decides alone, so that some of its vectors may be
/// met.
bool may_hold(const Predicate& predicate, const Coordinates& question);

/// \name As text that a program reads: "rows>=33 head>=1 position%256==0"; empty for none
/// @{
std::string to_text(const Predicate& predicate);
/// \throws InputError for what is no predicate
Predicate parse_predicate(std::string_view text);
/// @}

/// As a clause after "wrong ": "from row 32 on in every head but the first". \pre not empty
std::string words_of(const Predicate& predicate);

}  // namespace vernier
