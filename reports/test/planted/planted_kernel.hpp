#pragma once

#include <complex>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "numerics/asking/covering/coordinates.hpp"
#include "numerics/asking/covering/predicate.hpp"

namespace vernier::planted {

/// What becomes of a vector that a fault meets.
enum class Effect : std::uint8_t {
  // It is rotated by another position:
  next,
  previous,
  row_index,
  counts_on,      ///< that of the first row, and one more a row
  first_row,      ///< that of the first row
  previous_row,   ///< that of the row before
  last_question,  ///< that of the same row in the last question
  wraps,          ///< modulo 2^exponent
  start,          ///< 0
  // It is rotated otherwise:
  other_pair,  ///< by the angles of the next pair
  scaled,      ///< times 1 + 2^-exponent
  sine_sign,
  swapped,  ///< sine and cosine
  unrotated,
  zero,
  not_a_number
};
inline constexpr std::size_t effect_count = static_cast<std::size_t>(Effect::not_a_number) + 1;

/// \name The encoding that planted kernels compute: RoPE whose last dimensions pass through
/// @{
inline constexpr std::size_t planted_head_dim = 64;
inline constexpr std::size_t planted_pairs = 24;
/// The angle by which a position turns a pair, in double.
double planted_phase(std::int64_t position, std::size_t pair);
/// @}

/// What the plug-in reads from the environment when it is loaded: its fault, and what it takes.
struct PlantedKernel {
  bool is_faulty = false;
  Predicate where = {};
  Effect effect = Effect::next;
  int exponent = 4;
  // Its interface and how it computes.
  bool has_tables = false;
  bool contiguous_only = false;
  bool one_length = false;
  bool takes_strides = true;
  bool takes_own_positions = true;
  bool computes_in_float32 = false;  ///< what is no float64
  bool varies = false;               ///< in the last bit, by call
  std::size_t rows_multiple = 1;     ///< it takes multiples of so many rows only
  std::size_t most_heads = 1 << 20;
  std::size_t most_batches = 1 << 20;
  std::size_t most_rank = 3;
  std::vector<std::string> declines = {};  ///< names of types

  /// Whether it answers such a question.
  bool answers(const QuestionPoint& question) const;
};

inline constexpr const char* planted_variable = "VERNIER_PLANTED_KERNEL";
/// From one line of JSON: {"where": [["position", "%==", 0, 256]], "effect": "wraps", "exponent": 12}
PlantedKernel parse_planted_kernel(std::string_view text);

/// The question that an answer of this shape is to. \param positions a row's, or those of each batch after
/// another \pre the shape has rows of numbers
QuestionPoint question_of(const Shape& answer, ElementType type, bool own_positions,
                          std::vector<std::int64_t> positions);

/// \name What the fault makes of a vector that it meets
/// @{
/// The position by which it is rotated. \param last the question before; null: none
std::int64_t misplaced(const PlantedKernel& kernel, const QuestionPoint& question, std::size_t index,
                       const QuestionPoint* last);
/// The pair whose angle is taken.
std::size_t mispaired(const PlantedKernel& kernel, std::size_t pair);
/// What becomes of a cosine and a sine. \param turn their real and imaginary part
std::complex<double> misturned(const PlantedKernel& kernel, std::complex<double> turn);
/// @}

}  // namespace vernier::planted
