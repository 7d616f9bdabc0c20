#include "numerics/searches/near_quarter_turns.hpp"

#include <algorithm>
#include <cassert>
#include <optional>
#include <utility>

#include <mpfi.h>

#include "reference/tables/mixed_axes.hpp"

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

/// The frequencies of a table whose rows stand at the integers that positions are given as; else null.
const Frequencies* of_integers(const TrigTable& table, const std::vector<PositionMap>& maps = {}) {
  const bool are_kept =
      table.positions.keeps_integers() && std::ranges::all_of(maps, &PositionMap::keeps_integers);
  return are_kept ? &table.frequencies : nullptr;
}

/// What a definition turns by.
struct TurnedBy {
  const Frequencies* operator()(const TurnedTable& table) const {
    return mixes_axes(table) ? nullptr
           : table.axes      ? of_integers(table.sines, table.axes->positions.maps)
                             : of_integers(table.sines);
  }
  const Frequencies* operator()(const ExactTable& table) const {
    return table.sines ? of_integers(*table.sines) : nullptr;
  }
  const Frequencies* operator()(const HeadRotation& rotation) const {
    return mixes_axes(rotation) ? nullptr : of_integers(rotation.table, rotation.maps);
  }
  const Frequencies* operator()(const BiasTable& /*bias*/) const { return nullptr; }
  const Frequencies* operator()(const BucketTable& /*buckets*/) const { return nullptr; }
};

/// Each once: most tensors of an encoding share theirs.
std::vector<const Frequencies*> frequencies_of(const Encoding& encoding) {
  std::vector<const Frequencies*> result;
  for (const auto& tensor : encoding.tensors()) {
    const auto* frequencies = std::visit(TurnedBy{}, tensor);
    if (frequencies != nullptr &&
        std::ranges::none_of(result, [&](const Frequencies* other) { return *other == *frequencies; })) {
      result.push_back(frequencies);
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
  if (last < 1) {
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
  for (const auto& table : encoding.tables_of_axes()) {
    std::erase_if(result, [&](std::int64_t position) {
      const auto of_axes = table.axes->positions.of_position(position);
      return !of_axes || std::ranges::count(*of_axes, position) == 0;
    });
  }
  return result;
}

}  // namespace vernier
