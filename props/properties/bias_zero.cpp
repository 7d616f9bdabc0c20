#include <cmath>

#include "props/properties/bias_rows.hpp"
#include "props/properties/property.hpp"

namespace vernier {
namespace {

void judge_own_bias(const BiasView& view, PropertyTally& tally) {
  for_each_row(view, [&](std::size_t head, std::size_t query, const std::vector<std::size_t>&) {
    const auto own = view.keys.size() - view.queries + query;
    const auto bias = view.at(head, query, own);
    tally.must_hold(std::fabs(bias.value) <= bias.allowed, [&] { return place_of(view, head, query, own); });
  });
}

}  // namespace

Property bias_zero_property() {
  return {.id = "bias-zero",
          .name = "A token has no bias on itself",
          .statement = "b(q, q) = 0",
          .hypotheses = "biases of a distance",
          .citation = "Press et al. 2022, section 3",
          .counterexample = "distances counted from 1, or from another key than the query",
          .biases = judge_own_bias};
}

}  // namespace vernier
