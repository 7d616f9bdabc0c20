#include "numerics/formats/tensor.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <cmath>
#include <cstring>
#include <functional>
#include <limits>
#include <utility>

#include <fmt/core.h>

#include "reference/support/word_list.hpp"

namespace vernier {
namespace {

static_assert(std::endian::native == std::endian::little,
              "tensor files are little-endian, and so is memory here");

constexpr std::array<ElementTraits, 16> element_table{{
    {ElementType::float64, "float64", 8, Format::binary64, "f8", "F64", 11, 28, "torch DoubleStorage"},
    {ElementType::float32, "float32", 4, Format::binary32, "f4", "F32", 1, 0, "torch FloatStorage"},
    {ElementType::float16, "float16", 2, Format::binary16, "f2", "F16", 10, 1, "torch HalfStorage"},
    {ElementType::bfloat16, "bfloat16", 2, Format::bfloat16, "", "BF16", 16, 30, "torch BFloat16Storage"},
    {ElementType::float8_e4m3fn, "float8_e4m3fn", 1, Format::float8_e4m3fn, "", "F8_E4M3"},
    {ElementType::float8_e5m2, "float8_e5m2", 1, Format::float8_e5m2, "", "F8_E5M2"},
    {ElementType::float8_e4m3fnuz, "float8_e4m3fnuz", 1, Format::float8_e4m3fnuz, "", "F8_E4M3FNUZ"},
    {ElementType::float8_e5m2fnuz, "float8_e5m2fnuz", 1, Format::float8_e5m2fnuz, "", "F8_E5M2FNUZ"},
    {ElementType::int8, "int8", 1, std::nullopt, "i1", "I8", 3, 24, "torch CharStorage"},
    {ElementType::int16, "int16", 2, std::nullopt, "i2", "I16", 5, 25, "torch ShortStorage"},
    {ElementType::int32, "int32", 4, std::nullopt, "i4", "I32", 6, 26, "torch IntStorage"},
    {ElementType::int64, "int64", 8, std::nullopt, "i8", "I64", 7, 27, "torch LongStorage"},
    {ElementType::uint8, "uint8", 1, std::nullopt, "u1", "U8", 2, std::nullopt, "torch ByteStorage"},
    {ElementType::uint16, "uint16", 2, std::nullopt, "u2", "U16", 4},
    {ElementType::uint32, "uint32", 4, std::nullopt, "u4", "U32", 12},
    {ElementType::uint64, "uint64", 8, std::nullopt, "u8", "U64", 13},
}};

bool is_signed_integer(ElementType type) {
  return type >= ElementType::int8 && type <= ElementType::int64;
}

std::optional<std::int64_t> integer_of(double value) {
  // Both bounds are powers of two and so doubles; the upper one is the first that does not fit.
  const bool fits = value >= -0x1p63 && value < 0x1p63 && value == std::trunc(value);
  return fits ? std::optional(static_cast<std::int64_t>(value)) : std::nullopt;
}

/// Reads elements, which may lie at any address.
template <class Element, class Decode>
void decode_each(std::span<const std::byte> bytes, std::span<double> out, Decode decode) {
  for (std::size_t i = 0; i < out.size(); ++i) {
    Element element;
    std::memcpy(&element, bytes.data() + i * sizeof(Element), sizeof(Element));
    out[i] = decode(element);
  }
}

}  // namespace

const ElementTraits& traits(ElementType type) {
  return element_table[static_cast<std::size_t>(type)];
}

std::span<const ElementTraits> element_types() {
  return element_table;
}

std::string to_string(const Shape& shape) {
  return fmt::format("[{}]", joined(shape));
}

std::optional<std::uintmax_t> size_in_bytes(ElementType type, const Shape& shape) {
  if (std::ranges::find(shape, std::size_t{0}) != shape.end()) {
    return 0;
  }
  std::uintmax_t size = traits(type).bytes;
  for (const auto dimension : shape) {
    if (dimension > std::numeric_limits<std::uintmax_t>::max() / size) {
      return std::nullopt;
    }
    size *= dimension;
  }
  return size;
}

Tensor::Tensor(ElementType type, Shape shape, std::span<const std::byte> bytes,
               std::shared_ptr<const void> owner)
    : type_(type), shape_(std::move(shape)), owner_(std::move(owner)), bytes_(bytes) {
  assert(size_in_bytes(type_, shape_) == bytes_.size());
}

Tensor::Tensor(ElementType type, Shape shape, std::vector<std::byte> bytes)
    : type_(type), shape_(std::move(shape)) {
  const auto owned = std::make_shared<const std::vector<std::byte>>(std::move(bytes));
  bytes_ = *owned;
  owner_ = owned;
  assert(size_in_bytes(type_, shape_) == bytes_.size());
}

std::uint64_t Tensor::bits(std::size_t index) const {
  assert(index < elements());
  const auto width = traits(type_).bytes;
  std::uint64_t result = 0;
  std::memcpy(&result, bytes_.data() + index * width, width);
  return result;
}

double Tensor::number(std::size_t index) const {
  double result = 0;
  numbers(index, {&result, 1});
  return result;
}

void Tensor::numbers(std::size_t first, std::span<double> out) const {
  assert(format() && first + out.size() <= elements());
  const auto bytes = bytes_.subspan(first * traits(type_).bytes);
  switch (*format()) {
    case Format::binary64:
      return decode_each<double>(bytes, out, std::identity{});
    case Format::binary32:
      return decode_each<float>(bytes, out, [](float value) { return static_cast<double>(value); });
    case Format::binary16:
      return decode_each<std::uint16_t>(bytes, out,
                                        [](auto bits) { return decode_bits(Format::binary16, bits); });
    case Format::bfloat16:
      return decode_each<std::uint16_t>(bytes, out,
                                        [](auto bits) { return decode_bits(Format::bfloat16, bits); });
    case Format::float8_e4m3fn:
    case Format::float8_e5m2:
    case Format::float8_e4m3fnuz:
    case Format::float8_e5m2fnuz:
      return decode_each<std::uint8_t>(bytes, out,
                                       [format = *format()](auto bits) { return decode_bits(format, bits); });
  }
}

std::optional<std::int64_t> Tensor::integer(std::size_t index) const {
  if (format()) {
    return integer_of(number(index));
  }
  const auto pattern = bits(index);
  if (is_signed_integer(type_)) {
    const auto unused = 64 - 8 * traits(type_).bytes;
    return static_cast<std::int64_t>(pattern << unused) >> unused;
  }
  const bool fits = pattern <= static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  return fits ? std::optional(static_cast<std::int64_t>(pattern)) : std::nullopt;
}

Tensor Tensor::viewed_as(ElementType type) && {
  assert(traits(type).bytes == traits(type_).bytes);
  return {type, std::move(shape_), bytes_, std::move(owner_)};
}

Tensor Tensor::without_leading_ones(std::size_t rank) && {
  auto kept = shape_.begin();
  while (static_cast<std::size_t>(shape_.end() - kept) > rank && *kept == 1) {
    ++kept;
  }
  return {type_, Shape(kept, shape_.end()), bytes_, std::move(owner_)};
}

}  // namespace vernier
