#include "reports/elements/element_outputs.hpp"
#include "reports/outputs/number_json.hpp"
#include "reports/version.hpp"

namespace vernier {
namespace {

constexpr int value_version = 1;

OrderedJson text_or_null(const std::optional<std::string>& text) {
  return text ? OrderedJson(*text) : OrderedJson(nullptr);
}

OrderedJson nearest_json(Format format, const std::optional<NearestNumber>& number) {
  OrderedJson result{{"format", traits(format).name}};
  if (!number) {
    result["nearest"] = nullptr;
    return result;
  }
  result["nearest"] = value_json(format, number->nearest);
  result["below"] = value_json(format, number->below);
  result["above"] = value_json(format, number->above);
  result["truth_beyond_nearest_ulp"] = number->beyond ? OrderedJson(*number->beyond) : OrderedJson(nullptr);
  result["exact"] = number->is_exact;
  result["bits_beyond_format"] =
      number->bits_beyond ? OrderedJson(*number->bits_beyond) : OrderedJson(nullptr);
  return result;
}

OrderedJson recipe_json(const RecipeValue& value) {
  return {{"recipe", value.recipe->id},
          {"format", traits(value.stored).name},
          {"contract", value.recipe->contract},
          {"got", value_json(value.stored, value.got)},
          {"correctly_rounded_trigonometry",
           value.correct_library ? value_json(value.stored, *value.correct_library) : OrderedJson(nullptr)},
          {"error", {{"absolute", real_json(value.error)}, {"ulp", real_json(value.ulps)}}},
          {"budget", real_json(value.budget.total())},
          {"budget_ratio", real_json(value.budget_ratio)},
          {"inconclusive", value.is_inconclusive}};
}

OrderedJson one_json(const ElementValue& value) {
  OrderedJson result{{"role", value.role},
                     {"meaning", value.meaning},
                     {"truth", text_or_null(value.truth)},
                     {"digits", value.digits}};
  if (value.integer) {
    result["integer"] = *value.integer;
  }
  if (value.frequency) {
    result["frequency"] = *value.frequency;
    result["phase"] = text_or_null(value.phase);
    result["reduced_phase"] = value.reduced ? OrderedJson{{"quarter_turns", value.reduced->quarter_turns},
                                                          {"rest", real_json(value.reduced->rest)}}
                                            : OrderedJson(nullptr);
  }
  result["nearest"] = OrderedJson::array();
  for (std::size_t i = 0; i < value.nearest.size(); ++i) {
    result["nearest"].push_back(nearest_json(all_formats()[i], value.nearest[i]));
  }
  if (value.by_recipe) {
    result["computed"] = recipe_json(*value.by_recipe);
  }
  return result;
}

}  // namespace

std::string element_json(const Encoding& encoding, std::int64_t position,
                         std::span<const ElementValue> values) {
  OrderedJson document{
      {"vernier_value", value_version}, {"tool", {{"name", "vernier"}, {"version", version()}}},
      {"encoding", encoding.summary()}, {"spec", encoding.spec()},
      {"position", position},           {"elements", OrderedJson::array()}};
  for (const auto& value : values) {
    document["elements"].push_back(one_json(value));
  }
  return document_text(document);
}

}  // namespace vernier
