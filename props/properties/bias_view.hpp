#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace vernier {

struct BiasTensor;

/// A number, and the most that it may be off by if the contract is kept.
struct Measured {
  double value = 0;
  double allowed = 0;
};

/// `most` of the indices below `count`, evenly spread with both ends; all if there are no more.
std::vector<std::size_t> spread_indices(std::size_t count, std::size_t most);

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
/// \param bias, keys outlive the view
BiasView reference_view(const BiasTensor& bias, std::span<const std::int64_t> keys);
/// What an implementation made of them.
BiasView view_of(const BiasTensor& bias, std::span<const std::int64_t> keys);

}  // namespace vernier
