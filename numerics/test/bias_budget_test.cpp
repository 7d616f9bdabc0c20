// Budgets of ALiBi's biases against every order of operations that they cover, with functions that may return
// either neighbour of the true value.

#include <array>
#include <bit>
#include <cmath>
#include <random>
#include <string>
#include <vector>

#include <fmt/core.h>
#include <gtest/gtest.h>

#include "numerics/contracts/contract.hpp"
#include "reference/schemes/encoding.hpp"
#include "reference/test/parsed.hpp"
#include "reference/test/seed.hpp"

namespace vernier {
namespace {

using Engine = std::mt19937_64;

/// What a function that is good to an ulp may return: the true value where the format holds it.
enum class Neighbour { lower, upper, drawn };

/// Arithmetic in a format. \pre at most half of the bits of a long double
class Arithmetic {
 public:
  Arithmetic(Format format, Neighbour neighbour, Engine& engine)
      : format_(format), neighbour_(neighbour), engine_(engine) {}

  double function(long double truth) {
    const double nearest = round_to(format_, static_cast<double>(truth));
    if (nearest == truth || !std::isfinite(nearest)) {
      return nearest;
    }
    const double below = nearest < truth ? nearest : next_down(format_, nearest);
    const bool is_lower =
        neighbour_ == Neighbour::drawn ? engine_() % 2 == 0 : neighbour_ == Neighbour::lower;
    return is_lower ? below : next_up(format_, below);
  }
  double rounded(double exact) const { return round_to(format_, exact); }

 private:
  Format format_;
  Neighbour neighbour_;
  Engine& engine_;
};

/// The orders that a slope's budget covers.
enum class BiasOrder { power, first_times_power, exponent, reciprocal };
constexpr std::array bias_orders{BiasOrder::power, BiasOrder::first_times_power, BiasOrder::exponent,
                                 BiasOrder::reciprocal};

double computed_slope(Arithmetic& in, BiasOrder order, double max_bias, double heads, double k) {
  const double step = in.rounded(max_bias / heads);
  const double exponent = in.rounded(step * k);
  if (order == BiasOrder::exponent) {
    return in.function(std::exp2(-static_cast<long double>(exponent)));
  }
  if (order == BiasOrder::reciprocal) {
    const double steep = in.function(std::exp2(static_cast<long double>(exponent)));
    return std::isfinite(steep) ? in.rounded(1 / steep) : steep;  // the format has no such power
  }
  const double base = in.function(std::exp2(-static_cast<long double>(step)));
  const auto power = [&](double n) { return in.function(std::pow(static_cast<long double>(base), n)); };
  return order == BiasOrder::power ? power(k) : in.rounded(base * power(k - 1));
}

struct Slopes {
  std::int64_t heads;
  double max_bias;
  Format compute;
};

/// The greatest use of the budgets of all heads at positions near and far.
double greatest_use(const Slopes& slopes, BiasOrder order, Neighbour neighbour, Engine& engine,
                    double wrong = 0) {
  const auto encoding = parsed(fmt::format(R"({{"scheme": "alibi", "num_heads": {}, "max_bias": {}}})",
                                           slopes.heads, slopes.max_bias));
  const auto table = encoding->all<BiasTable>().at(1);
  const auto& contract = *contract_named(traits(slopes.compute).name);
  const auto whole = static_cast<std::int64_t>(std::bit_floor(static_cast<std::uint64_t>(slopes.heads)));
  Arithmetic in(slopes.compute, neighbour, engine);
  double result = 0;
  for (std::int64_t head = 0; head < slopes.heads; ++head) {
    const auto& slope = table.slopes[static_cast<std::size_t>(head)];
    const double heads_of_step = static_cast<double>(head < whole ? whole : 2 * whole);
    const double computed =
        computed_slope(in, order, slopes.max_bias + wrong, heads_of_step, static_cast<double>(slope.power));
    for (const std::int64_t position : {1, 3, 255, 509, 2047}) {
      const double got = in.rounded(computed * in.rounded(static_cast<double>(position)));
      const auto truth = tight_enclosure(table.entry(static_cast<std::size_t>(head), position));
      const auto budget = contract.bind(slope, slopes.compute);
      if (budget.inconclusive_at(truth.approximately()) || !std::isfinite(got)) {
        continue;
      }
      const double off = std::fabs((got - truth.middle.high) - truth.middle.low);
      result = std::max(result, off == 0 ? 0 : off / budget.by_cause(got, truth).total());
    }
  }
  return result;
}

/// Steps of all kinds: those of models, those that no format holds, those whose base is just above or below a
/// power of two.
std::vector<double> max_biases(Engine& engine) {
  std::vector<double> result{8, 5.25, 24, 7.3, 7.99, 8.01};
  for (int draw = 0; draw < 6; ++draw) {
    result.push_back(static_cast<double>(1 + engine() % 4096) / 256);
  }
  return result;
}

TEST(BiasBudget, IsKeptByFunctionsThatReturnEitherNeighbour) {
  Engine engine(test_seed());
  for (const auto compute : {Format::binary32, Format::binary16, Format::bfloat16}) {
    double greatest = 0;
    for (const double max_bias : max_biases(engine)) {
      for (const std::int64_t heads : {3, 16, 20, 71}) {
        for (const auto order : bias_orders) {
          for (const auto neighbour : {Neighbour::lower, Neighbour::upper, Neighbour::drawn}) {
            const double use = greatest_use({heads, max_bias, compute}, order, neighbour, engine);
            EXPECT_LE(use, 1) << heads << " heads, max_bias " << max_bias << ", order "
                              << static_cast<int>(order) << " in " << traits(compute).name;
            greatest = std::max(greatest, use);
          }
        }
      }
    }
    fmt::print("greatest use in {}: {:.3f}\n", traits(compute).name, greatest);
    EXPECT_GT(greatest, 0.75) << "a budget that nothing comes near to is a blind spot";
  }
}

/// 2^-1/2 is 1.41 u off at most, 16 times in the last slope of 20 heads.
TEST(BiasBudget, HasRoomForTheBaseOfTwentyHeads) {
  Engine engine(test_seed());
  const auto use = [&](Neighbour neighbour) {
    return greatest_use({20, 8, Format::binary32}, BiasOrder::power, neighbour, engine);
  };
  EXPECT_LE(std::max(use(Neighbour::lower), use(Neighbour::upper)), 1);
}

/// Nor for a max_bias that is off by a millionth of itself.
TEST(BiasBudget, HasNoRoomForAnotherBias) {
  Engine engine(test_seed());
  for (const double wrong : {-0.01, 0.01, -1e-4, -1e-5}) {
    EXPECT_GT(greatest_use({20, 8, Format::binary32}, BiasOrder::power, Neighbour::drawn, engine, wrong), 1)
        << wrong;
  }
}

}  // namespace
}  // namespace vernier
