#pragma once

#include <cstddef>
#include <vector>

#include "props/properties/bias_view.hpp"
#include "props/properties/property_tally.hpp"

// What judges of biases share.

namespace vernier {

/// What the additions and products of a residual here may be off by, of the sum of the magnitudes of its
/// terms: at most four roundings of binary64 each, 2^-53 a time, and room.
inline constexpr double bias_rounding = 0x1p-50;

/// Where a bias is, and what it is.
PropertyTally::Place place_of(const BiasView& view, std::size_t head, std::size_t query, std::size_t key);

/// The keys at or before a query, by ascending position.
std::vector<std::size_t> causal_keys(const BiasView& view, std::size_t query);

/// Calls `judge(head, query, keys)` for each row, with the causal keys of the query.
template <class Judge>
void for_each_row(const BiasView& view, const Judge& judge) {
  for (const auto query : view.seen_queries) {
    const auto keys = causal_keys(view, query);
    for (std::size_t head = 0; head < view.heads; ++head) {
      judge(head, query, keys);
    }
  }
}

}  // namespace vernier
