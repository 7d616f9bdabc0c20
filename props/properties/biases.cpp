#include <algorithm>
#include <cmath>

#include "props/judging/property.hpp"
#include "props/properties/bias_view.hpp"

namespace vernier {
namespace {

/// The chord between the first and the last key holds all others: the widest triples, in which what each
/// bias may be off by counts least.
void judge_bias_line(const BiasView& view, PropertyTally& tally) {
  for_each_row(view, [&](std::size_t head, std::size_t query, const std::vector<std::size_t>& keys) {
    if (keys.size() < 3) {
      return;
    }
    const auto first = view.at(head, query, keys.front());
    const auto last = view.at(head, query, keys.back());
    const auto from_first = [&](std::size_t key) {
      return static_cast<double>(view.keys[key] - view.keys[keys.front()]);
    };
    const double span = from_first(keys.back());
    for (std::size_t i = 1; i + 1 < keys.size(); ++i) {
      const auto bias = view.at(head, query, keys[i]);
      const double along = from_first(keys[i]);
      const double rise = bias.value - first.value;
      const double whole = last.value - first.value;
      const double terms = (std::fabs(bias.value) + std::fabs(first.value)) * span +
                           (std::fabs(last.value) + std::fabs(first.value)) * along;
      tally.must_vanish(rise * span - whole * along,
                        (bias.allowed + first.allowed) * span + (last.allowed + first.allowed) * along +
                            bias_rounding * terms,
                        std::fabs(whole) * span, [&] { return place_of(view, head, query, keys[i]); });
    }
  });
}

void judge_own_bias(const BiasView& view, PropertyTally& tally) {
  for_each_row(view, [&](std::size_t head, std::size_t query, const std::vector<std::size_t>&) {
    const auto own = view.keys.size() - view.queries + query;
    const auto bias = view.at(head, query, own);
    tally.must_hold(std::fabs(bias.value) <= bias.allowed, [&] { return place_of(view, head, query, own); });
  });
}

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

std::vector<Property> bias_properties() {
  return {{.id = "bias-line", .biases = judge_bias_line},
          {.id = "bias-zero", .biases = judge_own_bias},
          {.id = "bias-ratio", .biases = judge_bias_ratio}};
}

}  // namespace vernier
