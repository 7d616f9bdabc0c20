#include "props/properties/bias_view.hpp"

#include <algorithm>
#include <cmath>

#include "numerics/cases/bias_tensor.hpp"

namespace vernier {
namespace {

BiasView shape_of(const BiasTensor& bias, std::span<const std::int64_t> keys) {
  constexpr std::size_t most_queries = 64;
  constexpr std::size_t most_biases = std::size_t{1} << 17;
  const bool is_slope = bias.table.factor == BiasTable::Factor::one;
  BiasView view{bias.table.heads(),
                bias.queries(),
                is_slope ? std::vector<std::int64_t>{0} : std::vector(keys.begin(), keys.end()),
                {}};
  view.seen_queries = spread_indices(view.queries, most_queries);
  const auto rows = view.heads * view.seen_queries.size();
  view.seen_keys = spread_indices(view.keys.size(), std::max<std::size_t>(16, most_biases / rows));
  return view;
}

std::vector<std::function<AllowedBias(std::int64_t multiplier)>> biases_of(const BiasTensor& bias) {
  std::vector<std::function<AllowedBias(std::int64_t multiplier)>> result;
  for (std::size_t head = 0; head < bias.table.heads(); ++head) {
    result.push_back(allowed_biases(bias, head));
  }
  return result;
}

}  // namespace

std::vector<std::size_t> spread_indices(std::size_t count, std::size_t most) {
  std::vector<std::size_t> result(std::min(count, most));
  for (std::size_t i = 0; i < result.size(); ++i) {
    result[i] = count <= most ? i : i * (count - 1) / (most - 1);
  }
  return result;
}

BiasView reference_view(const BiasTensor& bias, std::span<const std::int64_t> keys) {
  auto view = shape_of(bias, keys);
  view.at = [&bias, keys, biases = biases_of(bias)](std::size_t head, std::size_t query,
                                                    std::size_t key) -> Measured {
    const double value =
        biases[head](bias.table.multiplier(keys, bias.queries(), query, key)).truth.approximately();
    // Rounding to a double, and the radius of an enclosure that is tight to many more bits.
    return {value, std::fabs(value) * 0x1p-52};
  };
  return view;
}

BiasView view_of(const BiasTensor& bias, std::span<const std::int64_t> keys) {
  auto view = shape_of(bias, keys);
  view.at = [&bias, keys, biases = biases_of(bias)](std::size_t head, std::size_t query,
                                                    std::size_t key) -> Measured {
    const auto index = (head * bias.queries() + query) * bias.keys() + key;
    const auto [truth, budget] = biases[head](bias.table.multiplier(keys, bias.queries(), query, key));
    return {bias.tensor.number(index), budget.at(truth.approximately())};
  };
  return view;
}

}  // namespace vernier
