#include "numerics/searches/near_quarter_turns.hpp"

#include <algorithm>
#include <cassert>
#include <optional>
#include <utility>

#include <mpfi.h>

namespace vernier {
namespace {

using Integer = boost::multiprecision::mpz_int;

Rational exact(mpfr_srcptr end) {
  Rational result;
  mpfr_get_q(result.backend().data(), end);
  return result;
}

/// \param x > 0
Integer floor_of(const Rational& x) {
  return numerator(x) / denominator(x);
}

/// The denominators up to `last` of the convergents of a number between two others; nothing where those do
/// not agree. \param is_rational what agrees no longer is taken for the end of a rational number
std::optional<std::vector<std::int64_t>> denominators(Rational low, Rational high, std::int64_t last,
                                                      bool is_rational) {
  std::vector<std::int64_t> result;
  Integer before = 1;
  Integer latest = 0;
  while (true) {
    const Integer digit = floor_of(low);
    const Integer other = floor_of(high);
    const bool agree = digit == other;
    // The first denominator is 1, whatever the digit. Ends around an integer are 1 apart: it is the greater.
    const Integer next =
        latest == 0
            ? Integer(1)
            : Integer((is_rational ? std::max(digit, other) : std::min(digit, other)) * latest + before);
    if (next > last) {
      return result;
    }
    if (!agree && !is_rational) {
      return std::nullopt;
    }
    if (result.empty() || next != result.back()) {  // the first two may both be 1
      result.push_back(static_cast<std::int64_t>(next));
    }
    low -= digit;
    high -= digit;
    if (!agree || low == 0 || high == 0) {
      return is_rational ? std::optional(result) : std::nullopt;
    }
    before = std::exchange(latest, next);
    low = 1 / low;
    high = 1 / high;
  }
}

}  // namespace

std::vector<std::int64_t> near_quarter_turns(const Real& frequency, std::int64_t last) {
  assert(last >= 1);
  for (unsigned bits = ziv_first_precision;; bits *= 2) {
    const WorkingPrecision precision(bits);
    const Interval turns = frequency() * 2 / pi();
    if (const auto found =
            denominators(exact(&turns.backend().data()->left), exact(&turns.backend().data()->right), last,
                         bits >= ziv_precision_cap)) {
      return *found;
    }
  }
}

std::vector<std::int64_t> near_quarter_turns(const Encoding& encoding, std::int64_t last) {
  const Frequencies* frequencies = nullptr;
  for (const auto& tensor : encoding.tensors()) {
    if (const auto* table = std::get_if<TrigTable>(&tensor)) {
      frequencies = &table->frequencies;
    } else if (const auto* rotation = std::get_if<HeadRotation>(&tensor)) {
      frequencies = &rotation->table.frequencies;
    }
  }
  std::vector<std::vector<std::int64_t>> of_pairs;
  for (int pair = 0; last >= 1 && frequencies != nullptr && pair < frequencies->pairs(); ++pair) {
    if (frequencies->approximate(pair) > 0) {
      of_pairs.push_back(near_quarter_turns([&] { return frequencies->at(pair); }, last));
    }
  }
  std::vector<std::int64_t> result;
  for (bool are_more = true; are_more;) {
    are_more = false;
    for (auto& positions : of_pairs) {
      if (!positions.empty()) {
        result.push_back(positions.back());
        positions.pop_back();
        are_more = true;
      }
    }
  }
  return result;
}

}  // namespace vernier
