#pragma once

#include <string>
#include <string_view>
#include <variant>

#include "reference/frequencies/rope_scaling/blended.hpp"
#include "reference/frequencies/rope_scaling/divided.hpp"
#include "reference/frequencies/rope_scaling/ntk.hpp"

namespace vernier {

/// How the frequencies of RoPE are changed to reach further than the length they were trained with. Each
/// alternative is a struct here with `type`, keys(), summary() and ==, and one of three ways to say what
/// becomes of a pair: divided(), what its frequency is multiplied by where none is blended; alpha(), by which
/// the base is stretched; or treatment() and multiplier() of its own. amplitude() is 1 where it is not said.
/// A new one is one more, and one name in this list.
using RopeScaling =
    std::variant<Unscaled, LinearScaling, StaticNtk, DynamicNtk, QwenDynamicNtk, NtkByParts, YarnScaling,
                 LongRopeScaling, Llama3Scaling, ProportionalScaling, RiflexScaling, MixedNtk>;

/// Whether the scaling is one of the whole head, whatever part of it rotates.
bool spans_head(std::string_view type);

/// "rope_type", which says what scaling it is. \param has_older_names whether "type" is read too, and what
/// types were called before
void visit_rope_type(KeyVisitor& visit, RopeScaling& scaling, bool has_older_names);
/// The keys of the scaling itself.
void visit_keys(KeyVisitor& visit, RopeScaling& scaling, const RotaryContext& context);

std::string summary(const RopeScaling& scaling);
/// What cosine and sine are multiplied by.
Amplitude amplitude(const RopeScaling& scaling);

/// \name What a rule does with a pair, and what it multiplies its frequency by. \param unscaled frequencies
/// @{
template <class Rule>
PairTreatment treatment_of(const Rule& rule, const GeometricFrequencies& unscaled, int pair) {
  if constexpr (requires { rule.treatment(unscaled, pair); }) {
    return rule.treatment(unscaled, pair);
  } else if constexpr (requires { rule.alpha(); }) {
    return stretched_band(rule.alpha(), unscaled, pair);
  } else {
    return rule.divided(pair) == 1 ? PairTreatment::unchanged : PairTreatment::divided;
  }
}

template <class Rule>
Interval multiplier_of(const Rule& rule, const GeometricFrequencies& unscaled, int pair) {
  if constexpr (requires { rule.multiplier(unscaled, pair); }) {
    return rule.multiplier(unscaled, pair);
  } else if constexpr (requires { rule.alpha(); }) {
    return stretched_base(rule.alpha(), unscaled, pair);
  } else {
    return enclose(rule.divided(pair));
  }
}
/// @}

}  // namespace vernier
