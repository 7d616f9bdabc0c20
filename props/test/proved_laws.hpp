#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "props/judging/check.hpp"
#include "props/test/rapidcheck_search.hpp"
#include "reference/numbers/interval.hpp"

// What the tests share that prove laws of mathematics on drawn cases by enclosures.

namespace vernier {

/// The working precision of the proofs, in bits.
inline constexpr unsigned proof_precision = 192;
/// The cases drawn lose less than 2^40 of the precision to phases and exponents: a wider enclosure
/// would prove nothing.
inline constexpr double widest_proof = 0x1p-100;

/// What is known of a number that a law says is zero.
inline Outcome vanishes(const Interval& difference) {
  return !contains_zero(difference)           ? Outcome::fails
         : radius(difference) <= widest_proof ? Outcome::holds
                                              : Outcome::inconclusive;
}

/// What is known of a number that a law says is above zero.
inline Outcome is_positive(const Interval& number) {
  const bool zero = contains_zero(number) && radius(number) == 0;
  return !contains_zero(number) && middle(number) > 0 ? Outcome::holds
         : zero || !contains_zero(number)             ? Outcome::fails
                                                      : Outcome::inconclusive;
}

/// What is known of a number that a law says is not below zero.
inline Outcome is_not_negative(const Interval& number) {
  return contains_zero(number) ? vanishes(number) : is_positive(number);
}

inline Outcome worse(Outcome a, Outcome b) {
  const bool failed = a == Outcome::fails || b == Outcome::fails;
  const bool told = a == Outcome::holds && b == Outcome::holds;
  return failed ? Outcome::fails : told ? Outcome::holds : Outcome::inconclusive;
}

/// What becomes of a law on 60 drawn values, each of which must be conclusive.
/// \param classes each must have a case among them
template <class Value>
CheckStatus status_of(const std::string& id, const Generator<Value>& generator,
                      const std::function<Judged(const Value&)>& law,
                      const std::vector<std::string>& classes = {}) {
  constexpr int cases = 60;
  std::vector<CoverageRequirement> required{{"", 1.0}};
  for (const auto& name : classes) {
    required.push_back({name, 1.0 / cases});
  }
  return check<Value>(generator, law, seed_of(id, CheckOptions{}.seed), cases, required,
                      rapidcheck_search<Value>)
      .status;
}

/// The cosine and sine that a pair is turned by, times the amplitude if there is one.
struct Turn {
  Interval cosine;
  Interval sine;
};

/// What a score is made of: <q', k'> = along (x0 y0 + x1 y1) + across (x1 y0 - x0 y1) for a query's pair
/// (x0, x1) and a key's (y0, y1) before they are turned. Two scores agree for all vectors if these do.
struct PairScore {
  Interval along;
  Interval across;
};

inline PairScore pair_score(const Turn& query, const Turn& key) {
  return {Interval(query.cosine * key.cosine + query.sine * key.sine),
          Interval(query.cosine * key.sine - query.sine * key.cosine)};
}

}  // namespace vernier
