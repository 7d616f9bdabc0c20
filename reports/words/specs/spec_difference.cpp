#include "reports/words/specs/spec_difference.hpp"

namespace vernier {
namespace {

void add_differences(const OrderedJson& first, const OrderedJson& second, const std::string& where,
                     std::vector<KeyDifference>& differences) {
  for (const auto& [key, value] : first.items()) {
    const auto path = key_path(where, key);
    const auto other = second.contains(key) ? second.at(key) : OrderedJson();
    if (value.is_object() && other.is_object()) {
      add_differences(value, other, path, differences);
    } else if (value != other) {
      differences.push_back({path, value, other});
    }
  }
  for (const auto& [key, value] : second.items()) {
    if (!first.contains(key)) {
      differences.push_back({key_path(where, key), {}, value});
    }
  }
}

}  // namespace

std::vector<KeyDifference> spec_differences(const OrderedJson& first, const OrderedJson& second) {
  std::vector<KeyDifference> differences;
  add_differences(first, second, "", differences);
  return differences;
}

}  // namespace vernier
