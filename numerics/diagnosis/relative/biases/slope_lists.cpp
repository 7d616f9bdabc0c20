#include "numerics/diagnosis/relative/biases/slope_lists.hpp"

#include <algorithm>
#include <bit>

#include "reference/schemes/alibi.hpp"

namespace vernier {

SlopeList alibi_slopes(std::int64_t heads, const Rational& max_bias) {
  return AlibiSpec{.num_heads = heads, .max_bias = max_bias}.slopes();
}

SlopeList geometric_slopes(std::int64_t heads, const Rational& step, std::int64_t first, std::int64_t by) {
  SlopeList slopes;
  for (std::int64_t head = 0; head < heads; ++head) {
    slopes.push_back({step, first + head * by});
  }
  return slopes;
}

Rational max_bias_of(const SlopeList& slopes) {
  return slopes.front().step * static_cast<std::int64_t>(std::bit_floor(slopes.size()));
}

bool are_same(const SlopeList& one, const SlopeList& other) {
  return std::ranges::equal(one, other, [](const Slope& a, const Slope& b) {
    return Rational(a.step * a.power) == Rational(b.step * b.power);
  });
}

SlopeList sorted(SlopeList slopes) {
  std::ranges::stable_sort(slopes, {}, [](const Slope& slope) { return Rational(slope.step * slope.power); });
  return slopes;
}

SlopeList odd_places_first(std::size_t heads, const Rational& max_bias) {
  const auto more = static_cast<std::int64_t>(std::bit_ceil(heads));
  const auto all = alibi_slopes(more, max_bias);
  auto result = every_second(all, 0);
  const auto others = every_second(all, 1);
  result.insert(result.end(), others.begin(), others.end());
  result.resize(heads);
  return result;
}

SlopeList every_second(const SlopeList& slopes, std::size_t first) {
  SlopeList result;
  for (auto place = first; place < slopes.size(); place += 2) {
    result.push_back(slopes[place]);
  }
  return result;
}

SlopeList each_repeated(const SlopeList& slopes, std::int64_t times) {
  SlopeList result;
  for (const auto& slope : slopes) {
    result.insert(result.end(), static_cast<std::size_t>(times), slope);
  }
  return result;
}

SlopeList list_repeated(const SlopeList& slopes, std::int64_t times) {
  SlopeList result;
  for (std::int64_t i = 0; i < times; ++i) {
    result.insert(result.end(), slopes.begin(), slopes.end());
  }
  return result;
}

}  // namespace vernier
