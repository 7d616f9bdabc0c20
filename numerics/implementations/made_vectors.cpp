#include "numerics/implementations/made_vectors.hpp"

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "numerics/implementations/number_tensor.hpp"

namespace vernier {
namespace {

/// Uniform on [0, 1), the same with every standard library.
double uniform(std::mt19937_64& generator) {
  return std::ldexp(static_cast<double>(generator() >> 11), -53);
}

}  // namespace

int exponent_of(const std::optional<Quantization>& quantization) {
  const double factor = quantization ? quantization->approximate_factor() : 1;
  return factor > 1 ? static_cast<int>(std::ceil(std::log2(factor))) : 0;
}

Tensor made_vectors(ElementType of_results, std::size_t rows, std::size_t width, std::uint64_t seed,
                    const std::optional<Quantization>& quantization) {
  const bool only_stores = traits(*traits(of_results).format).is_storage_only();
  const auto type = only_stores ? ElementType::float32 : of_results;
  const auto precision = traits(only_stores ? Format::bfloat16 : *traits(type).format).precision;
  const int smaller = exponent_of(quantization);
  std::mt19937_64 generator(seed);
  std::vector<double> values(rows * width);
  for (auto& value : values) {
    // Half an ulp of eight bits proves nothing of a pair of zeros.
    const auto kind = std::max<std::uint64_t>(generator() % 16, only_stores ? 1 : 0);
    const double sign = generator() % 2 == 0 ? 1 : -1;
    double integer = std::floor(std::ldexp(uniform(generator), precision));
    if (only_stores) {
      // In the upper half, and odd: no tie between two numbers of eight bits, which any of both could be.
      integer = std::floor(std::ldexp(integer, -2)) * 2 + std::ldexp(1.0, precision - 1) + 1;
    }
    const double magnitude = kind == 0   ? 0
                             : kind == 1 ? std::ldexp(1.0, static_cast<int>(generator() % 8) - 6)
                                         : std::ldexp(integer, 2 - precision);
    value = sign * std::ldexp(magnitude, -smaller);
  }
  return number_tensor(type, {rows, width}, values);
}

}  // namespace vernier
