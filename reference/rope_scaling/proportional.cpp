#include "reference/rope_scaling/proportional.hpp"

#include <fmt/core.h>

#include "reference/rope_scaling/scaling_parameters.hpp"

namespace vernier {

void ProportionalScaling::keys(KeyVisitor& visit, const RotaryContext& context) {
  const Rational pairs = context.partial_rotary_factor * context.head_dim / 2;
  visit.fallback(live_pairs,
                 static_cast<int>(boost::multiprecision::mpz_int(numerator(pairs) / denominator(pairs))));
  visit.require_all(live_pairs >= 1,
                    fmt::format("expected a partial_rotary_factor that leaves at least one of {} pairs live",
                                context.head_dim / 2));
  visit_scaling_factor(visit, factor, KeyVisitor::Presence::defaulted);
}

std::string ProportionalScaling::summary() const {
  return fmt::format("proportional, {} pairs live{}", live_pairs,
                     factor == 1 ? "" : ", divided by " + to_string(factor));
}

}  // namespace vernier
