#include "props/test/regressions.hpp"

#include <vector>

namespace vernier {
namespace {

LawCase pair_of_rows(std::int64_t d_model, std::int64_t t, std::int64_t k) {
  return {SinusoidalSpec{.d_model = d_model}, {{"t", t}, {"k", k}}};
}

LawCase pass_through(std::vector<double> x) {
  return {
      RopeSpec{.head_dim = 4, .partial_rotary_factor = Rational(1, 2)}, {{"m", 0}}, {{"x", std::move(x)}}};
}

}  // namespace

std::span<const Regression> regressions() {
  constexpr std::string_view rows = "sinusoidal/unique";
  constexpr std::string_view first_repeat = "first pair of equal rows after correct rounding";
  static const std::vector<Regression> all{
      // The limits that give the law its domain: few dimensions, and positions the format cannot hold.
      {rows, "float64-pow.bfloat16", pair_of_rows(2, 1, 710), false, first_repeat},
      {rows, "float64-pow.bfloat16", pair_of_rows(4, 7, 84823), false, first_repeat},
      {rows, "float64-pow.bfloat16", pair_of_rows(8, 10, 169646), false, first_repeat},
      {rows, "float64-pow.float16", pair_of_rows(2, 2, 710), false, first_repeat},
      {rows, "float64-pow.float16", pair_of_rows(4, 216, 410292), false, first_repeat},
      {rows, "float64-pow.float16", pair_of_rows(8, 4, 5730265), false, first_repeat},
      {rows, "float64-pow.float32", pair_of_rows(2, 1804, 10838702), false, first_repeat},
      {rows, "float64-pow.bfloat16", pair_of_rows(6, 1, 710), true, "d = 6 has no equal rows up to 2^24"},
      {rows, "bfloat16-throughout.bfloat16", pair_of_rows(512, 256, 1), false,
       "257 is not a bfloat16 number"},
      {rows, "bfloat16-throughout.bfloat16", pair_of_rows(512, 255, 1), true,
       "256 is the last integer before a gap"},
      {rows, "float16-throughout.float16", pair_of_rows(512, 2048, 1), false, "2049 is not a float16 number"},
      {rows, "float32-pow.float32", pair_of_rows(512, 1 << 24, 1), false, "2^24 + 1 is not a float32 number"},
      {rows, "float32-pow.float32", pair_of_rows(512, (1 << 24) - 1, 1), true,
       "2^24 is the last integer before a gap"},
      {rows, "reference", pair_of_rows(2, 1804, 10838702), true,
       "the reference tells apart what float32 cannot"},
      {rows, "certified-table", pair_of_rows(2, 1804, 10838702), true, "as the reference"},
      // Zero pairs, and dimensions that pass through next to one that does not.
      {"rope/constant-norm",
       "float32-iterated.bfloat16",
       {RopeSpec{.head_dim = 2, .rope_theta = 2}, {{"m", 1}}, {{"x", {0, 0}}}},
       true,
       "a pair of zeros stays zero"},
      {"rope/pass-through", "broken:pass-through-zeroed", pass_through({0, 0, 1, 0}), false,
       "the simplest one there is"},
      {"rope/pass-through", "broken:pass-through-zeroed", pass_through({1, 1, 0, 0}), true,
       "zeros hide the fault"},
  };
  return all;
}

}  // namespace vernier
