#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "numerics/formats/tensor.hpp"
#include "reference/encoding.hpp"
#include "reference/real.hpp"

namespace vernier {

/// A tensor that an encoding defines and that is no table of sines at one position: values, real tables,
/// slopes, biases or buckets, element by element.
struct ReferenceTensor {
  std::string role;
  Shape shape;
  /// An element as a real number; empty for buckets. \param index the last of the tensor's indices fastest
  std::function<Real(std::size_t index)> real = {};
  /// An element as the integer it is; nothing if it is none; empty where elements are never integers.
  std::function<std::optional<std::int64_t>(std::size_t index)> integer = {};

  std::size_t elements() const;
};

/// The tensors that are defined so, of an encoding. \param positions one a row of values, one a key of
/// biases, relative ones for buckets \param queries zero for biases of the last query, [heads, keys]; else
/// [heads, queries, keys] \throws InputError for more queries than positions
std::vector<ReferenceTensor> reference_tensors(const std::vector<TensorDefinition>& definitions,
                                               const std::vector<std::int64_t>& positions,
                                               std::size_t queries);

/// Appends elements [first, last) of a tensor, each the one of its type nearest to the truth, little-endian.
/// \throws InputError for an element that is undecided at the cap of Ziv's loop, or that the type cannot
/// hold: too large for it where no overflow is declared, or no integer
void append_rounded(const ReferenceTensor& tensor, ElementType type, std::size_t first, std::size_t last,
                    std::vector<std::byte>& bytes, Overflow overflow = Overflow::undeclared);

}  // namespace vernier
