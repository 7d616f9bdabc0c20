#include "reference/support/nearest_names.hpp"

#include <algorithm>
#include <numeric>

namespace vernier {
namespace {

constexpr int left_out = 1;
constexpr int wrong = 3;

/// The cheapest way to make `name` of `word`: the edit distance of Wagner and Fischer, with the costs above.
int effort(std::string_view word, std::string_view name) {
  std::vector<int> row(name.size() + 1);
  for (std::size_t j = 0; j < row.size(); ++j) {
    row[j] = static_cast<int>(j) * left_out;
  }
  for (const char letter : word) {
    int diagonal = row[0];
    row[0] += wrong;
    for (std::size_t j = 1; j < row.size(); ++j) {
      const int replaced = diagonal + (letter == name[j - 1] ? 0 : wrong);
      diagonal = row[j];
      row[j] = std::min({replaced, row[j] + wrong, row[j - 1] + left_out});
    }
  }
  return row.back();
}

}  // namespace

std::vector<std::string> nearest_names(std::string_view word, std::span<const std::string> names,
                                       std::size_t count) {
  std::vector<int> efforts;
  for (const auto& name : names) {
    efforts.push_back(effort(word, name));
  }
  std::vector<std::size_t> order(names.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return efforts[i]; });
  std::vector<std::string> result;
  for (const auto index : std::span(order).first(count)) {
    result.push_back(names[index]);
  }
  return result;
}

std::optional<std::string> near_name(std::string_view word, std::span<const std::string> names) {
  const auto nearest = nearest_names(word, names, std::min<std::size_t>(1, names.size()));
  // Half of the letters may be wrong.
  if (nearest.empty() || 2 * effort(word, nearest.front()) > wrong * static_cast<int>(word.size())) {
    return std::nullopt;
  }
  return nearest.front();
}

}  // namespace vernier
