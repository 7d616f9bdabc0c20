#include "numerics/decoding/couples.hpp"

#include <algorithm>

namespace vernier {

std::vector<Couple> couples_of(std::span<const TableTensor> tables) {
  const auto pairs = static_cast<std::size_t>(tables.front().table.sines.frequencies.pairs());
  std::vector<std::vector<TensorColumn>> cosines(pairs);
  std::vector<std::vector<TensorColumn>> sines(pairs);
  for (std::size_t t = 0; t < tables.size(); ++t) {
    const auto& columns = tables[t].table.sines.columns;
    for (std::size_t c = 0; c < columns.size(); ++c) {
      const auto pair = static_cast<std::size_t>(columns[c].pair);
      if (columns[c].component != Component::zero) {
        (columns[c].component == Component::cosine ? cosines : sines)[pair].push_back({t, c});
      }
    }
  }
  std::vector<Couple> result;
  for (std::size_t pair = 0; pair < pairs; ++pair) {
    const auto& c = cosines[pair];
    const auto& s = sines[pair];
    for (std::size_t i = 0; !c.empty() && !s.empty() && i < std::max(c.size(), s.size()); ++i) {
      result.push_back({static_cast<int>(pair), c[std::min(i, c.size() - 1)], s[std::min(i, s.size() - 1)]});
    }
  }
  return result;
}

std::vector<std::optional<Couple>> first_couples(std::span<const TableTensor> tables) {
  std::vector<std::optional<Couple>> result(
      static_cast<std::size_t>(tables.front().table.sines.frequencies.pairs()));
  for (const auto& couple : couples_of(tables)) {
    auto& first = result[static_cast<std::size_t>(couple.pair)];
    first = first ? first : couple;
  }
  return result;
}

}  // namespace vernier
