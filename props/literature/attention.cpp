#include <algorithm>
#include <numeric>

#include "props/judging/interval_predicates.hpp"
#include "props/literature/exact_inputs.hpp"
#include "props/literature/facts.hpp"
#include "props/literature/self_attention.hpp"
#include "props/literature/topics.hpp"
#include "props/models/trig_code.hpp"
#include "reference/schemes/sinusoidal.hpp"

namespace vernier {
namespace {

constexpr Eigen::Index token_width = 4;
constexpr std::size_t token_count = 5;

using Permutation = std::vector<std::size_t>;
using TokenRows = Tokens<Interval>;

AttentionWeights weights() {
  return {pseudo_random_rationals(token_width, token_width, 11),
          pseudo_random_rationals(token_width, token_width, 12),
          pseudo_random_rationals(token_width, token_width, 13)};
}

TokenRows enclosed_tokens(const RationalMatrix& matrix) {
  TokenRows rows;
  for (Eigen::Index i = 0; i < matrix.rows(); ++i) {
    rows.emplace_back();
    for (Eigen::Index j = 0; j < matrix.cols(); ++j) {
      rows.back().push_back(enclose(matrix(i, j)));
    }
  }
  return rows;
}

TokenRows some_tokens() {
  return enclosed_tokens(pseudo_random_rationals(token_count, token_width, 14));
}

/// x with the paper's encodings of the positions 0, 1 ... added.
TokenRows with_encodings(TokenRows x) {
  const TrigCode code(SinusoidalSpec{.d_model = token_width}.table());
  for (std::size_t t = 0; t < x.size(); ++t) {
    const auto p = code.code(static_cast<std::int64_t>(t));
    for (std::size_t i = 0; i < x[t].size(); ++i) {
      x[t][i] += p(static_cast<Eigen::Index>(i));
    }
  }
  return x;
}

TokenRows permuted(const TokenRows& x, const Permutation& order) {
  TokenRows y;
  for (const auto token : order) {
    y.push_back(x[token]);
  }
  return y;
}

/// The mean of the rows: a symmetric read-out.
TokenRows pooled(const TokenRows& x) {
  std::vector<Interval> mean(x.front().size(), Interval(0));
  for (const auto& row : x) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      mean[i] += row[i] / Interval(x.size());
    }
  }
  return {mean};
}

/// What the computation tells of two lists of rows that are compared element by element.
struct Comparison {
  bool may_be_equal = true;  ///< no element is certainly different
  double uncertainty = 0;    ///< the greatest magnitude that a difference could have
  double apart = 0;          ///< some element differs by at least this much
};

Comparison compare(const TokenRows& x, const TokenRows& y) {
  Comparison result;
  for (std::size_t t = 0; t < x.size(); ++t) {
    for (std::size_t i = 0; i < x[t].size(); ++i) {
      const Interval difference = x[t][i] - y[t][i];
      result.may_be_equal &= contains_zero(difference);
      result.uncertainty = std::max(result.uncertainty, greatest_magnitude(difference));
      result.apart = std::max(result.apart, least_magnitude(difference));
    }
  }
  return result;
}

/// Equal as far as 192 bits can tell: a difference of 2^-140 would have shown.
bool agree(const TokenRows& x, const TokenRows& y) {
  const auto comparison = compare(x, y);
  return comparison.may_be_equal && comparison.uncertainty < 0x1p-140;
}

bool differ(const TokenRows& x, const TokenRows& y) {
  return compare(x, y).apart > 0;
}

std::string by(const TokenRows& x, const TokenRows& y) {
  return digits(enclose(compare(x, y).apart), 4);
}

Permutation identity() {
  Permutation order(token_count);
  std::iota(order.begin(), order.end(), std::size_t{0});
  return order;
}

Permutation first_two_swapped() {
  auto order = identity();
  std::swap(order[0], order[1]);
  return order;
}

