#include "reference/schemes/binary.hpp"

#include <algorithm>
#include <array>

#include <fmt/core.h>

#include "reference/schemes/schemes.hpp"

namespace vernier {
namespace {

using BitOrder = BinarySpec::BitOrder;

constexpr std::int64_t most_bits = 1024;
constexpr std::array<std::string_view, 2> bit_order_names{"most_significant_first",
                                                          "least_significant_first"};

/// Beyond this many bits every position fits.
constexpr std::int64_t bits_of_positions = 32;

std::unique_ptr<Encoding> parse_binary(ObjectReader& reader) {
  BinarySpec spec;
  spec.bits = reader.integer("bits", 1, most_bits);
  spec.bit_order =
      static_cast<BitOrder>(reader.choice("bit_order", {bit_order_names[0], bit_order_names[1]}, 0));
  return std::make_unique<BinaryEncoding>(spec);
}

}  // namespace

std::int64_t BinarySpec::digit(std::int64_t position, std::size_t column) const {
  const auto index = static_cast<std::int64_t>(column);
  const auto weight = bit_order == BitOrder::most_significant_first ? bits - 1 - index : index;
  return weight < bits_of_positions ? (position >> weight) & 1 : 0;
}

std::vector<TensorDefinition> BinaryEncoding::define_tensors() const {
  const auto factor = [spec = spec_](std::int64_t position, std::size_t column) {
    return Rational(spec.digit(position, column));
  };
  const auto last = (std::int64_t{1} << std::min(spec_.bits, bits_of_positions)) - 1;
  return {ExactTable{.role = "encoding",
                     .columns = static_cast<std::size_t>(spec_.bits),
                     .factor = factor,
                     .first_position = 0,
                     .last_position = last}};
}

std::string BinaryEncoding::summary() const {
  return fmt::format("binary digits of the position, {}{}", spec_.bits,
                     spec_.bit_order == BitOrder::most_significant_first ? ", most significant first"
                                                                         : ", least significant first");
}

OrderedJson BinaryEncoding::spec() const {
  return {{"scheme", "binary"},
          {"bits", spec_.bits},
          {"bit_order", bit_order_names[static_cast<std::size_t>(spec_.bit_order)]}};
}

Scheme binary_scheme() {
  return {"binary",
          "the binary digits of the position, one a column",
          parse_binary,
          {R"({"scheme":"binary","bits":9})"}};
}

}  // namespace vernier
