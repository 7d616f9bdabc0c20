#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "reference/support/input_error.hpp"

namespace vernier {

/// Transformer-XL's relative shift (Dai et al. 2019, appendix B): scores [Q, K] of each query with the rows
/// of K descending offsets, K - 1 .. 0, become scores with K keys, where the Q queries are the last Q of the
/// K positions. Done as the authors' code does it, by memory layout: put a column of zeros on the left, read
/// the Q x (K + 1) numbers as K + 1 rows of Q, drop the first row, read the rest as Q rows of K.
///
/// Entry (q, k) of the result is the score of the offset i - k, i = K - Q + q, if k <= i. Where k > i, in the
/// upper triangle, it is no score of this query: a zero for k = i + 1, and beyond it a score of the next
/// query. A causal mask hides these; nothing else may read them. \param scores row by row, queries * keys
/// elements \param queries at most keys
template <class Number>
std::vector<Number> causal_relative_shift(std::span<const Number> scores, std::size_t queries,
                                          std::size_t keys) {
  if (queries > keys || scores.size() != queries * keys) {
    throw InputError("relative shift: found " + std::to_string(scores.size()) + " scores of " +
                     std::to_string(queries) + " queries and " + std::to_string(keys) +
                     " keys, expected their product, and no more queries than keys");
  }
  std::vector<Number> padded;
  padded.reserve(queries * (keys + 1));
  for (std::size_t query = 0; query < queries; ++query) {
    padded.push_back(Number(0));
    const auto row = scores.subspan(query * keys, keys);
    padded.insert(padded.end(), row.begin(), row.end());
  }
  padded.erase(padded.begin(), padded.begin() + static_cast<std::ptrdiff_t>(queries));
  return padded;
}

/// The same where queries see keys on both sides: scores [Q, K + Q - 1] of each query with the rows of the
/// descending offsets K - 1 .. -(Q - 1) become scores [Q, K], of the offset i - k, i = K - Q + q, everywhere.
/// \param scores row by row, queries * (keys + queries - 1) elements \param queries at most keys
template <class Number>
std::vector<Number> bidirectional_relative_shift(std::span<const Number> scores, std::size_t queries,
                                                 std::size_t keys) {
  const auto offsets = keys + queries - 1;
  if (queries == 0 || queries > keys || scores.size() != queries * offsets) {
    throw InputError("relative shift: found " + std::to_string(scores.size()) + " scores of " +
                     std::to_string(queries) + " queries and " + std::to_string(keys) +
                     " keys, expected one for each of the keys + queries - 1 offsets of each of at least one "
                     "query, and no more queries than keys");
  }
  std::vector<Number> shifted;
  shifted.reserve(queries * keys);
  for (std::size_t query = 0; query < queries; ++query) {
    // The offset i - k of key k lies K - 1 - (i - k) = k + Q - 1 - q places from the left.
    const auto row = scores.subspan(query * offsets + (queries - 1 - query), keys);
    shifted.insert(shifted.end(), row.begin(), row.end());
  }
  return shifted;
}

}  // namespace vernier
