#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace vernier {

/// A place in the computation of a table, or of a rotation by one, at which programs part. In the order in
/// which a program comes to them.
enum class ArithmeticStage {
  order,       ///< of the operations that give a frequency
  exponent,    ///< how 2i/d is computed
  library,     ///< format and library of these operations
  frequency,   ///< what the frequency is rounded to before use
  position,    ///< what the position is rounded to
  phase,       ///< format of the product of position and frequency
  sine,        ///< format and library of sine and cosine
  amplitude,   ///< before or after the table is stored; only where there is one
  format,      ///< of the table; only where no table is stored
  table,       ///< how the table is rounded
  narrowing,   ///< what the table is rounded to before the rotation
  products_0,  ///< of y0 = x0 cos - x1 sin: formats, and which product is fused
  store_0,     ///< how y0 is rounded
  products_1,  ///< the same of y1 = x1 cos + x0 sin
  store_1
};
inline constexpr std::size_t arithmetic_stages = 15;
inline constexpr auto all_arithmetic_stages = [] {
  std::array<ArithmeticStage, arithmetic_stages> result{};
  for (std::size_t i = 0; i < result.size(); ++i) {
    result[i] = static_cast<ArithmeticStage>(i);
  }
  return result;
}();

/// Whether it turns vectors; the others make the table that they turn by.
constexpr bool is_of_rotation(ArithmeticStage stage) {
  return stage >= ArithmeticStage::narrowing;
}

/// One of the ways that a stage may take.
struct ArithmeticWay {
  std::string id;       ///< "float32-glibc"
  std::string words;    ///< "sine and cosine in float32 by the C library (glibc 2.36)"
  std::string version;  ///< of the library that decides its bits: "glibc-2.36"; of others empty
};

/// The stage as documents and contracts call it: "y0_products".
std::string_view id_of(ArithmeticStage stage);
/// All ways of a stage; a computation names them by their indices. Those of order, exponent, frequency and
/// position begin with the rows of programs, as ways_that_end() has them (program/way.hpp).
std::span<const ArithmeticWay> ways_of(ArithmeticStage stage);

/// The index of a way. \pre the stage has it
std::int8_t index_of_way(ArithmeticStage stage, std::string_view id);

/// A computation: for each stage the index of its way, or not_there.
using ArithmeticWays = std::array<std::int8_t, arithmetic_stages>;
inline constexpr std::int8_t not_there = -1;
inline constexpr ArithmeticWays no_arithmetic = [] {
  ArithmeticWays result{};
  result.fill(not_there);
  return result;
}();

inline std::int8_t& at(ArithmeticWays& one, ArithmeticStage stage) {
  return one[static_cast<std::size_t>(stage)];
}
inline std::int8_t at(const ArithmeticWays& one, ArithmeticStage stage) {
  return one[static_cast<std::size_t>(stage)];
}
template <class Way>
Way way_at(const ArithmeticWays& one, ArithmeticStage stage) {
  return static_cast<Way>(at(one, stage));
}
/// Two computations of which each has stages that the other has not; the first's where both have one.
ArithmeticWays joined_ways(ArithmeticWays first, const ArithmeticWays& second);
/// The way that it takes. \pre the stage is there
const ArithmeticWay& way_of(const ArithmeticWays& one, ArithmeticStage stage);

/// Its ways in words, one after another: "1/pow(b, e) in float32 ...; phase in float32; ..."
std::string sentence_of(const ArithmeticWays& one);

/// \name Indices of ways, in the order of arithmetic_stages.json
/// @{
enum class FormulaLibrary : std::int8_t {
  exact_float32,
  glibc_float32,
  float64,
  rounded_float64,
  bfloat16,
  float16,
  sleef_float32,
  sleef_float64
};
enum class PhaseFormat : std::int8_t { float32, float64, rounded_float64, bfloat16, float16, iterated };
enum class SineFunction : std::int8_t {
  exact_float32,
  glibc_float32,
  float64,
  exact_float64,
  sleef_float32_by_8,
  sleef_float32_by_16,
  sleef_float64_by_4,
  sleef_float64_by_8
};
enum class AmplitudePlace : std::int8_t { before_store, after_store };
enum class StoreMode : std::int8_t {
  nearest,
  cut,
  half_up,
  float32_nearest,
  float32_cut,
  float32_half_up,
  by_bfloat16,
  by_float16,
  flushed
};
enum class TableNarrowing : std::int8_t { kept, bfloat16, float16, float32 };
enum class ProductOrder : std::int8_t { each, fused_on_x0, fused_on_x1, three_products };
/// Of products: the order and the format, one after another.
inline constexpr std::size_t product_orders = 4;
template <class Way>
constexpr std::int8_t index_of(Way way) {
  return static_cast<std::int8_t>(way);
}
/// @}

}  // namespace vernier
