// Tensors whose rows are apart in memory, and vectors that are rotated where they lie.
#include <algorithm>
#include <numeric>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "numerics/processes/padded_rows.hpp"
#include "numerics/test/plugin_questions.hpp"
#include "reference/support/input_error.hpp"

namespace vernier {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr std::byte padding_value{0xfe};

std::vector<std::byte> counting_input(std::size_t count) {
  std::vector<std::byte> bytes(count);
  for (std::size_t i = 0; i < count; ++i) {
    bytes[i] = static_cast<std::byte>(i % 200);
  }
  return bytes;
}

TEST(PaddedRows, LieWherePaddingBehindRowsAndGroupsPutsThem) {
  const PaddedRows rows(ElementType::float32, {2, 3, 4}, 7);
  EXPECT_THAT(rows.strides(), ElementsAre(3 * 11 + 7, 11, 1));
  EXPECT_EQ(rows.bytes(), sizeof(float) * (40 + 2 * 11 + 4));
  const auto dense = counting_input(rows.dense_bytes());
  std::vector<std::byte> memory(rows.bytes(), padding_value);
  rows.spread(dense, memory);
  // Element [1, 2, 3], the last.
  EXPECT_TRUE(
      std::ranges::equal(std::span(memory).last(sizeof(float)), std::span(dense).last(sizeof(float))));
  EXPECT_EQ(rows.changed_padding(memory, padding_value), std::nullopt);
  std::vector<std::byte> again(dense.size());
  rows.gather(memory, again);
  EXPECT_EQ(again, dense);

  // The byte before element [0, 1, 0], and one between the groups.
  memory[sizeof(float) * 11 - 1] = std::byte{0};
  EXPECT_EQ(rows.changed_padding(memory, padding_value), "1 byte between its rows, the first behind row 0");
  memory[sizeof(float) * 40 - 1] = std::byte{0};
  EXPECT_EQ(rows.changed_padding(memory, padding_value), "2 bytes between its rows, the first behind row 0");
}

TEST(PaddedRows, WithoutPaddingOrElementsAreDense) {
  for (const auto& [shape, padding] :
       {std::pair(Shape{2, 3, 4}, 0), {Shape{24}, 7}, {Shape{0, 4}, 7}, {Shape{3, 0}, 7}}) {
    const PaddedRows rows(ElementType::float64, shape, static_cast<std::size_t>(padding));
    EXPECT_THAT(rows.strides(), IsEmpty()) << to_string(shape);
    EXPECT_EQ(rows.bytes(), size_in_bytes(ElementType::float64, shape)) << to_string(shape);
    const auto dense = counting_input(rows.dense_bytes());
    std::vector<std::byte> memory(rows.bytes());
    rows.spread(dense, memory);
    EXPECT_EQ(memory, dense);
    EXPECT_EQ(rows.changed_padding(memory, padding_value), std::nullopt);
  }
  EXPECT_THROW(PaddedRows(ElementType::float64, {std::size_t{1} << 40, std::size_t{1} << 40}, 0), InputError);
  EXPECT_THROW(PaddedRows(ElementType::float64, {std::size_t{1} << 60, 1}, 7), InputError);
}

/// Vectors [2, 3, head_dim] of the numbers 1, 2, 3 ...
Request ask_for_vectors(OrderedJson spec, std::size_t head_dim, std::size_t padding) {
  const Shape shape{2, 3, head_dim};
  std::vector<float> x(2 * 3 * head_dim);
  std::iota(x.begin(), x.end(), 1.0F);
  return {std::move(spec),
          positions({0, 1, 100}),
          tensor(ElementType::float32, shape, x),
          {{"rotated", ElementType::float32, shape}},
          padding};
}

bool same_bits(const Response& one, const Response& other, const std::string& role) {
  return std::ranges::equal(one.tensors.at(role).bytes(), other.tensors.at(role).bytes());
}

TEST(PluginLayout, RowsThatAreApartHaveTheBitsOfDenseOnes) {
  PluginProcess plugin(plugins / "rope_plugin.so");
  EXPECT_TRUE(plugin.takes().strides);
  EXPECT_FALSE(plugin.takes().in_place);
  auto cosines = ask_for_cosines();
  const auto dense_cosines = plugin.ask(cosines);
  const auto dense_vectors = plugin.ask(ask_for_vectors(rope_spec(6), 6, 0));
  for (const std::size_t padding : {1u, 7u, 2000u}) {
    cosines.padding = padding;
    const auto table = plugin.ask(cosines);
    expect_honest_cosines(table);
    EXPECT_THAT(table.side_effects, IsEmpty());
    EXPECT_TRUE(same_bits(dense_cosines, table, "cos")) << padding;
    const auto vectors = plugin.ask(ask_for_vectors(rope_spec(6), 6, padding));
    ASSERT_EQ(vectors.status, ResponseStatus::answered) << vectors.reason;
    EXPECT_THAT(vectors.side_effects, IsEmpty());
    EXPECT_TRUE(same_bits(dense_vectors, vectors, "rotated")) << padding;
  }
  cosines.padding = 0;
  expect_honest_cosines(plugin.ask(cosines));
}

TEST(PluginLayout, WhoIgnoresStridesWritesBetweenTheRows) {
  auto request = ask_for_cosines();
  request.padding = 7;
  PluginProcess plugin(hostile("ignores_strides"));
  const auto response = plugin.ask(request);
  ASSERT_EQ(response.status, ResponseStatus::answered) << response.reason;
  EXPECT_THAT(response.side_effects,
              testing::Contains(effect(SideEffectKind::wrote_outside_output,
                                       "cos: 28 bytes between its rows, the first behind row 0")));
  request.padding = 0;
  const auto dense = plugin.ask(request);
  expect_honest_cosines(dense);
  EXPECT_THAT(dense.side_effects, IsEmpty());

  request.padding = 7;
  PluginProcess one_too_many(hostile("writes_between_rows"));
  const auto right = one_too_many.ask(request);
  expect_honest_cosines(right);
  EXPECT_THAT(right.side_effects,
              ElementsAre(effect(SideEffectKind::wrote_outside_output,
                                 "cos: 4 bytes between its rows, the first behind row 0")));
}

TEST(PluginLayout, VectorsAreRotatedInPlace) {
  PluginProcess plugin(plugins / "rotates_in_place.so");
  EXPECT_TRUE(plugin.takes().in_place);
  EXPECT_FALSE(plugin.takes().strides);
  auto spec = rope_spec(6);
  PluginProcess apart(plugins / "rope_plugin.so");
  const auto request = ask_for_vectors(spec, 6, 0);
  const auto response = plugin.ask(request);
  ASSERT_EQ(response.status, ResponseStatus::answered) << response.reason;
  EXPECT_THAT(response.side_effects, IsEmpty());
  // Of the same question, as the input is not what the last answer was.
  EXPECT_TRUE(same_bits(response, plugin.ask(request), "rotated"));
  const auto expected = apart.ask(request);
  for (std::size_t i = 0; i < response.tensors.at("rotated").elements(); ++i) {
    // Both compute in double and round once: the elements are below 64, half an ulp of which is 2^-19.
    EXPECT_NEAR(response.tensors.at("rotated").number(i), expected.tensors.at("rotated").number(i), 0x1p-18);
  }
  // Two thirds of a vector turn, the rest is not written.
  spec["partial_rotary_factor"] = 2.0 / 3;
  const auto partial = plugin.ask(ask_for_vectors(spec, 6, 0));
  ASSERT_EQ(partial.status, ResponseStatus::answered) << partial.reason;
  EXPECT_THAT(partial.side_effects, IsEmpty());
  EXPECT_EQ(partial.tensors.at("rotated").number(34), 35);
  EXPECT_NE(partial.tensors.at("rotated").number(30), 31);
}

TEST(PluginLayout, InPlaceAndApartGoTogether) {
  PluginProcess plugin(hostile("rotates_strided_in_place"));
  const auto dense = plugin.ask(ask_for_vectors(rope_spec(6), 6, 0));
  const auto apart = plugin.ask(ask_for_vectors(rope_spec(6), 6, 7));
  ASSERT_EQ(apart.status, ResponseStatus::answered) << apart.reason;
  EXPECT_THAT(apart.side_effects, IsEmpty());
  EXPECT_TRUE(same_bits(dense, apart, "rotated"));
  // Tables are made as ever.
  const auto cosines = plugin.ask(ask_for_cosines());
  expect_honest_cosines(cosines);
  EXPECT_THAT(cosines.side_effects, IsEmpty());
}

}  // namespace
}  // namespace vernier
