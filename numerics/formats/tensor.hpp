#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "reference/numbers/format.hpp"

namespace vernier {

/// What the elements of a tensor are, as stored.
enum class ElementType {
  float64,
  float32,
  float16,
  bfloat16,
  float8_e4m3fn,
  float8_e5m2,
  float8_e4m3fnuz,
  float8_e5m2fnuz,
  int8,
  int16,
  int32,
  int64,
  uint8,
  uint16,
  uint32,
  uint64
};

struct ElementTraits {
  ElementType type;
  std::string_view name;         ///< as tensor libraries write it: "float32"
  std::size_t bytes;             ///< of one element
  std::optional<Format> format;  ///< of floating-point types; integers have none
  std::string_view npy;          ///< NumPy's type string without the byte order; empty of what NumPy has not
  std::string_view safetensors;  ///< as safetensors calls it
  /// \name What other files call it; nothing of what they do not have
  /// @{
  std::optional<std::uint32_t> onnx = std::nullopt;      ///< onnx.proto, TensorProto.DataType
  std::optional<std::uint32_t> ggml = std::nullopt;      ///< ggml.h, enum ggml_type
  std::optional<std::string_view> torch = std::nullopt;  ///< the class of a storage in a pickle
  /// @}
};

const ElementTraits& traits(ElementType type);
/// All element types: floating-point first.
std::span<const ElementTraits> element_types();
/// The type that is called so, if there is one. \param code a member of ElementTraits
template <class Code, class Value>
std::optional<ElementType> element_type_by(Code ElementTraits::*code, const Value& value) {
  const auto found = std::ranges::find(element_types(), value, code);
  return found == element_types().end() ? std::nullopt : std::optional(found->type);
}
inline std::optional<ElementType> element_type_named(std::string_view name) {
  return element_type_by(&ElementTraits::name, name);
}

using Shape = std::vector<std::size_t>;
/// The most dimensions of a tensor that is read.
inline constexpr std::size_t greatest_rank = 32;

/// "[451, 64]"
std::string to_string(const Shape& shape);

/// The bytes that a tensor takes; nothing if 64 bits cannot count them.
std::optional<std::uintmax_t> size_in_bytes(ElementType type, const Shape& shape);

/// A dense tensor, the last index fastest: what an implementation under test produced, bit for bit. Nothing
/// changes it, so copies share their bytes.
class Tensor {
 public:
  /// \param bytes little-endian elements, as many as the shape says
  Tensor(ElementType type, Shape shape, std::vector<std::byte> bytes);
  /// \param bytes as above, at any alignment \param owner what keeps them where they are: a mapped file
  Tensor(ElementType type, Shape shape, std::span<const std::byte> bytes, std::shared_ptr<const void> owner);

  ElementType type() const { return type_; }
  /// The number format of the elements; integers have none.
  std::optional<Format> format() const { return traits(type_).format; }
  const Shape& shape() const { return shape_; }
  std::size_t elements() const { return bytes_.size() / traits(type_).bytes; }
  std::span<const std::byte> bytes() const { return bytes_; }

  /// An element as the double it is exactly. \pre a floating-point tensor \param index < elements()
  double number(std::size_t index) const;
  /// The elements from `first` on. \pre a floating-point tensor \param out any number of elements that are
  /// there
  void numbers(std::size_t first, std::span<double> out) const;
  /// An element as an integer, if it is one (integral floats are) and fits. \param index < elements()
  std::optional<std::int64_t> integer(std::size_t index) const;

  /// The same bits read as another type of the same width. \pre the widths agree
  Tensor viewed_as(ElementType type) &&;
  /// Without leading dimensions of size 1 beyond the `rank` last ones.
  Tensor without_leading_ones(std::size_t rank) &&;

 private:
  std::uint64_t bits(std::size_t index) const;

  ElementType type_;
  Shape shape_;
  std::shared_ptr<const void> owner_;
  std::span<const std::byte> bytes_;
};

}  // namespace vernier
