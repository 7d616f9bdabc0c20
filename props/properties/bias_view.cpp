#include "props/properties/bias_view.hpp"

#include <algorithm>
#include <cmath>

#include "numerics/cases/bias_tensor.hpp"
#include "reference/real.hpp"

namespace vernier {
namespace {

BiasView shape_of(const BiasTensor& bias, std::span<const std::int64_t> keys) {
  constexpr std::size_t most_queries = 64;
  constexpr std::size_t most_biases = std::size_t{1} << 17;
  const bool is_slope = bias.table.factor == BiasTable::Factor::one;
  BiasView view{bias.table.slopes.size(),
                bias.queries(),
                is_slope ? std::vector<std::int64_t>{0} : std::vector(keys.begin(), keys.end()),
                {}};
  view.seen_queries = spread_indices(view.queries, most_queries);
  const auto rows = view.heads * view.seen_queries.size();
  view.seen_keys = spread_indices(view.keys.size(), std::max<std::size_t>(16, most_biases / rows));
  return view;
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
  std::vector<Enclosure> slopes;
  for (const auto& slope : bias.table.slopes) {
    slopes.push_back(tight_enclosure([&] { return slope.enclosure(); }));
  }
  view.at = [&bias, keys, slopes](std::size_t head, std::size_t query, std::size_t key) -> Measured {
    const auto multiplier = bias.table.multiplier(keys, bias.queries(), query, key);
    const auto truth = slopes[head] * Enclosure{{static_cast<double>(multiplier), 0}, 0};
    const double value = truth.approximately();
    // Rounding to a double, and the radius of an enclosure that is tight to many more bits.
    return {value, std::fabs(value) * 0x1p-52};
  };
  return view;
}

BiasView view_of(const BiasTensor& bias, std::span<const std::int64_t> keys) {
  auto view = shape_of(bias, keys);
  std::vector<BiasBudget> budgets;
  for (const auto& slope : bias.table.slopes) {
    budgets.push_back(bias.contract->bind(slope, bias.stored()));
  }
  const auto truth = reference_view(bias, keys);
  view.at = [&bias, budgets, truth](std::size_t head, std::size_t query, std::size_t key) -> Measured {
    const auto index = (head * bias.queries() + query) * bias.keys() + key;
    return {bias.tensor.number(index), budgets[head].at(truth.at(head, query, key).value)};
  };
  return view;
}

}  // namespace vernier
