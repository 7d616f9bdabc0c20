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

/// Each once: most tensors of an encoding share theirs.
std::vector<const Frequencies*> frequencies_of(const Encoding& encoding) {
  std::vector<const Frequencies*> result;
  for (const auto& tensor : encoding.tensors()) {
    const auto form = tensor_form(tensor);
    if (form.frequencies != nullptr && !form.mixes_axes() &&
        std::ranges::none_of(result, [&](const auto* other) { return *other == *form.frequencies; })) {
      result.push_back(form.frequencies);
    }
  }
  return result;
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
  const auto* axes = encoding.axes();
  const bool are_integers =
      encoding.positions().keeps_integers() &&
      (axes == nullptr || std::ranges::all_of(axes->maps, &PositionMap::keeps_integers));
  if (last < 1 || !are_integers) {
    return {};
  }
  std::vector<std::vector<std::int64_t>> of_pairs;
  for (const auto* frequencies : frequencies_of(encoding)) {
    for (int pair = 0; pair < frequencies->pairs(); ++pair) {
      if (frequencies->approximate(pair) > 0) {
        of_pairs.push_back(near_quarter_turns([&] { return frequencies->at(pair); }, last));
      }
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
  if (axes != nullptr) {
    std::erase_if(result, [&](std::int64_t position) {
      const auto of_axes = axes->of_position(position);
      return !of_axes || std::ranges::count(*of_axes, position) == 0;
    });
  }
  return result;
}

}  // namespace vernier
