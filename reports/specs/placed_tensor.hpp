#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <variant>
#include <vector>

#include "numerics/cases/reference_tensor.hpp"
#include "reference/encoding.hpp"

namespace vernier {

/// A tensor that an encoding defines, at some positions.
struct PlacedTensor {
  std::string role;
  Shape shape;
  std::variant<TrigTable, ReferenceTensor> definition;

  /// Whether its elements are integers by definition: buckets.
  bool is_exact() const;
};

/// Which tensor is wanted. Empty or zero: any.
struct TensorWish {
  std::string role = {};
  std::size_t columns = 0;
  std::size_t queries = 0;  ///< of biases: see reference_tensors()
  Rational factor = 1;      ///< of sines: what multiplies them
};

/// The positions of the rows. They are listed for tensors that are no tables of sines only: those are written
/// row by row.
struct WishedPositions {
  std::int64_t count = 0;
  std::function<std::vector<std::int64_t>()> listed;
};

/// All that are meant by the wish, tables of sines first.
std::vector<PlacedTensor> placed_tensors(const Encoding& encoding, const WishedPositions& positions,
                                         const TensorWish& wish);

/// The first of them. \param source what to call the wish in errors \throws InputError naming those that
/// there are
PlacedTensor first_tensor(const Encoding& encoding, const WishedPositions& positions, const TensorWish& wish,
                          const std::string& source);

}  // namespace vernier
