// The figures that papers are judged by, again, by the independent oracle: in Arb, from the formulas of the
// papers, without a line of the library. The rows are those of props/literature/evidence.json.

#include <cstdint>
#include <fstream>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "reference/test/ball.hpp"
#include "reference/test/decimal_json.hpp"
#include "reference/test/inverse_frequency_oracle.hpp"

namespace vernier {
namespace {

using oracle::Ball;
using oracle::is_less;
using oracle::Json;

const Json& evidence() {
  static const Json json = [] {
    std::ifstream file(VERNIER_EVIDENCE);
    std::ostringstream text;
    text << file.rdbuf();
    return oracle::read(text.str());
  }();
  return json;
}

/// The rows of figures of an evidence's first fact.
const Json& rows_of(std::string_view id) {
  return evidence().at(std::string(id)).at("facts").at(0).at("rows");
}

std::int64_t integer(const Json& row, std::size_t column) {
  return std::stoll(row.at(column).get<std::string>());
}

std::vector<Ball> frequencies(std::int64_t head_dim, const Ball& base) {
  std::vector<Ball> result;
  for (std::int64_t i = 0; i < head_dim / 2; ++i) {
    result.push_back(power(base, Ball(-2 * i) / head_dim));
  }
  return result;
}

Ball sum_of_cosines(const std::vector<Ball>& frequencies, const Ball& offset) {
  Ball sum = 0;
  for (const auto& w : frequencies) {
    sum = sum + cosine(offset * w);
  }
  return sum;
}

/// The sum is negative where the row says so, and nowhere before among some hundreds of offsets: the nearest,
/// and others evenly.
void expect_first_negative(const std::vector<Ball>& w, std::int64_t context, std::int64_t first,
                           const std::string& where) {
  const auto end = first == 0 ? context : first;
  for (std::int64_t m = 1; m < end;
       m += m < 20 || m > end - 20 ? 1 : std::max<std::int64_t>(1, (end - 40) / 60)) {
    EXPECT_TRUE(is_less(0, sum_of_cosines(w, m))) << where << ", m = " << m;
  }
  if (first != 0) {
    EXPECT_LT(first, context) << where;
    EXPECT_TRUE(is_less(sum_of_cosines(w, first), 0)) << where;
  }
}

TEST(PapersOracle, SumsOfNamedBasesHaveTheSignsThatAreTold) {
  for (const auto* id : {"criterion/published-bases", "criterion/smaller-bases", "criterion/larger-bases",
                         "criterion/no-monotony", "criterion/thousandfold", "criterion/printed-digits"}) {
    ASSERT_FALSE(rows_of(id).empty());
    for (const auto& row : rows_of(id)) {
      expect_first_negative(frequencies(128, Ball(integer(row, 1))), integer(row, 0), integer(row, 2),
                            std::string(id) + ", base " + row.at(1).get<std::string>());
    }
  }
}

TEST(PapersOracle, FirstOffsetsOfModels) {
  for (const auto& row : rows_of("criterion/models")) {
    const auto w = frequencies(integer(row, 3), Ball(row.at(4).get<std::string>()));
    expect_first_negative(w, integer(row, 1), integer(row, 2), row.at(0).get<std::string>());
  }
}

TEST(PapersOracle, TheInterpolationBoundIsExceeded) {
  const auto w = frequencies(128, 10000);
  const Ball half = Ball(1) / 2;
  const Ball error = sum_of_cosines(w, half) - (Ball(64) + sum_of_cosines(w, 1)) / 2;
  const Ball stated = Ball(128) / (Ball(32) * logarithm(Ball(10000)));
  Ball squares = 0;
  for (const auto& one : w) {
    squares = squares + one * one;
  }
  EXPECT_TRUE(is_less(stated * Ball("1.057"), error) && is_less(error, stated * Ball("1.058")));
  EXPECT_TRUE(is_less(error, squares / 8));
  EXPECT_TRUE(is_less(Ball("512.21"), Ball(256) * 8 / squares) &&
              is_less(Ball(256) * 8 / squares, Ball("512.22")));
  EXPECT_TRUE(is_less(Ball("294.725"), Ball(32) * logarithm(Ball(10000))));
  EXPECT_TRUE(is_less(1 - Ball(4) / 128 * logarithm(Ball(10000)), power(Ball(10000), Ball(-4) / 128)));
}

Ball sum_of_partial_sums(std::int64_t head_dim, std::int64_t s) {
  Ball cosines = 0, sines = 0, total = 0;
  for (const auto& w : frequencies(head_dim, 10000)) {
    cosines = cosines + cosine(w * s);
    sines = sines + sine(w * s);
    total = total + square_root(cosines * cosines + sines * sines);
  }
  return total;
}

TEST(PapersOracle, PartialSumsFallAndRiseWhereTold) {
  for (const auto& row : rows_of("papers/partial-sums-below")) {
    EXPECT_TRUE(is_less(sum_of_partial_sums(integer(row, 0), integer(row, 1)), integer(row, 0)));
  }
  for (const auto& row : rows_of("papers/partial-sums-fall")) {
    const auto d = integer(row, 0);
    const auto rise = integer(row, 1);
    EXPECT_TRUE(is_less(sum_of_partial_sums(d, rise - 1), sum_of_partial_sums(d, rise - 2)));
    EXPECT_TRUE(is_less(sum_of_partial_sums(d, rise - 1), sum_of_partial_sums(d, rise)));
  }
}

TEST(PapersOracle, ScoresFallThoughPairsTurnLess) {
  const auto w = frequencies(128, 10000);
  for (const auto& row : rows_of("papers/turned-less")) {
    EXPECT_TRUE(is_less(sum_of_cosines(w, Ball(integer(row, 1)) / integer(row, 0)),
                        sum_of_cosines(w, integer(row, 1))));
  }
}

TEST(PapersOracle, TheSlowestPair) {
  const Ball w = power(Ball(10000), Ball(-126) / 128);
  const auto near = [](const Ball& value, const std::string& decimal, const std::string& half_unit) {
    return is_less(Ball(decimal) - Ball(half_unit), value) && is_less(value, Ball(decimal) + Ball(half_unit));
  };
  EXPECT_TRUE(near(Ball(2) * Ball::pi() / w, "54410.1", "0.05"));
  EXPECT_TRUE(near(power(Ball(10000), Ball(254) / 256), "9305.7", "0.05"));
  int many = 0, few = 0;
  for (const auto& one : frequencies(128, 10000)) {
    const Ball turns = Ball(4096) * one / (Ball(2) * Ball::pi());
    many += is_less(32, turns) ? 1 : 0;
    few += is_less(turns, 1) ? 1 : 0;
  }
  EXPECT_EQ(many, 21);
  EXPECT_EQ(few, 18);
}

}  // namespace
}  // namespace vernier
