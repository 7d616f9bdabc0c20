#include "props/properties/bias_view.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace vernier {
namespace {

BiasView shape_of(const RowView& biases) {
  constexpr std::size_t most_queries = 64;
  constexpr std::size_t most_biases = std::size_t{1} << 17;
  const auto& part = biases.parts().front();
  const auto truth = part.make_truth();
  const auto shape = truth->shape();
  BiasView view{shape.front(), part.rows / shape.front(), {}, {}};
  for (std::size_t key = 0; key < part.columns; ++key) {
    view.keys.push_back(truth->place(key).position);
  }
  view.seen_queries = spread_indices(view.queries, most_queries);
  const auto rows = view.heads * view.seen_queries.size();
  view.seen_keys = spread_indices(view.keys.size(), std::max<std::size_t>(16, most_biases / rows));
  return view;
}

/// An element of a bias, as a view asks for them in any order: each head has its own source, which remembers.
class Biases {
 public:
  Biases(const TensorPart& part, std::size_t heads) {
    std::generate_n(std::back_inserter(of_heads_), heads, part.make_truth);
  }

  AllowedElement at(std::size_t head, std::size_t row, std::size_t key) const {
    of_heads_[head]->go_to(row);
    return of_heads_[head]->allowed(key);
  }

 private:
  std::vector<std::shared_ptr<ElementSource>> of_heads_;
};

std::string decimal_text(double value) {
  std::array<char, 32> digits{};
  const auto end =
      std::to_chars(digits.data(), digits.data() + digits.size(), value, std::chars_format::general, 9);
  return {digits.data(), end.ptr};
}

}  // namespace

BiasView reference_view(const RowView& biases) {
  auto view = shape_of(biases);
  view.at = [queries = view.queries, truths = Biases(biases.parts().front(), view.heads)](
                std::size_t head, std::size_t query, std::size_t key) -> Measured {
    const double value = truths.at(head, head * queries + query, key).truth->approximately();
    // Rounding to a double, and the radius of an enclosure that is tight to many more bits.
    return {value, std::fabs(value) * 0x1p-52};
  };
  return view;
}

BiasView view_of(const RowView& biases) {
  auto view = shape_of(biases);
  const auto& part = biases.parts().front();
  view.at = [&part, queries = view.queries, truths = Biases(part, view.heads)](
                std::size_t head, std::size_t query, std::size_t key) -> Measured {
    const auto row = head * queries + query;
    return {part.at(row, key), truths.at(head, row, key).budget.total()};
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
