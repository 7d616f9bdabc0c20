#include <algorithm>

#include "props/properties/bias_view.hpp"
#include "props/properties/property.hpp"
#include "props/properties/turn_rows.hpp"

namespace vernier {
namespace {

void judge_scales_of_keys(const TurnView& view, PropertyTally& tally) {
  if (!view.key) {
    return;
  }
  for (const auto row : spread_indices(view.rows, std::max<std::size_t>(2, most_turns / view.pairs()))) {
    for (std::size_t pair = 0; pair < view.pairs(); ++pair) {
      const auto query = view.query(row, pair);
      const auto key = view.key(row, pair);
      if (!query || !key) {
        continue;
      }
      const double q = square_of(*query);
      const double k = square_of(*key);
      const double expected = query->radius * query->radius * key->radius * key->radius;
      const double dq = square_error(*query);
      const double dk = square_error(*key);
      tally.must_vanish(q * k - expected, q * dk + k * dq + dq * dk + turn_rounding * (q * k + expected),
                        expected, [&] { return place_of(view, pair, row); });
    }
  }
}

}  // namespace

Property keys_undo_queries_property() {
  return {
      .id = "keys-undo-queries",
      .name = "The scale of a key undoes that of a query at its position",
      .statement = "(c_p^2 + s_p^2) (c'_p^2 + s'_p^2) = A^4, ' of keys",
      .hypotheses = "xPos: tables or rotated vectors of queries and of keys",
      .citation = "Sun et al. 2022, section 2: keys are scaled by the inverse",
      .counterexample = "a key scaled like a query, or about another centre: scores grow with the position",
      .turns = judge_scales_of_keys};
}

}  // namespace vernier
