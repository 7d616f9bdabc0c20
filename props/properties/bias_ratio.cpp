#include <algorithm>
#include <cmath>

#include "props/properties/bias_rows.hpp"
#include "props/properties/property.hpp"

namespace vernier {
namespace {

/// b_(h-1) b_(h+1) = b_h^2, at the key whose bias says most. With b + e for b in all three, the left side is
/// off by |b_(h-1)| e + |b_(h+1)| e + e e and the right one by 2 |b_h| e + e^2.
void judge_bias_ratio(const BiasView& view, PropertyTally& tally) {
  if (view.heads < 3) {
    return;
  }
  std::size_t query = view.seen_queries.front();
  std::size_t key = view.seen_keys.front();
  for (const auto q : view.seen_queries) {
    for (const auto k : view.seen_keys) {
      if (std::fabs(view.at(0, q, k).value) > std::fabs(view.at(0, query, key).value)) {
        query = q;
        key = k;
      }
    }
  }
  for (std::size_t head = 1; head + 1 < view.heads; ++head) {
    const auto before = view.at(head - 1, query, key);
    const auto bias = view.at(head, query, key);
    const auto after = view.at(head + 1, query, key);
    const double square = bias.value * bias.value;
    const double product = before.value * after.value;
    const double allowed = std::fabs(before.value) * after.allowed + std::fabs(after.value) * before.allowed +
                           before.allowed * after.allowed + 2 * std::fabs(bias.value) * bias.allowed +
                           bias.allowed * bias.allowed + bias_rounding * (square + std::fabs(product));
    tally.must_vanish(product - square, allowed, std::max(square, std::fabs(product)),
                      [&] { return place_of(view, head, query, key); });
  }
}

}  // namespace

Property bias_ratio_property() {
  return {.id = "bias-ratio",
          .name = "Slopes fall by one ratio from head to head",
          .statement = "b(h - 1) b(h + 1) = b(h)^2 at every key",
          .hypotheses = "slopes that are a geometric sequence: a power of two of heads",
          .citation = "Press et al. 2022, section 3",
          .counterexample = "heads in another order, or slopes on a straight line",
          .biases = judge_bias_ratio};
}

}  // namespace vernier
