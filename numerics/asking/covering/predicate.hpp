#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "numerics/asking/covering/coordinates.hpp"

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

/// That of a division whose quotient is rounded down: of [0, modulus).
inline std::int64_t remainder_of(std::int64_t x, std::int64_t modulus) {
  return (x % modulus + modulus) % modulus;
}

/// A condition on one coordinate.
struct Atom {
  Coordinate coordinate = Coordinate::rows;
  Relation relation = Relation::at_least;
  std::int64_t value = 0;
  std::int64_t modulus = 1;

  bool holds(const Coordinates& values) const;
  friend bool operator==(const Atom&, const Atom&) = default;
};

/// Whether it is about what was asked before.
inline bool is_history(const Atom& atom) {
  return traits(atom.coordinate).kind == CoordinateKind::history;
}

/// All of these; of none it holds everywhere.
using Predicate = std::vector<Atom>;

bool holds(const Predicate& predicate, const Coordinates& values);
/// Whether those of its conditions hold that a question decides alone, so that some of its vectors may be
/// met.
bool may_hold(const Predicate& predicate, const Coordinates& question);

/// As text that a program reads: "rows>=33 head>=1 position%256==0"; empty for none.
std::string to_text(const Predicate& predicate);

/// As a clause after "wrong ": "from row 32 on in every head but the first". \pre not empty
std::string words_of(const Predicate& predicate);

/// Where a fault shows nothing of itself in a vector that it meets, as what it computes is right there.
enum class Masking : std::uint8_t {
  none,
  start,          ///< at position 0, where nothing is turned
  row_index,      ///< where the position is the number of the row
  counting,       ///< where it is that of the first row and one more a row
  first_row,      ///< where it is that of the first row
  previous_row,   ///< where it is that of the row before
  first_batch,    ///< where it is that of the same row in the first batch
  last_question,  ///< where it is that of the same row in the last question, or that has no such row
};
inline constexpr std::size_t masking_count = static_cast<std::size_t>(Masking::last_question) + 1;

/// As a clause after where it is wrong: ", but right where the position is the number of the row"; empty for
/// none and for position 0.
std::string words_of(Masking masking);

}  // namespace vernier
