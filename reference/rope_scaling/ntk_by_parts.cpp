#include "reference/rope_scaling/ntk_by_parts.hpp"

#include <fmt/core.h>

#include "reference/rope_scaling/ntk.hpp"
#include "reference/rope_scaling/scaling_parameters.hpp"

namespace vernier {
namespace {

/// Fills a range of pairs that turn between `slow` and `fast` times.
void make_range(KeyVisitor& visit, CorrectionRange& range, const RotaryContext& context,
                std::int64_t original_length, const Rational& fast, const Rational& slow) {
  if (!visit.fills()) {
    return;
  }
  const auto made = CorrectionRange::make(
      {context.rope_theta, context.rotary_dim, original_length, fast, slow, true, context.rotary_dim - 1});
  visit.require_all(
      made && context.rotary_dim >= 4,
      fmt::format("expected pairs that turn between {} and {} times within original_max_position_embeddings",
                  to_string(slow), to_string(fast)));
  range = made.value_or(range);
}

}  // namespace

void NtkByParts::keys(KeyVisitor& visit, const RotaryContext& context) {
  visit_original_length(visit, original_length);
  visit_extension(visit, factor, original_length, context);
  make_range(visit, inner, context, original_length, Rational(5, 4), Rational(3, 4));
  make_range(visit, outer, context, original_length, 16, 2);
}

std::string NtkByParts::summary() const {
  return fmt::format("NTK-by-parts by {} of {}", to_string(factor), original_length);
}

PairTreatment NtkByParts::treatment(const GeometricFrequencies& unscaled, int pair) const {
  if (factor == 1 || outer.treatment(pair) == PairTreatment::unchanged) {
    return PairTreatment::unchanged;
  }
  // The NTK-aware base divides the last pair by the whole factor, so there the inner ramp changes nothing.
  const bool inner_done = inner.treatment(pair) == PairTreatment::divided || pair + 1 == unscaled.pairs;
  return outer.treatment(pair) == PairTreatment::divided && inner_done ? PairTreatment::divided
                                                                       : PairTreatment::blended;
}

Interval NtkByParts::multiplier(const GeometricFrequencies& unscaled, int pair) const {
  const Interval divided = inner.ramp(pair);
  const Interval scaled = outer.ramp(pair);
  const Interval within =
      enclose(Rational(1 / factor)) * divided + stretched_base(factor, unscaled, pair) * (1 - divided);
  return within * scaled + (1 - scaled);
}

}  // namespace vernier
