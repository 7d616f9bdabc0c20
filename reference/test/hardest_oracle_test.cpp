// The elements that are hardest to round, as `vernier hardest` finds them: how hard they are, and what all
// that rounds makes of them, against Arb.

#include <array>
#include <cmath>
#include <cstring>
#include <optional>

#include <arb.h>
#include <fmt/core.h>
#include <gtest/gtest.h>

#include "reference/ladder/certified_table.hpp"
#include "reference/ladder/rounded_table.hpp"
#include "reference/test/ball.hpp"
#include "reference/test/parsed.hpp"

namespace vernier::oracle {
namespace {

/// An element of rope of head_dim 128, and how far it is from the middle between two numbers of a format, in
/// units of the gap between them.
struct HardElement {
  Format format;
  std::int64_t base;
  std::int64_t position;
  int pair;
  Component component;
  double distance;
};

/// Of each format and base the hardest of all pairs at positions 1 to 2^24; of float64 to 2^20.
constexpr std::array hard_elements{
    HardElement{Format::binary64, 10000, 773546, 18, Component::sine, 3.288e-09},
    HardElement{Format::binary64, 10000, 542890, 40, Component::cosine, 5.013e-09},
    HardElement{Format::binary64, 10000, 54289, 24, Component::cosine, 5.013e-09},
    HardElement{Format::binary64, 10000, 453549, 25, Component::sine, 6.277e-09},
    HardElement{Format::binary32, 10000, 10461481, 26, Component::sine, 1.569e-10},
    HardElement{Format::binary32, 10000, 1599813, 2, Component::sine, 8.836e-10},
    HardElement{Format::binary32, 10000, 15998130, 18, Component::sine, 8.836e-10},
    HardElement{Format::binary32, 10000, 15156442, 5, Component::sine, 1.033e-09},
    HardElement{Format::binary16, 10000, 10045140, 55, Component::cosine, 1.485e-10},
    HardElement{Format::binary16, 10000, 1004514, 39, Component::cosine, 1.485e-10},
    HardElement{Format::binary16, 10000, 8378770, 27, Component::sine, 5.031e-10},
    HardElement{Format::binary16, 10000, 837877, 11, Component::sine, 5.031e-10},
    HardElement{Format::bfloat16, 10000, 1246149, 20, Component::sine, 2.409e-10},
    HardElement{Format::bfloat16, 10000, 12461490, 36, Component::sine, 2.409e-10},
    HardElement{Format::bfloat16, 10000, 11280601, 45, Component::sine, 3.25e-10},
    HardElement{Format::bfloat16, 10000, 2199751, 26, Component::sine, 4.152e-10},
    HardElement{Format::binary64, 500000, 35859, 45, Component::sine, 1.663e-09},
    HardElement{Format::binary64, 500000, 878044, 20, Component::sine, 3.258e-09},
    HardElement{Format::binary64, 500000, 1018101, 1, Component::sine, 4.633e-09},
    HardElement{Format::binary64, 500000, 599522, 5, Component::sine, 1.131e-08},
    HardElement{Format::binary32, 500000, 3681610, 18, Component::sine, 2.266e-10},
    HardElement{Format::binary32, 500000, 548383, 19, Component::cosine, 2.92e-10},
    HardElement{Format::binary32, 500000, 10727421, 46, Component::cosine, 8.103e-10},
    HardElement{Format::binary32, 500000, 6139768, 21, Component::cosine, 1.003e-09},
    HardElement{Format::binary16, 500000, 7397416, 61, Component::cosine, 1.115e-09},
    HardElement{Format::binary16, 500000, 14253041, 26, Component::cosine, 1.352e-09},
    HardElement{Format::binary16, 500000, 3054432, 56, Component::cosine, 1.521e-09},
    HardElement{Format::binary16, 500000, 8599600, 44, Component::cosine, 1.793e-09},
    HardElement{Format::bfloat16, 500000, 4185147, 31, Component::cosine, 1.879e-10},
    HardElement{Format::bfloat16, 500000, 5118835, 2, Component::cosine, 3.234e-10},
    HardElement{Format::bfloat16, 500000, 6499064, 41, Component::sine, 4.235e-10},
    HardElement{Format::bfloat16, 500000, 8041741, 39, Component::sine, 5.092e-10}};

Ball value_of(const HardElement& element) {
  const auto exponent = Ball(-element.pair) / Ball(std::int64_t{64});
  const auto phase = Ball(element.position) * power(Ball(element.base), exponent);
  return element.component == Component::sine ? sine(phase) : cosine(phase);
}

/// The middle of a ball, to a double.
double approximately(const Ball& value) {
  return arf_get_d(arb_midref(value.get()), ARF_RND_NEAR);
}

/// In units of the gap. \param precision of the format, whose normal range holds the value
double distance_from_midpoint(const Ball& value, int precision) {
  const std::int64_t shift = precision - 1 - std::ilogb(approximately(value));
  const auto places = value * power(Ball(std::int64_t{2}), Ball(shift));
  return std::fabs(approximately(places - floor(places) - Ball("0.5")));
}

/// The nearest number of a format; nothing if the ball's ends differ.
std::optional<double> nearest(const Ball& value, int precision) {
  arf_t low;
  arf_t high;
  arf_init(low);
  arf_init(high);
  arb_get_lbound_arf(low, value.get(), oracle_bits);
  arb_get_ubound_arf(high, value.get(), oracle_bits);
  arf_set_round(low, low, precision, ARF_RND_NEAR);
  arf_set_round(high, high, precision, ARF_RND_NEAR);
  const bool agree = arf_equal(low, high) != 0;
  const double result = arf_get_d(low, ARF_RND_NEAR);
  arf_clear(low);
  arf_clear(high);
  return agree ? std::optional(result) : std::nullopt;
}

/// The table of cosines or of sines, and the element's column.
std::pair<TrigTable, std::size_t> place_of(const HardElement& element) {
  const auto spec = fmt::format(R"({{"scheme": "rope", "head_dim": 128, "rope_theta": {}}})", element.base);
  const auto encoding = parsed(spec);
  for (auto& table : encoding->plain_tables()) {
    for (std::size_t column = 0; column < table.columns.size(); ++column) {
      if (table.columns[column].pair == element.pair &&
          table.columns[column].component == element.component) {
        return {table, column};
      }
    }
  }
  throw std::logic_error("no column of the element");
}

double of_ladder(const TrigTable& table, const HardElement& element, std::size_t column) {
  const RoundedTable rounded(table, {element.position, 1, 1}, element.format);
  std::vector<std::byte> row(rounded.row_bytes());
  rounded.write(0, 1, row);
  const auto size = row.size() / table.columns.size();
  std::uint64_t bits = 0;
  std::memcpy(&bits, row.data() + column * size, size);
  return decode_bits(element.format, bits);
}

double of_enclosures(const TrigTable& table, const HardElement& element, std::size_t column) {
  CertifiedTable certified(table);
  std::vector<Enclosure> row(certified.columns());
  certified.row(element.position, row);
  return *certified.rounded_entry(element.format, element.position, column, row[column]);
}

TEST(HardestOracle, WhatRoundsIsRightWhereItIsHardest) {
  int wrong_when_rounded_twice = 0;
  for (const auto& element : hard_elements) {
    SCOPED_TRACE(fmt::format("{}, base {}, position {}, pair {}", traits(element.format).name, element.base,
                             element.position, element.pair));
    const int precision = traits(element.format).precision;
    const auto truth = value_of(element);
    EXPECT_NEAR(distance_from_midpoint(truth, precision) / element.distance, 1, 0.01);
    const auto expected = nearest(truth, precision);
    ASSERT_TRUE(expected);
    const auto [table, column] = place_of(element);
    EXPECT_EQ(of_ladder(table, element, column), *expected);
    EXPECT_EQ(of_enclosures(table, element, column), *expected);
    EXPECT_EQ(correctly_rounded(element.format, table.entry(element.position, column)), *expected);
    wrong_when_rounded_twice += round_to(element.format, *nearest(truth, 53)) == *expected ? 0 : 1;
  }
  EXPECT_GT(wrong_when_rounded_twice, 0) << "even the correctly rounded double does not tell";
}

}  // namespace
}  // namespace vernier::oracle