/// softmax(Q K^T / sqrt(d_k)) V: a weighted mean of the values.
void attention_definition(Facts& facts) {
  const auto x = some_tokens();
  bool weighted_means = true;
  for (const auto& row : attention_probabilities(x, x)) {
    Interval sum = 0;
    for (const auto& probability : row) {
      weighted_means &= certainly_less(Interval(0), probability);
      sum += probability;
    }
    weighted_means &= contains(sum, 1) && radius(sum) < 0x1p-140;
  }
  facts.add(weighted_means, "each token's weights are positive and add up to 1");
  const TokenRows equal_keys(token_count, x[2]);
  facts.add(agree(permuted(attention(x, equal_keys, x), {3}), pooled(x)),
            "equal keys give every value the same weight");
  const TokenRows query{{Interval(1), Interval(0), Interval(0), Interval(0)}};
  const TokenRows keys{{Interval(2), Interval(0), Interval(0), Interval(0)},
                       {Interval(0), Interval(0), Interval(0), Interval(0)}};
  const auto pair = attention_probabilities(query, keys).front();
  facts.add(contains_zero(pair[0] / pair[1] - exp(Interval(1))),
            "scores 2 and 0 at d_k = 4 weigh as e to 1: the scores were divided by 2, the root of d_k");
}

/// "Without a mask attention is symmetric in its inputs": attention(P X) = P attention(X), and whether a
/// number read from it is symmetric depends on where it is read.
void equivariance(Facts& facts) {
  const auto x = some_tokens();
  const auto y = self_attention(x, weights());
  bool equivariant = true;
  bool pooled_invariant = true;
  auto order = identity();
  int permutations = 0;
  do {
    const auto z = self_attention(permuted(x, order), weights());
    equivariant &= agree(z, permuted(y, order));
    pooled_invariant &= agree(pooled(z), pooled(y));
    ++permutations;
  } while (std::ranges::next_permutation(order).found);
  facts.add(equivariant, "for all {} orders of 5 tokens the outputs come in the order of the inputs",
            permutations);
  facts.add(pooled_invariant, "their mean is the same for each order");
  const auto swapped = self_attention(permuted(x, first_two_swapped()), weights());
  facts.add(agree(permuted(swapped, {2}), permuted(y, {2})),
            "the output at a token that stays does not see two others change places");
  facts.add(differ(permuted(swapped, {0}), permuted(y, {0})),
            "the output at the place of one of the two changes, by {}",
            by(permuted(swapped, {0}), permuted(y, {0})));
}

/// "Permutation invariance: exchanging positions leaves the weights unchanged."
void permutation_wording(Facts& facts) {
  const auto x = some_tokens();
  const auto probabilities = [](const TokenRows& tokens) {
    return attention_probabilities(projected(tokens, weights().query), projected(tokens, weights().key));
  };
  const auto order = first_two_swapped();
  const auto before = probabilities(x);
  const auto after = probabilities(permuted(x, order));
  facts.add(differ(after, before), "with two tokens exchanged a weight changes by {}", by(after, before));
  TokenRows moved = permuted(before, order);
  for (auto& row : moved) {
    std::swap(row[0], row[1]);
  }
  facts.add(agree(after, moved), "the matrix of weights has rows and columns exchanged, A becomes P A P^T");
  const auto outputs = self_attention(x, weights());
  facts.add(agree(self_attention(permuted(x, order), weights()), permuted(outputs, order)),
            "the outputs are exchanged alike: attention is equivariant");
  facts.add(differ(self_attention(permuted(x, order), weights()), outputs), "they are not invariant");
}

/// "The encodings break this symmetry."
void broken_by_encodings(Facts& facts) {
  const auto x = some_tokens();
  const auto order = first_two_swapped();
  facts.add(
      agree(self_attention(permuted(x, order), weights()), permuted(self_attention(x, weights()), order)),
      "without encodings, exchanged tokens exchange their outputs and nothing else");
  const auto kept = permuted(self_attention(with_encodings(x), weights()), order);
  const auto exchanged = self_attention(with_encodings(permuted(x, order)), weights());
  facts.add(differ(exchanged, kept), "with the paper's encodings added, an output differs by {}",
            by(exchanged, kept));
}

