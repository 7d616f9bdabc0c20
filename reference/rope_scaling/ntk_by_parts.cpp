#include "reference/rope_scaling/ntk_by_parts.hpp"

#include <fmt/core.h>

#include "reference/rope_scaling/ntk.hpp"
#include "reference/rope_scaling/scaling_parameters.hpp"
#include "reference/schemes/parameters.hpp"

namespace vernier {
namespace {

CorrectionRange range_of(const ObjectReader& reader, const RotaryContext& context,
                         std::int64_t original_length, const Rational& fast, const Rational& slow) {
  const auto range = CorrectionRange::make(
      {context.rope_theta, context.rotary_dim, original_length, fast, slow, true, context.rotary_dim - 1});
  if (!range || context.rotary_dim < 4) {
    reader.refuse_all(fmt::format(
        "expected pairs that turn between {} and {} times within original_max_position_embeddings",
        to_string(slow), to_string(fast)));
  }
  return *range;
}

}  // namespace

NtkByParts NtkByParts::read(ObjectReader& reader, const RotaryContext& context) {
  const auto original_length = read_original_length(reader);
  const auto factor = read_extension(reader, context, original_length);
  return {factor, original_length, range_of(reader, context, original_length, Rational(5, 4), Rational(3, 4)),
          range_of(reader, context, original_length, 16, 2)};
}

OrderedJson NtkByParts::parameters() const {
  return {{"factor", json_number(factor)}, {"original_max_position_embeddings", original_length}};
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
