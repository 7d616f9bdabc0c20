#pragma once

#include <cmath>
#include <cstdint>
#include <initializer_list>
#include <random>
#include <vector>

namespace vernier::rates {

/// Random choices, the same with every standard library.
class Draw {
 public:
  explicit Draw(std::uint64_t seed) : generator_(seed) {}

  std::uint64_t bits() { return generator_(); }
  /// Uniform in [least, greatest].
  std::int64_t between(std::int64_t least, std::int64_t greatest) {
    const auto count = static_cast<std::uint64_t>(greatest - least) + 1;
    return least + static_cast<std::int64_t>(generator_() % count);
  }
  /// Uniform in [0, 1).
  double share() { return std::ldexp(static_cast<double>(generator_() >> 11), -53); }
  bool chance(double probability) { return share() < probability; }
  double sign() { return chance(0.5) ? 1 : -1; }
  /// As likely in every octave. \pre 0 < least <= greatest
  double spread(double least, double greatest) { return least * std::pow(greatest / least, share()); }
  std::int64_t spread_integer(std::int64_t least, std::int64_t greatest) {
    const double drawn = spread(static_cast<double>(least), static_cast<double>(greatest) + 1);
    return std::min(greatest, static_cast<std::int64_t>(drawn));
  }
  template <class Value>
  Value one_of(std::initializer_list<Value> values) {
    return values.begin()[index(values.size())];
  }
  template <class Range>
  const auto& any_of(const Range& values) {
    return values[index(values.size())];
  }
  /// \pre size > 0
  std::size_t index(std::size_t size) { return static_cast<std::size_t>(generator_() % size); }

 private:
  std::mt19937_64 generator_;
};

/// Uniform in [0, 1), always the same for the same two numbers: noise that repeats when it is asked again.
inline double hashed_share(std::uint64_t a, std::uint64_t b) {
  std::uint64_t x = a * 0x9e3779b97f4a7c15 + b * 0xd1b54a32d192ed03;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  x ^= x >> 31;
  return std::ldexp(static_cast<double>(x >> 11), -53);
}

}  // namespace vernier::rates