/// "Distinct encodings break the symmetry of f": of most f, not of one that sees the sum of its inputs only.
void encodings_break_symmetry(Facts& facts) {
  const auto x = some_tokens();
  const auto order = first_two_swapped();
  const auto before = pooled(self_attention(with_encodings(x), weights()));
  const auto after = pooled(self_attention(with_encodings(permuted(x, order)), weights()));
  facts.add(differ(after, before),
            "the mean output of attention, symmetric without encodings, "
            "changes by {} when two tokens are exchanged",
            by(after, before));
  // Exactly: any distinct encodings p_t, here (t, t^2, t^3, t^4).
  const RationalMatrix tokens = pseudo_random_rationals(token_count, token_width, 14);
  RationalMatrix encodings(tokens.rows(), tokens.cols());
  for (Eigen::Index t = 0; t < tokens.rows(); ++t) {
    for (Eigen::Index i = 0; i < token_width; ++i) {
      encodings(t, i) = i == 0 ? Rational(t) : encodings(t, i - 1) * t;
    }
  }
  RationalMatrix exchanged = tokens;
  exchanged.row(0).swap(exchanged.row(1));
  const RationalMatrix sum = (tokens + encodings).colwise().sum();
  const RationalMatrix sum_after = (exchanged + encodings).colwise().sum();
  facts.add(exchanged != tokens && sum == sum_after,
            "every f(x_1, x_2, ...) = h(x_1 + x_2 + ...) stays symmetric, whatever the encodings: the sum "
            "is exactly the same");
}

/// "The same words in another order have the same bag of words", and attention with a symmetric read-out
/// cannot tell them apart.
void bag_of_words(Facts& facts) {
  const std::vector<std::size_t> i_love_you{0, 1, 2};
  const std::vector<std::size_t> you_love_i{2, 1, 0};
  facts.add(i_love_you != you_love_i && std::ranges::is_permutation(i_love_you, you_love_i),
            "the two sentences of three words differ and have the same multiset of words");
  const auto x = some_tokens();
  const auto mean = [&](const Permutation& sentence, bool encoded) {
    const auto words = permuted(x, sentence);
    return pooled(self_attention(encoded ? with_encodings(words) : words, weights()));
  };
  facts.add(agree(mean(i_love_you, false), mean(you_love_i, false)),
            "the mean output of attention is the same for both");
  facts.add(differ(mean(i_love_you, true), mean(you_love_i, true)), "with encodings added it differs by {}",
            by(mean(i_love_you, true), mean(you_love_i, true)));
}

constexpr Eigen::Index concatenated_width = 6;
constexpr Eigen::Index position_count = 8;

/// [x; e_t] W for every t: row t is that of a token followed by the one-hot vector of its position.
RationalMatrix concatenated(const RationalMatrix& token, const RationalMatrix& weights) {
  RationalMatrix inputs(position_count, concatenated_width + position_count);
  inputs << token.replicate(position_count, 1), RationalMatrix::Identity(position_count, position_count);
  return inputs * weights;
}

/// "Concatenating a one-hot position and multiplying by W is adding": [x; e_t] W = x W_x + W_p[t], where W_x
/// is the upper and W_p the lower part of W.
void one_hot(Facts& facts) {
  const RationalMatrix token = pseudo_random_rationals(1, concatenated_width, 21);
  RationalMatrix weights =
      pseudo_random_rationals(concatenated_width + position_count, concatenated_width, 22);
  const RationalMatrix table = weights.bottomRows(position_count);
  const RationalMatrix result = concatenated(token, weights);
  const RationalMatrix projected = (token * weights.topRows(concatenated_width)).replicate(position_count, 1);
  facts.add(result == projected + table,
            "exactly, in rationals: at each of 8 positions the result is x W_x plus row t of W_p, a table "
            "that could be learned");
  const RationalMatrix added = token.replicate(position_count, 1) + table;
  facts.add(result != added, "for this W_x it is not x plus that row");
  weights.topRows(concatenated_width) = RationalMatrix::Identity(concatenated_width, concatenated_width);
  facts.add(concatenated(token, weights) == added, "for W_x = I it is");
}

}  // namespace

std::vector<Evidence> attention_evidence() {
  return {
      {"attention/definition", attention_definition},
      {"attention/equivariance", equivariance},
      {"attention/permutation-wording", permutation_wording},
      {"attention/broken-by-encodings", broken_by_encodings},
      {"attention/encodings-break-symmetry", encodings_break_symmetry},
      {"attention/bag-of-words", bag_of_words},
      {"attention/concatenation", one_hot},
  };
}

}  // namespace vernier
