#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "reference/numbers/interval.hpp"
#include "reference/numbers/rational.hpp"
#include "reference/numbers/real.hpp"
#include "reference/tables/trig_table.hpp"

namespace vernier {

/// A slope 2^-(step power), written as implementations compute it: 2^-step to the power.
struct Slope {
  Rational step;           ///< > 0
  std::int64_t power = 1;  ///< >= 1

  /// An enclosure at the working precision, a point where the exponent is an integer.
  Interval enclosure() const;
  /// What an honest computation in a format with roundoff u may be off by, as a share of the slope; functions
  /// may return either neighbour of the true value. The base 2^-step is then off by less than an ulp: e =
  /// 2u/m of it, with m in [1, 2) its significand, which the k-th power makes (1 + e)^k - 1. The power is off
  /// by an ulp, 2u at most, and where it multiplies a first slope, as the authors' code has it, the product
  /// is rounded: (1 + e)^k (1 + 2u) (1 + u) - 1, or e where k is 1. 2 to the power of -step k, or the
  /// reciprocal of such a power, is off by (1 + u)/(1 - 2u) - 1 at most. So (1 + e)^k (1 + u)/(1 - 2u) - 1
  /// covers all of them, and without the first factor where k is 1. If the format does not hold step, its
  /// rounding moves the exponent by u step k, and rounding the product with k does so again: a factor 2^(2u
  /// step k).
  ///
  /// Covered are pow(base, k), base pow(base, k - 1), exp2(-step k), 1 / exp2(step k), with step max_bias / n
  /// or step k (max_bias k) / n; not a slope that is the one before times the base. Where step is an integer
  /// all of them are exact.
  double growth(double roundoff) const;
};

/// A bias as a function of an integer factor that is not linear in it.
using BiasCurve = std::function<ComputedReal(std::int64_t multiplier)>;

/// Biases on attention scores by a position or a distance: linear, the slope of the head times an integer
/// factor, or by the head's curve. The slopes themselves are the biases of the factor one. So are the
/// frequencies of sines, each pair a head.
struct BiasTable {
  /// With p the positions of the K keys, and the Q queries at the last Q of them: nothing but the slope;
  /// p_k; p_k - p_(K-1); -|p_q - p_k|.
  enum class Factor { one, key_position, distance_to_last, distance };

  std::string role;           ///< of tensors that hold it: "slopes" [H], "bias" [H, K] or [H, Q, K]
  std::vector<Slope> slopes;  ///< one a head, unless there are curves
  Factor factor = Factor::one;
  std::vector<BiasCurve> curves = {};                ///< one a head, in place of slopes
  std::shared_ptr<const TrigTable> sines = nullptr;  ///< whose frequencies these are, in place of slopes

  std::size_t heads() const;
  /// A head's bias as a real number. \param head below heads() \param multiplier see multiplier()
  Real entry(std::size_t head, std::int64_t multiplier) const;

  /// What multiplies the slope: at most 2^32 in magnitude.
  /// \param keys the positions of the K keys; ignored for the factor one \param queries Q, at most K
  /// \param query, key indices
  std::int64_t multiplier(std::span<const std::int64_t> keys, std::size_t queries, std::size_t query,
                          std::size_t key) const;
};

}  // namespace vernier
