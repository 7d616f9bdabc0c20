// What computing the weights of resampled tables may cost, against PyTorch's computations with every step
// rounded to a format: none costs more, and the bounds are not many times as wide as what happens.

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "reference/schemes/resampled/resampling.hpp"

namespace vernier {
namespace {

using Mode = ResamplingRule::Mode;
using Border = ResamplingRule::Border;

/// PyTorch's weights of one new place, by old place.
class WeightSteps {
 public:
  WeightSteps(Format format, const ResamplingRule& rule, std::int64_t from, std::int64_t to)
      : format_(format), rule_(rule), from_(from), to_(to) {}

  std::vector<double> weights(std::int64_t place) const {
    std::vector<double> result(static_cast<std::size_t>(from_));
    const double i = r(static_cast<double>(place));
    const double step = rule_.align_corners ? r(static_cast<double>(from_ - 1) / static_cast<double>(to_ - 1))
                                            : r(static_cast<double>(from_) / static_cast<double>(to_));
    const double product = rule_.align_corners ? r(i * step) : r(r(i + 0.5) * step);
    if (rule_.antialias) {
      const double width = std::max(step, 1.0);
      double sum = 0;
      for (std::int64_t old = 0; old < from_; ++old) {
        auto& weight = result[static_cast<std::size_t>(old)];
        const double distance = std::fabs(r(r(static_cast<double>(old) - product) + 0.5));
        weight = kernel(r(distance * r(1 / width)));
        sum = r(sum + weight);
      }
      std::ranges::transform(result, result.begin(), [&](double weight) { return r(weight / sum); });
      return result;
    }
    double source = rule_.align_corners ? product : r(product - 0.5);
    source = rule_.mode == Mode::bilinear ? std::max(source, 0.0) : source;
    const double floor = std::floor(source);
    const double t = r(source - floor);
    const auto add = [&](int offset, double weight) {
      const auto old = std::clamp<std::int64_t>(static_cast<std::int64_t>(floor) + offset, 0, from_ - 1);
      result[static_cast<std::size_t>(old)] += weight;
    };
    const double rest = r(1 - t);
    add(0, kernel(t));
    add(1, kernel(rest));
    if (rule_.mode == Mode::bicubic) {
      add(-1, kernel(r(t + 1)));
      add(2, kernel(r(rest + 1)));
    }
    return result;
  }

 private:
  double r(double value) const { return round_to(format_, value); }

  double kernel(double x) const {
    if (rule_.mode == Mode::bilinear) {
      return x < 1 ? r(1 - x) : 0;
    }
    const double a = approximately(rule_.a);
    if (x < 1) {
      return r(r(r(r(r(r(a + 2) * x) - r(a + 3)) * x) * x) + 1);
    }
    return x < 2 ? r(r(r(r(r(r(a * x) - r(5 * a)) * x) + r(8 * a)) * x) - r(4 * a)) : 0;
  }

