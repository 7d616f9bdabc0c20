#include "numerics/formats/tensor.hpp"

#include <limits>

#include <gtest/gtest.h>

#include "numerics/test/made_tensors.hpp"

namespace vernier {
namespace {

Tensor integers(ElementType type, std::vector<std::byte> bytes) {
  const auto count = bytes.size() / traits(type).bytes;
  return {type, {count}, std::move(bytes)};
}

std::vector<std::byte> repeated(std::byte byte, std::size_t count) {
  return std::vector<std::byte>(count, byte);
}

TEST(Tensor, FloatingPointElementsAreExactlyTheirBits) {
  for (const auto format : computing_formats()) {
    const std::vector values{0.0,
                             1.0,
                             -1.5,
                             traits(format).largest(),
                             -traits(format).smallest(),
                             std::numeric_limits<double>::infinity()};
    const auto tensor = tensor_of(format, {2, 3}, values);
    EXPECT_EQ(tensor.elements(), 6U);
    EXPECT_EQ(tensor.format(), format);
    std::vector<double> back(6);
    tensor.numbers(0, back);
    EXPECT_EQ(back, values) << traits(format).name;
  }
}

TEST(Tensor, IntegersKeepTheirSign) {
  for (const auto type : {ElementType::int8, ElementType::int16, ElementType::int32, ElementType::int64}) {
    EXPECT_EQ(integers(type, repeated(std::byte{0xff}, 8)).integer(0), -1) << traits(type).name;
  }
  EXPECT_EQ(integers(ElementType::uint8, repeated(std::byte{0xff}, 8)).integer(7), 255);
  EXPECT_EQ(integers(ElementType::uint32, repeated(std::byte{0xff}, 8)).integer(1), 4294967295);
}

TEST(Tensor, IntegersThatDoNotFitAreNone) {
  EXPECT_FALSE(integers(ElementType::uint64, repeated(std::byte{0xff}, 8)).integer(0));
  EXPECT_FALSE(tensor_of(Format::binary64, {1}, std::vector{0x1p63}).integer(0));
  EXPECT_EQ(tensor_of(Format::binary64, {1}, std::vector{-0x1p63}).integer(0),
            std::numeric_limits<std::int64_t>::min());
  EXPECT_FALSE(tensor_of(Format::binary32, {1}, std::vector{0.5}).integer(0));
  EXPECT_FALSE(
      tensor_of(Format::binary32, {1}, std::vector{std::numeric_limits<double>::quiet_NaN()}).integer(0));
  EXPECT_EQ(tensor_of(Format::binary32, {1}, std::vector{-7.0}).integer(0), -7);
}

TEST(Tensor, LeadingOnesGoButNotTheLastDimensions) {
  const std::vector<double> values(6, 1.0);
  EXPECT_EQ(tensor_of(Format::binary32, {1, 1, 2, 3}, values).without_leading_ones(2).shape(), (Shape{2, 3}));
  EXPECT_EQ(tensor_of(Format::binary32, {1, 6}, values).without_leading_ones(2).shape(), (Shape{1, 6}));
  EXPECT_EQ(tensor_of(Format::binary32, {2, 1, 3}, values).without_leading_ones(2).shape(), (Shape{2, 1, 3}));
}

TEST(Tensor, BitsAreReadAsAnotherTypeOfTheSameWidth) {
  const auto carrier = integers(ElementType::uint16, {std::byte{0x80}, std::byte{0x3f}});
  EXPECT_EQ(Tensor(carrier).viewed_as(ElementType::bfloat16).number(0), 1.0);
}

TEST(ElementTypes, AreFoundByName) {
  for (const auto& one : element_types()) {
    EXPECT_EQ(element_type_named(one.name), one.type);
  }
  EXPECT_FALSE(element_type_named("bool"));
}

}  // namespace
}  // namespace vernier
