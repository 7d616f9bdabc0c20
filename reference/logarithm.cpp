#include "reference/logarithm.hpp"

#include <cassert>
#include <map>
#include <utility>

namespace vernier {
namespace {

/// Of the last values that this thread asked for, by value and precision. 0, which has no logarithm, stands
/// for pi.
Interval remembered(const Rational& value) {
  constexpr std::size_t most = 64;
  thread_local std::map<std::pair<Rational, unsigned>, Interval> known;
  const std::pair<Rational, unsigned> key{value, Interval::default_precision()};
  if (const auto found = known.find(key); found != known.end()) {
    return found->second;
  }
  if (known.size() == most) {
    known.clear();
  }
  const Interval argument = value == 0 ? pi() : enclose(value);
  return known.emplace(key, log(argument)).first->second;
}

}  // namespace

Interval log_of(const Rational& value) {
  assert(value > 0);
  return remembered(value);
}

Interval log_of_pi() {
  return remembered(0);
}

}  // namespace vernier
