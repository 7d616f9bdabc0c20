#pragma once

#include <cassert>
#include <vector>

#include "props/literature/exact_inputs.hpp"
#include "reference/numbers/interval.hpp"

namespace vernier {

/// One row a token, in any type of number that has +, *, / and exp and is made from an Interval.
template <class Number>
using Tokens = std::vector<std::vector<Number>>;

/// The projections of one attention head, d x d each.
struct AttentionWeights {
  RationalMatrix query;
  RationalMatrix key;
  RationalMatrix value;
};

/// x W, row by row.
template <class Number>
Tokens<Number> projected(const Tokens<Number>& x, const RationalMatrix& weights) {
  Tokens<Number> y(x.size(),
                   std::vector<Number>(static_cast<std::size_t>(weights.cols()), Number(Interval(0))));
  for (std::size_t token = 0; token < x.size(); ++token) {
    assert(std::ssize(x[token]) == weights.rows());
    for (Eigen::Index j = 0; j < weights.cols(); ++j) {
      for (Eigen::Index i = 0; i < weights.rows(); ++i) {
        auto& sum = y[token][static_cast<std::size_t>(j)];
        sum = sum + x[token][static_cast<std::size_t>(i)] * Number(enclose(weights(i, j)));
      }
    }
  }
  return y;
}

/// softmax(Q K^T / sqrt(d_k)): one row a query, one column a key.
template <class Number>
Tokens<Number> attention_probabilities(const Tokens<Number>& queries, const Tokens<Number>& keys) {
  const Interval scale = 1 / sqrt(enclose(std::int64_t{std::ssize(keys.front())}));
  Tokens<Number> probabilities;
  for (const auto& query : queries) {
    std::vector<Number> row;
    Number total(Interval(0));
    for (const auto& key : keys) {
      Number score(Interval(0));
      for (std::size_t i = 0; i < key.size(); ++i) {
        score = score + query[i] * key[i];
      }
      row.push_back(exp(Number(score * Number(scale))));
      total = total + row.back();
    }
    for (auto& probability : row) {
      probability = probability / total;
    }
    probabilities.push_back(std::move(row));
  }
  return probabilities;
}

/// softmax(Q K^T / sqrt(d_k)) V.
template <class Number>
Tokens<Number> attention(const Tokens<Number>& queries, const Tokens<Number>& keys,
                         const Tokens<Number>& values) {
  Tokens<Number> mixed;
  for (const auto& probabilities : attention_probabilities(queries, keys)) {
    std::vector<Number> row(values.front().size(), Number(Interval(0)));
    for (std::size_t token = 0; token < values.size(); ++token) {
      for (std::size_t i = 0; i < row.size(); ++i) {
        row[i] = row[i] + probabilities[token] * values[token][i];
      }
    }
    mixed.push_back(std::move(row));
  }
  return mixed;
}

/// Attention of the tokens to themselves, without a mask.
template <class Number>
Tokens<Number> self_attention(const Tokens<Number>& x, const AttentionWeights& weights) {
  return attention(projected(x, weights.query), projected(x, weights.key), projected(x, weights.value));
}

}  // namespace vernier
