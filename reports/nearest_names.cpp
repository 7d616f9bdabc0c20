#include "reports/nearest_names.hpp"

#include <algorithm>
#include <numeric>

#include <fmt/core.h>

#include "reference/word_list.hpp"
#include "reports/value_text.hpp"

namespace vernier {
namespace {

constexpr int left_out_letter = 1;
constexpr int wrong_letter = 3;

/// The cheapest way to make `name` of `word`: the edit distance of Wagner and Fischer, with the costs above.
int effort(std::string_view word, std::string_view name) {
  std::vector<int> row(name.size() + 1);
  for (std::size_t j = 0; j < row.size(); ++j) {
    row[j] = static_cast<int>(j) * left_out_letter;
  }
  for (const char letter : word) {
    int diagonal = row[0];
    row[0] += wrong_letter;
    for (std::size_t j = 1; j < row.size(); ++j) {
      const int replaced = diagonal + (letter == name[j - 1] ? 0 : wrong_letter);
      diagonal = row[j];
      row[j] = std::min({replaced, row[j] + wrong_letter, row[j - 1] + left_out_letter});
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

std::string not_among(std::string_view word, std::span<const std::string> names) {
  constexpr std::size_t most_told = 20;  // a line or two; there are fewer commands
  constexpr std::size_t suggestions = 3;
  const auto found = fmt::format("found \"{}\", expected", one_line(word));
  if (names.size() > most_told) {
    return fmt::format("{} one of {} names; the nearest are {}", found, names.size(),
                       joined(nearest_names(word, names, suggestions), " and "));
  }
  return fmt::format("{} {}; did you mean {}?", found,
                     joined(std::vector(names.begin(), names.end()), " or "),
                     nearest_names(word, names, 1).front());
}

}  // namespace vernier
