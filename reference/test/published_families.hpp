#pragma once

// What tests of configurations share: the formulas of published code as data, and how a drawn configuration
// is understood.

#include <cstdint>
#include <numeric>
#include <string>
#include <string_view>
#include <vector>

#include "reference/configs/understood_config.hpp"
#include "reference/json/json_tree.hpp"
#include "reference/support/text_file.hpp"
#include "reference/test/seed.hpp"

namespace vernier {

inline constexpr int draws_a_family = 40;

inline const OrderedJson& published(std::string_view section) {
  static const auto data = OrderedJson::parse(read_text(VERNIER_REAL_CONFIGS "/../published_families.json"));
  return data.at(std::string(section));
}

inline std::vector<std::string> keys_of(const OrderedJson& object) {
  std::vector<std::string> keys;
  for (const auto& entry : object.items()) {
    keys.push_back(entry.key());
  }
  return keys;
}

inline UnderstoodConfig understood(const OrderedJson& config) {
  return understand_config(parse_python_json(config.dump(), "config.json"), "config.json");
}

inline std::uint64_t seed_of(const std::string& family, int draw) {
  return std::accumulate(
      family.begin(), family.end(), test_seed() + 1000 * static_cast<std::uint64_t>(draw),
      [](std::uint64_t sum, char letter) { return 131 * sum + static_cast<unsigned char>(letter); });
}

}  // namespace vernier
