#pragma once

#include <optional>
#include <utility>
#include <vector>

#include <Eigen/Dense>

#include "props/models/trig_code.hpp"
#include "reference/numbers/rational.hpp"

// Scores that are made of rows of sines and cosines otherwise than by their dot product.

namespace vernier {

using RationalMatrix = Eigen::Matrix<Rational, Eigen::Dynamic, Eigen::Dynamic>;

/// The position scores p_m^T H p_n that attention makes of an absolute code, H = W_Q^T W_K.
///
/// For a code of complete pairs, these depend on m - n only if and only if H is a direct sum of blocks a I +
/// b J, J = [[0, 1], [-1, 0]], one a pair (theorem T6).
class BilinearScore final : public TrigCode {
 public:
  /// \param code interleaved, of complete pairs \param h square, as wide as the code
  BilinearScore(TrigTable code, RationalMatrix h) : TrigCode(std::move(code)), h_(std::move(h)) {}

  Interval score(std::int64_t query, std::int64_t key) const override;
  std::optional<Interval> bound() const override { return std::nullopt; }
  std::optional<Interval> lipschitz() const override { return std::nullopt; }
  std::optional<Justification> justification(std::string_view property) const override;

 private:
  RationalMatrix h_;
};

/// Whether H is a direct sum of 2x2 blocks a I + b J along the diagonal.
bool commutes_with_shifts(const RationalMatrix& h);

/// Transformer-XL: a vector made of the query and of what is learned, against the row of the offset (query
/// less key). The offsets' rows are the code; the score is their product with one such vector.
class OffsetScore final : public TrigCode {
 public:
  /// \param vector one element a column
  OffsetScore(TrigTable table, std::vector<int> vector);

  Interval score(std::int64_t query, std::int64_t key) const override;
  std::optional<Justification> justification(std::string_view property) const override;

 private:
  std::vector<int> vector_;
};

/// RoPE: the score of a query and a key that are the same vectors at every position, rotated. R_m is known by
/// the cosines and sines it is made of, so its row in the joint table is its code.
class RotaryScore final : public TrigCode {
 public:
  /// A vector's components in each pair.
  using Pairs = std::vector<std::pair<int, int>>;

  /// \param table all cosines, then all sines, one a pair \param query, key one component pair a pair
  RotaryScore(TrigTable table, Pairs query, Pairs key);

  /// (R_m q)^T R_n k
  Interval score(std::int64_t query, std::int64_t key) const override;
  std::optional<Justification> justification(std::string_view property) const override;

 private:
  Pairs query_;
  Pairs key_;
};

}  // namespace vernier
