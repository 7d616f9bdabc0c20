#include "reference/tables/buckets.hpp"

#include <algorithm>
#include <cassert>
#include <utility>

#include <mpfi.h>

#include "reference/numbers/interval.hpp"
#include "reference/numbers/rational.hpp"

namespace vernier {
namespace {

using Integer = boost::multiprecision::mpz_int;

struct Root {
  Integer floor;
  bool exact;
};

Root root_of(const Integer& value, int degree) {
  Root result;
  result.exact = mpz_root(result.floor.backend().data(), value.backend().data(),
                          static_cast<unsigned long>(degree)) != 0;
  return result;
}

/// first (last/first)^(j/steps), rounded up to an integer, and whether it is one.
std::pair<std::int64_t, bool> exact_edge(std::int64_t first, std::int64_t last, int steps, unsigned j) {
  using boost::multiprecision::pow;
  // The edge to the power of `steps`, as a fraction. Rounding it down to an integer does not change the root
  // rounded down.
  const Integer numerator = pow(Integer(first), static_cast<unsigned>(steps)) * pow(Integer(last), j);
  Integer whole;
  Integer rest;
  divide_qr(numerator, Integer(pow(Integer(first), j)), whole, rest);
  const auto [floor, exact] = root_of(whole, steps);
  const bool is_integer = exact && rest == 0;
  return {static_cast<std::int64_t>(floor) + (is_integer ? 0 : 1), is_integer};
}

/// Of products of a thousand enclosures, which lose a bit each at most, enough is left to tell nearly every
/// edge from the integers beside it.
constexpr unsigned edge_precision = 128;

}  // namespace

LogarithmicEdges::LogarithmicEdges(std::int64_t first, std::int64_t last, int steps, std::int64_t reach) {
  assert(first >= 1 && last > first && steps >= 1);
  const WorkingPrecision precision(edge_precision);
  const Interval ratio = exp(Interval(log(enclose(Rational(last, first))) / steps));
  Interval edge = enclose(first);
  do {
    edge *= ratio;
    const auto* ends = edge.backend().data();
    const auto above = mpfr_get_si(&ends->left, MPFR_RNDU);
    const bool may_be_integer = above <= mpfr_get_si(&ends->right, MPFR_RNDD);
    const auto [least, is_integer] =
        may_be_integer ? exact_edge(first, last, steps, static_cast<unsigned>(edges_.size() + 1))
                       : std::pair(std::int64_t{above}, false);
    edges_.push_back({least, is_integer});
  } while (edges_.back().least <= reach);
}

LogarithmicEdges::Place LogarithmicEdges::place(std::int64_t n) const {
  const auto next = std::ranges::upper_bound(edges_, n, {}, &Edge::least);
  if (next == edges_.begin()) {
    return {};
  }
  const auto& last = *std::prev(next);
  return {next - edges_.begin(), last.is_integer && last.least == n};
}

}  // namespace vernier
