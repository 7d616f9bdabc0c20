#pragma once

#include <string>
#include <vector>

#include "numerics/elements/placed_elements.hpp"
#include "reference/schemes/encoding.hpp"

namespace vernier {

/// A tensor that an encoding defines, at some positions.
struct PlacedTensor {
  std::string role;
  Shape shape;
  TensorDefinition definition;

  /// The table of sines of one position that it is, whose rows RoundedTable writes; else null.
  const TrigTable* plain_table() const;
};

/// Which tensor is wanted. Empty or zero: any.
struct TensorWish {
  std::string role = {};
  std::size_t columns = 0;
  std::size_t queries = 0;  ///< of biases: see shape_of()
  Rational factor = 1;      ///< of sines: what multiplies them
};

/// All that are meant by the wish, plain tables of sines first. \param positions how many
std::vector<PlacedTensor> placed_tensors(const Encoding& encoding, std::size_t positions,
                                         const TensorWish& wish);

/// The first of them. \param source what to call the wish in errors \throws InputError naming those that
/// there are
PlacedTensor first_tensor(const Encoding& encoding, std::size_t positions, const TensorWish& wish,
                          const std::string& source);

}  // namespace vernier
