#include "props/properties/bias_view.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "numerics/elements/bias_source.hpp"
#include "numerics/tensors/bias_tensor.hpp"

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

/// An element of a bias, as a view asks for them in any order: each head has its own source, which remembers.
class Biases {
 public:
  Biases(const BiasTensor& bias, std::span<const std::int64_t> keys) {
    const auto queries = bias.tensor.shape().size() == 3 ? bias.queries() : 0;
    for (std::size_t head = 0; head < bias.table.heads(); ++head) {
      of_heads_.emplace_back(bias.table, keys, queries).bind(*bias.contract, bias.stored());
    }
  }

  AllowedElement at(std::size_t head, std::size_t row, std::size_t key) {
    of_heads_[head].go_to(row);
    return of_heads_[head].allowed(key, std::nullopt);
  }

 private:
  std::vector<BiasSource> of_heads_;
};

std::string decimal_text(double value) {
  std::array<char, 32> digits{};
  const auto end =
      std::to_chars(digits.data(), digits.data() + digits.size(), value, std::chars_format::general, 9);
  return {digits.data(), end.ptr};
}

}  // namespace

BiasView reference_view(const BiasTensor& bias, std::span<const std::int64_t> keys) {
  auto view = shape_of(bias, keys);
  view.at = [&bias, biases = Biases(bias, keys)](std::size_t head, std::size_t query,
                                                 std::size_t key) mutable -> Measured {
    const double value = biases.at(head, head * bias.queries() + query, key).truth->approximately();
    // Rounding to a double, and the radius of an enclosure that is tight to many more bits.
    return {value, std::fabs(value) * 0x1p-52};
  };
  return view;
}

BiasView view_of(const BiasTensor& bias, std::span<const std::int64_t> keys) {
  auto view = shape_of(bias, keys);
  view.at = [&bias, biases = Biases(bias, keys)](std::size_t head, std::size_t query,
                                                 std::size_t key) mutable -> Measured {
    const auto row = head * bias.queries() + query;
    return {bias.tensor.number(row * bias.keys() + key), biases.at(head, row, key).budget.total()};
  };
  return view;
}

PropertyTally::Place place_of(const BiasView& view, std::size_t head, std::size_t query, std::size_t key) {
  return {{"head", std::to_string(head)},
          {"query position", std::to_string(view.query_position(query))},
          {"key position", std::to_string(view.keys[key])},
          {"bias", decimal_text(view.at(head, query, key).value)}};
}

std::vector<std::size_t> causal_keys(const BiasView& view, std::size_t query) {
  std::vector<std::size_t> result;
  for (const auto key : view.seen_keys) {
    if (view.keys[key] <= view.query_position(query)) {
      result.push_back(key);
    }
  }
  std::ranges::stable_sort(result, {}, [&](std::size_t key) { return view.keys[key]; });
  return result;
}

}  // namespace vernier