  Format format_;
  ResamplingRule rule_;
  std::int64_t from_;
  std::int64_t to_;
};

/// The largest share of its bound that a weight uses.
double greatest_share(Format format, const ResamplingRule& rule, std::int64_t from, std::int64_t to) {
  const WeightSteps steps(format, rule, from, to);
  double greatest = 0;
  const auto places = resampled_places(rule, from, to, std::nullopt);
  for (std::int64_t i = 0; i < to; ++i) {
    const auto& [taps, computation] = places[static_cast<std::size_t>(i)];
    const auto errors = computation.errors(traits(format).unit_roundoff());
    const auto computed = steps.weights(i);
    for (std::size_t tap = 0; tap < taps.size(); ++tap) {
      const double bound = errors.weights[tap].at_most(errors.coordinate);
      const double error = std::fabs(computed[static_cast<std::size_t>(taps[tap].place)] - taps[tap].share);
      EXPECT_LE(error, bound + 0x1p-48) << "place " << i << ", tap " << tap << " in " << traits(format).name;
      greatest = std::max(greatest, bound == 0 ? 0 : error / bound);
    }
  }
  return greatest;
}

constexpr std::array weight_formats{Format::binary32, Format::binary16, Format::bfloat16};

TEST(WeightErrors, OfBothKernelsCostNoMoreThanTheySay) {
  for (const auto format : weight_formats) {
    for (const bool align_corners : {false, true}) {
      const ResamplingRule linear{.mode = Mode::bilinear, .align_corners = align_corners};
      const ResamplingRule cubic{.mode = Mode::bicubic, .align_corners = align_corners};
      EXPECT_GT(greatest_share(format, linear, 14, 37), 0.1);
      EXPECT_GT(greatest_share(format, cubic, 14, 37), 0.05);
      EXPECT_GT(greatest_share(format, linear, 37, 14), 0.1);
    }
  }
}

TEST(WeightErrors, OfAveragesCostNoMoreThanTheySay) {
  for (const auto format : weight_formats) {
    EXPECT_GT(greatest_share(format, {.mode = Mode::bilinear, .antialias = true}, 37, 14), 0.05);
    EXPECT_GT(greatest_share(format, {.mode = Mode::bicubic, .antialias = true}, 37, 14), 0.02);
  }
}

/// -3/5 is no number of a format, and half an index beyond 128 none of bfloat16.
TEST(WeightErrors, OfNumbersThatTheFormatRoundsCostNoMoreThanTheySay) {
  for (const auto format : weight_formats) {
    EXPECT_GT(greatest_share(format, {.mode = Mode::bicubic, .a = Rational(-3, 5)}, 14, 37), 0.05);
  }
  EXPECT_GT(greatest_share(Format::bfloat16, {.mode = Mode::bilinear}, 300, 290), 0.1);
}

/// By the roundings of a + 2, 5a ..., and by those of i and i + 1/2.
TEST(WeightErrors, AreGreaterWhereTheFormatRoundsNumbers) {
  const double u = traits(Format::bfloat16).unit_roundoff();
  const auto of_cubic = [u](const Rational& a) {
    const auto places = resampled_places({.mode = Mode::bicubic, .a = a}, 14, 37, std::nullopt);
    double sum = 0;
    for (const auto& weight : places[17].computation.errors(u).weights) {
      sum += weight.rest;
    }
    return sum;
  };
  EXPECT_GT(of_cubic(Rational(-3, 5)), 1.05 * of_cubic(Rational(-5, 8)));
  const auto places = resampled_places({.mode = Mode::bilinear}, 300, 290, std::nullopt);
  EXPECT_GT(places[128].computation.errors(u).coordinate, 1.4 * places[127].computation.errors(u).coordinate);
}

/// A weight that is rounded to a format is one of the two numbers of it that its range rounds to.
TEST(WeightErrors, OfRoundedWeightsAreWholeSteps) {
  ResamplingRule rule{.mode = Mode::bilinear};
  const WeightSteps steps(Format::binary32, rule, 14, 37);
  rule.weight_format = Format::bfloat16;
  const auto places = resampled_places(rule, 14, 37, std::nullopt);
  for (std::int64_t i = 5; i < 30; ++i) {  // away from the ends, where two taps are one place
    const auto& [taps, computation] = places[static_cast<std::size_t>(i)];
    const auto errors = computation.errors(traits(Format::binary32).unit_roundoff());
    const auto computed = steps.weights(i);
    for (std::size_t tap = 0; tap < taps.size(); ++tap) {
      const double rounded = round_to(Format::bfloat16, computed[static_cast<std::size_t>(taps[tap].place)]);
      EXPECT_EQ(errors.weights[tap].slope, 0);
      EXPECT_LE(std::fabs(rounded - taps[tap].share), errors.weights[tap].rest) << i << ", " << tap;
      EXPECT_LE(errors.weights[tap].rest, ulp_at(Format::bfloat16, taps[tap].share) + 0x1p-20);
    }
  }
}

}  // namespace
}  // namespace vernier
