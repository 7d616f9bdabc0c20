#include "reference/schemes/binary.hpp"

#include <algorithm>
#include <array>

#include <fmt/core.h>

#include "reference/schemes/encoding_of.hpp"
#include "reference/schemes/schemes.hpp"

namespace vernier {
namespace {

constexpr std::int64_t most_bits = 1024;
constexpr std::array<std::string_view, 2> bit_order_names{"most_significant_first",
                                                          "least_significant_first"};

/// Beyond this many bits every position fits.
constexpr std::int64_t bits_of_positions = 32;

}  // namespace

void BinarySpec::keys(KeyVisitor& visit) {
  visit.required("bits", bits, integer(1, most_bits));
  visit.defaulted("bit_order", bit_order, one_of(bit_order_names));
}

std::int64_t BinarySpec::digit(std::int64_t position, std::size_t column) const {
  const auto index = static_cast<std::int64_t>(column);
  const auto weight = bit_order == BitOrder::most_significant_first ? bits - 1 - index : index;
  return weight < bits_of_positions ? (position >> weight) & 1 : 0;
}

std::vector<TensorDefinition> BinarySpec::tensors() const {
  const auto factor = [spec = *this](std::int64_t position, std::size_t column) {
    return Rational(spec.digit(position, column));
  };
  return {ExactTable{.role = "encoding",
                     .columns = static_cast<std::size_t>(bits),
                     .factor = factor,
                     .first_position = 0,
                     .last_position = (std::int64_t{1} << std::min(bits, bits_of_positions)) - 1}};
}

std::string BinarySpec::summary() const {
  return fmt::format("binary digits of the position, {}{}", bits,
                     bit_order == BitOrder::most_significant_first ? ", most significant first"
                                                                   : ", least significant first");
}

std::vector<Scheme> binary_schemes() {
  return schemes_of<BinarySpec>();
}

}  // namespace vernier
