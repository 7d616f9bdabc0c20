#include "reference/rope_scaling/proportional.hpp"

#include <fmt/core.h>

#include "reference/rope_scaling/scaling_parameters.hpp"
#include "reference/schemes/parameters.hpp"

namespace vernier {

ProportionalScaling ProportionalScaling::read(ObjectReader& reader, const RotaryContext& context) {
  const Rational pairs = context.partial_rotary_factor * context.head_dim / 2;
  const auto live = static_cast<int>(boost::multiprecision::mpz_int(numerator(pairs) / denominator(pairs)));
  if (live < 1) {
    reader.refuse_all(fmt::format(
        "expected a partial_rotary_factor that leaves at least one of {} pairs live", context.head_dim / 2));
  }
  return {live, read_optional_scaling_factor(reader).value_or(1)};
}

OrderedJson ProportionalScaling::parameters() const {
  return {{"factor", json_number(factor)}};
}

std::string ProportionalScaling::summary() const {
  return fmt::format("proportional, {} pairs live{}", live_pairs,
                     factor == 1 ? "" : ", divided by " + to_string(factor));
}

}  // namespace vernier
