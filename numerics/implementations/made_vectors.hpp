#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "numerics/cases/quantization.hpp"
#include "numerics/formats/tensor.hpp"

namespace vernier {

/// Vectors to rotate, [rows, width], exact in their type, of magnitude below 4, each bit of the significand
/// used, some elements zero and some powers of two, where other paths are taken.
///
/// They have the type of the results, unless that only stores: then they are float32, and exact in bfloat16
/// too, so that kernels that compute in either are asked the same. They are smaller by a power of two that
/// makes up for the factor of a quantization: what is stored stays within the format.
Tensor made_vectors(ElementType of_results, std::size_t rows, std::size_t width, std::uint64_t seed,
                    const std::optional<Quantization>& quantization);

/// e >= 0 such that 2^-e makes up for the factor of a quantization.
int exponent_of(const std::optional<Quantization>& quantization);

}  // namespace vernier
