#include "reference/buckets.hpp"

#include <algorithm>
#include <cassert>

#include "reference/rational.hpp"

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

}  // namespace

LogarithmicEdges::LogarithmicEdges(std::int64_t first, std::int64_t last, int steps, std::int64_t reach) {
  assert(first >= 1 && last > first && steps >= 1);
  // Edge j to the power of `steps`, as a fraction. Rounding it down to an integer does not change the root
  // rounded down.
  Integer numerator = boost::multiprecision::pow(Integer(first), static_cast<unsigned>(steps));
  Integer denominator = 1;
  do {
    numerator *= last;
    denominator *= first;
    Integer whole;
    Integer rest;
    divide_qr(numerator, denominator, whole, rest);
    const auto [floor, exact] = root_of(whole, steps);
    const bool is_integer = exact && rest == 0;
    edges_.push_back({static_cast<std::int64_t>(floor) + (is_integer ? 0 : 1), is_integer});
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
