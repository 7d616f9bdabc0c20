#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "numerics/tensors/spread_indices.hpp"
#include "numerics/views/row_view.hpp"
#include "props/judging/property_tally.hpp"

namespace vernier {

/// A number, and the most that it may be off by if the contract is kept.
struct Measured {
  double value = 0;
  double allowed = 0;
};

/// What properties see of biases on attention scores. Slopes are biases of one query and one key.
struct BiasView {
  std::size_t heads = 0;
  std::size_t queries = 0;
  std::vector<std::int64_t> keys;  ///< their positions; the queries are at the last of them
  std::function<Measured(std::size_t head, std::size_t query, std::size_t key)> at;

  /// The queries and keys that are looked at: all, or so many that a tensor of any size takes a moment. The
  /// elements are judged one by one elsewhere.
  std::vector<std::size_t> seen_queries = {};
  std::vector<std::size_t> seen_keys = {};

  std::int64_t query_position(std::size_t query) const { return keys[keys.size() - queries + query]; }
};

/// What the scheme defines for the heads, queries and keys of a tensor.
BiasView reference_view(const RowView& biases);
/// What an implementation made of them.
BiasView view_of(const RowView& biases);

// What judges of biases share.

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
