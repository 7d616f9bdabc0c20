#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "reference/frequencies/amplitude.hpp"
#include "reference/frequencies/frequency_families.hpp"

namespace vernier {

class KeyVisitor;

/// What a RoPE scaling does with a pair: leaves its frequency as it is, divides it by the whole factor, or
/// something between.
enum class PairTreatment { unchanged, blended, divided };

/// What a RoPE scaling may depend on beside its own parameters.
struct RotaryContext {
  Rational rope_theta;                                       ///< b > 1
  int head_dim = 0;                                          ///< even
  int rotary_dim = 0;                                        ///< r, even, in [2, head_dim]
  Rational partial_rotary_factor = 1;                        ///< as the spec gives it, in (0, 1]
  std::optional<std::int64_t> max_position_embeddings = {};  ///< the model's stated context
  std::optional<std::int64_t> sequence_length = {};          ///< L, of the sequence that is encoded

  /// b^(-2i/r), what scaling starts from.
  GeometricFrequencies progression() const { return {rope_theta, Rational(2, rotary_dim), rotary_dim / 2}; }
  /// L, or where it is not said the whole context.
  std::optional<std::int64_t> length() const {
    return sequence_length ? sequence_length : max_position_embeddings;
  }
};

/// (1 - t) + t / s: a frequency of which the share t is divided by s.
inline Interval partly_divided(const Interval& share, const Rational& factor) {
  return 1 - share * enclose(Rational(1 - 1 / factor));
}

/// The share of a frequency that is divided: 0 and 1 exactly in the outer treatments, and what `blended`
/// encloses between them.
template <class Blended>
Interval share_in(PairTreatment treatment, Blended blended) {
  switch (treatment) {
    case PairTreatment::unchanged:
      return enclose(std::int64_t{0});
    case PairTreatment::divided:
      return enclose(std::int64_t{1});
    case PairTreatment::blended:
      break;
  }
  return blended();
}

/// \name Keys that several scalings have
/// @{
/// "factor", s.
void visit_scaling_factor(KeyVisitor& visit, Rational& factor, bool is_required = true);
/// "original_max_position_embeddings", the length the model was trained with before it was extended.
void visit_original_length(KeyVisitor& visit, std::int64_t& length);
/// The same, or where it is absent the model's stated context.
void visit_original_length(KeyVisitor& visit, std::int64_t& length, const RotaryContext& context);
/// "factor", or where it is absent the stated context over the original length.
void visit_extension(KeyVisitor& visit, Rational& factor, std::int64_t original_length,
                     const RotaryContext& context);
/// "attention_factor", what multiplies cosine and sine.
void visit_attention_factor(KeyVisitor& visit, std::optional<Rational>& factor);
/// @}

/// The length that a scaling depends on, which its context says. \param what_for in a refusal of none
void take_length(KeyVisitor& visit, std::int64_t& length, const RotaryContext& context,
                 std::string_view what_for);

}  // namespace vernier
