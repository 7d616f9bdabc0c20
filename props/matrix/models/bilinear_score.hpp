#pragma once

#include "props/matrix/models/trig_code.hpp"
#include "reference/rational.hpp"

namespace vernier {

using RationalMatrix = Eigen::Matrix<Rational, Eigen::Dynamic, Eigen::Dynamic>;

/// The position scores p_m^T H p_n that attention makes of an absolute code, H = W_Q^T W_K.
///
/// For a code of complete pairs, these depend on m - n only if and only if H is a direct sum of blocks a I +
/// b J, J = [[0, 1], [-1, 0]], one a pair (theorem T6).
class BilinearScore final : public PositionModel {
 public:
  /// \param code interleaved, of complete pairs \param h square, as wide as the code
  BilinearScore(TrigTable code, RationalMatrix h);

  IntervalVector code(std::int64_t position) const override { return code_.code(position); }
  Interval score(std::int64_t query, std::int64_t key) const override;
  std::optional<Interval> bound() const override { return std::nullopt; }
  std::optional<Interval> lipschitz() const override { return std::nullopt; }
  std::optional<Justification> justification(std::string_view property) const override;

 private:
  TrigCode code_;
  RationalMatrix h_;
};

/// Whether H is a direct sum of 2x2 blocks a I + b J along the diagonal.
bool commutes_with_shifts(const RationalMatrix& h);

}  // namespace vernier
