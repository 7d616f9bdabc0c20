#include <cmath>

#include "props/properties/bias_rows.hpp"
#include "props/properties/property.hpp"

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

}  // namespace

Property bias_line_property() {
  return {.id = "bias-line",
          .name = "Biases lie on one line",
          .statement =
              "(b(q, k) - b(q, j)) (l - j) = (b(q, l) - b(q, j)) (k - j) for all keys j, k, l up to "
              "the query q: each token further back costs as much as the one before, and a row "
              "differs from that of any other position by a constant that the softmax does not see",
          .hypotheses = "linear biases",
          .citation = "Press et al. 2022, section 3",
          .counterexample = "a key whose bias leaves the line: its position was rounded, clipped or wrapped",
          .biases = judge_bias_line};
}

}  // namespace vernier
