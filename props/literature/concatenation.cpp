#include "props/literature/facts.hpp"
#include "props/literature/pseudo_random_rationals.hpp"
#include "props/literature/topics.hpp"

namespace vernier {
namespace {

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
EvidenceResult one_hot() {
  Facts facts;
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
  return facts.conclude(Ruling::holds);
}

}  // namespace

std::vector<Evidence> concatenation_evidence() {
  return {
      {"attention/concatenation", "[x; e_t] W against x W_x + W_p[t]", Method::exact, one_hot},
  };
}

}  // namespace vernier
