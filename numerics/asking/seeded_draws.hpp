#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <random>
#include <utility>

namespace vernier {

/// Numbers at random that are the same with every standard library. What a remainder prefers is below 2^-32
/// here.
class SeededDraws {
 public:
  explicit SeededDraws(std::uint64_t seed) : engine_(seed) {}
  /// Less than `end`. \pre end > 0
  std::size_t below(std::size_t end) { return static_cast<std::size_t>(engine_() % end); }
  bool one_in(std::size_t times) { return below(times) == 0; }
  /// \pre low <= high
  std::int64_t between(std::int64_t low, std::int64_t high) {
    return low + static_cast<std::int64_t>(below(static_cast<std::size_t>(high - low) + 1));
  }
  /// Uniform in [0, 1).
  double share() { return std::ldexp(static_cast<double>(engine_() >> 11), -53); }
  bool chance(double probability) { return share() < probability; }
  template <class Values>
  const auto& of(const Values& values) {
    return values[below(values.size())];
  }
  template <class Values>
  void shuffle(Values&& values) {
    for (std::size_t i = values.size(); i > 1; --i) {
      std::swap(values[i - 1], values[below(i)]);
    }
  }

 private:
  std::mt19937_64 engine_;
};

}  // namespace vernier
