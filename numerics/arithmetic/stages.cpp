// Every way of every stage: a row each.

#include "numerics/arithmetic/stages.hpp"

#include <cassert>

#include <fmt/format.h>

namespace vernier {
namespace {

constexpr std::array order_ways{
    ArithmeticWay{"1/pow", "frequency 1/pow(b, e)"},
    ArithmeticWay{"pow-negative", "frequency pow(b, -e)"},
    ArithmeticWay{"pow-reciprocal", "frequency pow(1/b, e)"},
    ArithmeticWay{"exp", "frequency exp(-e ln b)"},
    ArithmeticWay{"1/exp", "frequency 1/exp(e ln b)"},
    ArithmeticWay{"exp2", "frequency exp2(-e log2 b)"},
    ArithmeticWay{"exp-step", "frequency exp(2i c), c = -ln(b)/d made in float64"},
    ArithmeticWay{"exp-own-step", "frequency exp(2i c), c = -ln(b)/d made in its own format"},
    ArithmeticWay{"pow-ratio", "frequency pow(q, i), q = pow(b, -2/d)"},
    ArithmeticWay{"times-ratio", "frequency w *= q from pair to pair, q = pow(b, -2/d)"},
    ArithmeticWay{"interpolated", "frequency exp((1 - i/(n-1)) l - l), l = ln b (n-1) 2/d"},
    ArithmeticWay{"exact", "the true frequency, rounded once"},
    ArithmeticWay{"phase-times-ratio", "phase *= q from pair to pair, q = pow(b, -2/d)"},
    ArithmeticWay{"own-bits", "frequencies of other bits than any formula's, near the true ones"}};
constexpr std::array exponent_ways{ArithmeticWay{"quotient", "e = 2i/d"},
                                   ArithmeticWay{"product", "e = 2i (1/d)"}, ArithmeticWay{"none", ""}};
constexpr std::array library_ways{
    ArithmeticWay{"float32-exact", "in float32, each operation correctly rounded"},
    ArithmeticWay{"float32-glibc", "in float32 by the C library"},
    ArithmeticWay{"float64", "in float64 by the C library"},
    ArithmeticWay{"float64-rounded", "in float64 by the C library, rounded to float32"},
    ArithmeticWay{"bfloat16", "each operation in bfloat16"},
    ArithmeticWay{"float16", "each operation in float16"}};
constexpr std::array frequency_ways{ArithmeticWay{"kept", "frequency used as computed"},
                                    ArithmeticWay{"bfloat16", "frequency rounded to bfloat16"},
                                    ArithmeticWay{"float16", "frequency rounded to float16"}};
constexpr std::array position_ways{ArithmeticWay{"kept", "positions as they are"},
                                   ArithmeticWay{"bfloat16", "positions rounded to bfloat16"},
                                   ArithmeticWay{"float16", "positions rounded to float16"},
                                   ArithmeticWay{"tf32", "position and frequency rounded to TF32"}};
constexpr std::array phase_ways{ArithmeticWay{"float32", "phase in float32"},
                                ArithmeticWay{"float64", "phase in float64"},
                                ArithmeticWay{"float64-rounded", "phase in float64, rounded to float32"},
                                ArithmeticWay{"bfloat16", "phase rounded to bfloat16"},
                                ArithmeticWay{"float16", "phase rounded to float16"},
                                ArithmeticWay{"iterated", "phase carried from pair to pair in float32"}};
constexpr std::array sine_ways{
    ArithmeticWay{"float32-exact", "sine and cosine in float32, correctly rounded"},
    ArithmeticWay{"float32-glibc", "sine and cosine in float32 by the C library"},
    ArithmeticWay{"float64", "sine and cosine in float64 by the C library"},
    ArithmeticWay{"float64-exact", "sine and cosine in float64, correctly rounded"}};
constexpr std::array amplitude_ways{
    ArithmeticWay{"before-store", "amplitude multiplied before the table is stored"},
    ArithmeticWay{"after-store", "amplitude multiplied in the table's format"}};
constexpr std::array format_ways{
    ArithmeticWay{"float64", "table in float64"}, ArithmeticWay{"float32", "table in float32"},
    ArithmeticWay{"float16", "table in float16"}, ArithmeticWay{"bfloat16", "table in bfloat16"}};
constexpr std::array store_ways{
    ArithmeticWay{"nearest", "rounded to nearest"},
    ArithmeticWay{"cut", "cut, not rounded"},
    ArithmeticWay{"half-up", "rounded to nearest, ties away from zero"},
    ArithmeticWay{"float32-nearest", "rounded to float32 first"},
    ArithmeticWay{"float32-cut", "rounded to float32 first, then cut"},
    ArithmeticWay{"float32-half-up", "rounded to float32 first, then to nearest, ties away from zero"},
    ArithmeticWay{"by-bfloat16", "rounded to bfloat16 on the way"},
    ArithmeticWay{"by-float16", "rounded to float16 on the way"},
    ArithmeticWay{"flushed", "rounded to nearest, subnormal numbers set to zero"}};
constexpr std::array narrowing_ways{ArithmeticWay{"kept", "table used as stored"},
                                    ArithmeticWay{"bfloat16", "table rounded to bfloat16 before use"},
                                    ArithmeticWay{"float16", "table rounded to float16 before use"},
                                    ArithmeticWay{"float32", "table rounded to float32 before use"}};
// By format, widest first, and within a format by ProductOrder.
constexpr std::array product_ways{
    ArithmeticWay{"float64-each", "both products and the sum rounded to float64"},
    ArithmeticWay{"float64-fused-x0", "fused on x0's product in float64"},
    ArithmeticWay{"float64-fused-x1", "fused on x1's product in float64"},
    ArithmeticWay{"float64-three", "three products (Gauss) in float64"},
    ArithmeticWay{"float32-each", "both products and the sum rounded to float32"},
    ArithmeticWay{"float32-fused-x0", "fused on x0's product in float32"},
    ArithmeticWay{"float32-fused-x1", "fused on x1's product in float32"},
    ArithmeticWay{"float32-three", "three products (Gauss) in float32"},
    ArithmeticWay{"float16-each", "both products and the sum rounded to float16"},
    ArithmeticWay{"float16-fused-x0", "fused on x0's product in float16"},
    ArithmeticWay{"float16-fused-x1", "fused on x1's product in float16"},
    ArithmeticWay{"float16-three", "three products (Gauss) in float16"},
    ArithmeticWay{"bfloat16-each", "both products and the sum rounded to bfloat16"},
    ArithmeticWay{"bfloat16-fused-x0", "fused on x0's product in bfloat16"},
    ArithmeticWay{"bfloat16-fused-x1", "fused on x1's product in bfloat16"},
    ArithmeticWay{"bfloat16-three", "three products (Gauss) in bfloat16"}};

struct StageRow {
  std::string_view id;
  std::string_view before;  ///< its words
  std::span<const ArithmeticWay> ways;
};

constexpr std::array<StageRow, arithmetic_stages> stage_rows{{{"order", "", order_ways},
                                                              {"exponent", "", exponent_ways},
                                                              {"library", "", library_ways},
                                                              {"frequency", "", frequency_ways},
                                                              {"position", "", position_ways},
                                                              {"phase", "", phase_ways},
                                                              {"sine", "", sine_ways},
                                                              {"amplitude", "", amplitude_ways},
                                                              {"format", "", format_ways},
                                                              {"table", "table ", store_ways},
                                                              {"narrowing", "", narrowing_ways},
                                                              {"y0_products", "y0 ", product_ways},
                                                              {"y0_store", "y0 ", store_ways},
                                                              {"y1_products", "y1 ", product_ways},
                                                              {"y1_store", "y1 ", store_ways}}};

const StageRow& row_of(ArithmeticStage stage) {
  return stage_rows[static_cast<std::size_t>(stage)];
}

}  // namespace

std::string_view id_of(ArithmeticStage stage) {
  return row_of(stage).id;
}

std::span<const ArithmeticWay> ways_of(ArithmeticStage stage) {
  return row_of(stage).ways;
}

const ArithmeticWay& way_of(const ArithmeticWays& one, ArithmeticStage stage) {
  assert(at(one, stage) != not_there);
  return ways_of(stage)[static_cast<std::size_t>(at(one, stage))];
}

std::string sentence_of(const ArithmeticWays& one) {
  std::string result;
  for (std::size_t i = 0; i < arithmetic_stages; ++i) {
    const auto stage = static_cast<ArithmeticStage>(i);
    if (at(one, stage) != not_there && !way_of(one, stage).words.empty()) {
      result +=
          fmt::format("{}{}{}", result.empty() ? "" : "; ", row_of(stage).before, way_of(one, stage).words);
    }
  }
  return result;
}

}  // namespace vernier
