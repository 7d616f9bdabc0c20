#include "props/properties/bias_rows.hpp"

#include <algorithm>
#include <array>
#include <charconv>

namespace vernier {
namespace {

std::string decimal_text(double value) {
  std::array<char, 32> digits{};
  const auto end =
      std::to_chars(digits.data(), digits.data() + digits.size(), value, std::chars_format::general, 9);
  return {digits.data(), end.ptr};
}

}  // namespace

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
