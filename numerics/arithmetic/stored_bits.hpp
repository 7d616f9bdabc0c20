#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "numerics/arithmetic/rounding.hpp"
#include "numerics/tensors/case.hpp"
#include "reference/frequencies/frequencies.hpp"

namespace vernier {

/// The sine and the cosine that a table stores of one position and pair.
struct StoredSine {
  double sine = 0;
  double cosine = 0;

  bool has_bits_of(const StoredSine& other) const {
    return same_bits(sine, other.sine) && same_bits(cosine, other.cosine);
  }
};

/// Tables of sines and cosines as bits: what a computation has to predict.
struct StoredTable {
  Format format = Format::binary32;
  bool has_sines = false;
  bool has_cosines = false;
  std::vector<std::int64_t> positions;  ///< one a row, the furthest from 0 first; each may come again
  std::vector<StoredSine> elements;     ///< row by row, pair by pair; 0 of what it has none of
  std::size_t pairs = 0;
  std::size_t repeated = 0;  ///< elements that are stored again, in another column or row, with other bits

  /// How many numbers are stored.
  std::size_t numbers() const {
    return elements.size() * (std::size_t{has_sines} + std::size_t{has_cosines});
  }
  const StoredSine& element(std::size_t row, std::size_t pair) const { return elements[row * pairs + pair]; }
};

/// A pair of a vector, and what a rotation made of it: y0 = x0 cos + sign s x1 sin, y1 = x1 cos - sign x0
/// sin.
struct TurnedPair {
  double x0;
  double x1;
  double y0;
  double y1;
};

/// The vectors of one tensor.
struct StoredVectors {
  std::string role;  ///< "rotated", "input_gradient"
  Format input = Format::binary32;
  Format output = Format::binary32;
  double sign = -1;                          ///< of x1 sin in y0: -1 where pairs turn counter-clockwise
  std::vector<std::int64_t> positions = {};  ///< each once, the furthest from 0 first
  std::vector<std::vector<TurnedPair>> pairs = {};  ///< for each position: vector by vector, pair by pair
  std::size_t pairs_of_vector = 0;                  ///< of one vector

  /// How many pairs there are in all.
  std::size_t count() const;
};

/// What a case stores of one encoding.
struct StoredBits {
  std::string name;
  Frequencies frequencies;
  double amplitude = 1;
  std::int64_t context = 0;  ///< positions 0 .. context-1 are declared, or as far as the tensors go
  std::vector<StoredTable> tables = {};     ///< one or none
  std::vector<StoredVectors> vectors = {};  ///< one a tensor

  /// How many numbers are stored.
  std::size_t numbers() const;
};

/// \throws InputError for a case of no plain table of sines and no vectors rotated by one
StoredBits stored_bits(const Case& judged);

}  // namespace vernier
