#include "reports/words/specs/config_json.hpp"

#include <string>

#include "reference/json/json_tree.hpp"
#include "reference/support/mapped.hpp"

namespace vernier {
namespace {

JsonValue layers_value(const std::vector<int>& layers) {
  return JsonValue(mapped(layers, [](int layer) { return integer_value(layer); }));
}

JsonValue sentences_value(const std::vector<std::string>& sentences) {
  return JsonValue(JsonValue::Array(sentences.begin(), sentences.end()));
}

}  // namespace

JsonValue groups_value(const UnderstoodConfig& config) {
  JsonValue::Array groups;
  for (const auto& group : config.groups) {
    groups.emplace_back(JsonValue::Object{
        {"kind", JsonValue(group.kind)}, {"layers", layers_value(group.layers)}, {"spec", group.spec}});
  }
  for (const auto& one : config.unencoded) {
    groups.emplace_back(JsonValue::Object{{"kind", JsonValue(one.kind)},
                                          {"layers", layers_value(one.layers)},
                                          {"spec", JsonValue()},
                                          {"why", JsonValue(one.why)}});
  }
  return JsonValue(JsonValue::Object{{"groups", JsonValue(std::move(groups))}});
}

JsonValue config_value(const UnderstoodConfig& config) {
  auto result = groups_value(config);
  auto& members = std::get<JsonValue::Object>(result.value());
  members.emplace_back("as_written", JsonValue(config.as_written));
  members.emplace_back("assumed", sentences_value(config.assumed));
  members.emplace_back("remarks", sentences_value(config.remarks));
  members.emplace_back("ignored", sentences_value(config.ignored));
  return result;
}

}  // namespace vernier
