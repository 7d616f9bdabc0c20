#include "reference/schemes/columns.hpp"

#include <array>

namespace vernier {
namespace {

constexpr std::array<std::string_view, 2> pair_order_names{"sin_cos", "cos_sin"};

}  // namespace

PairOrder read_pair_order(ObjectReader& reader) {
  return static_cast<PairOrder>(reader.choice("order", {pair_order_names[0], pair_order_names[1]}, 0));
}

std::string_view name_of(PairOrder order) {
  return pair_order_names[static_cast<std::size_t>(order)];
}

std::vector<Column> interleaved_pairs(int pairs, PairOrder order) {
  const auto first = order == PairOrder::sin_cos ? Component::sine : Component::cosine;
  const auto second = order == PairOrder::sin_cos ? Component::cosine : Component::sine;
  std::vector<Column> result;
  for (int pair = 0; pair < pairs; ++pair) {
    result.push_back({pair, first});
    result.push_back({pair, second});
  }
  return result;
}

std::vector<Column> sines_of(int pairs) {
  std::vector<Column> result;
  for (int pair = 0; pair < pairs; ++pair) {
    result.push_back({pair, Component::sine});
  }
  return result;
}

}  // namespace vernier
