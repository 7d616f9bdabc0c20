#include "reference/schemes/columns.hpp"

#include <array>

#include "reference/keys/key_visitor.hpp"

namespace vernier {
namespace {

constexpr std::array<std::string_view, 2> order_names{"sin_cos", "cos_sin"};

}  // namespace

void visit_pair_order(KeyVisitor& visit, PairOrder& order) {
  visit.defaulted({"order", "whether the sine or the cosine of a pair comes first"}, order,
                  one_of(order_names));
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
