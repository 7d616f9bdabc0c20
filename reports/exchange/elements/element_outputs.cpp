#include <cmath>
#include <numbers>

#include <fmt/core.h>

#include "reports/exchange/elements/element_value.hpp"
#include "reports/outputs/text/lines.hpp"
#include "reports/words/number_json.hpp"
#include "reports/words/value_text.hpp"
#include "reports/words/version.hpp"

namespace vernier {
namespace {

/// Below this share of an ulp a distance is told as none but in words: the enclosure knows it no better.
constexpr double least_distance = 0x1p-40;

std::string undecided() {
  return fmt::format("undecided at {} bits", ziv_precision_cap);
}

/// Where the truth lies, seen from the nearest number.
std::string place_of_truth(const NearestNumber& number) {
  if (number.is_exact) {
    return "exactly there";
  }
  if (!number.beyond) {
    return "beyond the greatest";
  }
  if (*number.beyond == 0) {
    return "nearer than the computation resolves";
  }
  const auto side = *number.beyond > 0 ? "above" : "below";
  if (number.is_midpoint) {
    return fmt::format("exactly half an ulp {}", side);
  }
  const double distance = std::fabs(*number.beyond);
  return distance < least_distance ? fmt::format("a hair {}", side)
                                   : fmt::format("{} ulp {}", significant_text(distance, shown_digits), side);
}

/// A number of a format with so many digits that it can be told on which side of it the truth lies: three
/// more than distinguish its neighbours.
std::string placed_text(Format format, double value) {
  const int enough =
      static_cast<int>(std::ceil(traits(format).precision * std::numbers::log10e * std::numbers::ln2));
  return fmt::format("{:.{}g}", value, enough + 3);
}

Lines row_of(Format format, const std::optional<NearestNumber>& number) {
  const std::string name(traits(format).name);
  if (!number) {
    return {name, undecided(), "", "", "", "", ""};
  }
  return {name,
          placed_text(format, number->nearest),
          bits_text(format, number->nearest),
          place_of_truth(*number),
          number->bits_beyond ? std::to_string(*number->bits_beyond) : "",
          placed_text(format, number->below),
          placed_text(format, number->above)};
}

std::string table_text(std::span<const std::optional<NearestNumber>> numbers) {
  std::vector<Lines> rows{
      {"format", "nearest", "bits", "the truth is", "bits to tell", "next below", "next above"}};
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    rows.push_back(row_of(all_formats()[i], numbers[i]));
  }
  return aligned(rows);
}

/// What another C library may make of it, where that is another number.
std::string other_library_text(const RecipeValue& value) {
  if (!value.correct_library) {
    return "  with sines and cosines that are rounded correctly: undecided\n";
  }
  const auto bits = bits_text(value.stored, *value.correct_library);
  return std::isnan(value.got) || bits == bits_text(value.stored, value.got)
             ? ""
             : fmt::format("  with sines and cosines that are rounded correctly: {} = {}\n",
                           shortest_text(value.stored, *value.correct_library), bits);
}

std::string recipe_text(const RecipeValue& value) {
  return fmt::format("  {}, stored as {}: {} = {}, {}; {}\n", value.recipe->id, traits(value.stored).name,
                     shortest_text(value.stored, value.got), bits_text(value.stored, value.got),
                     value.error == 0
                         ? "exact"
                         : fmt::format("off by {} ({} ulp)", significant_text(value.error, shown_digits),
                                       significant_text(value.ulps, shown_digits)),
                     value.is_inconclusive ? "its budget is too large: inconclusive"
                                           : usage_text(value.budget_ratio) + " by the contract " +
                                                 std::string(value.recipe->contract)) +
         other_library_text(value);
}

std::string reduction_text(const std::optional<ReducedPhase>& reduced) {
  return reduced ? fmt::format(", {} {} {} pi/2", significant_text(std::fabs(reduced->rest), shown_digits),
                               reduced->rest < 0 ? "below" : "above", reduced->quarter_turns)
                 : "";
}

std::string value_text(const ElementValue& value) {
  auto text = fmt::format("{}: {}\n", value.role, value.meaning);
  if (value.integer) {
    return text + fmt::format("  truth  {}, an integer\n", *value.integer);
  }
  text += fmt::format("  truth  {}\n", value.truth.value_or(undecided()));
  text += table_text(value.nearest);
  return value.by_recipe ? text + recipe_text(*value.by_recipe) : text;
}

constexpr int value_version = 1;

OrderedJson nearest_json(Format format, const std::optional<NearestNumber>& number) {
  OrderedJson result{{"format", traits(format).name}};
  if (!number) {
    result["nearest"] = nullptr;
    return result;
  }
  result["nearest"] = value_json(format, number->nearest);
  result["below"] = value_json(format, number->below);
  result["above"] = value_json(format, number->above);
  result["truth_beyond_nearest_ulp"] = json_or_null(number->beyond);
  result["exact"] = number->is_exact;
  result["bits_beyond_format"] = json_or_null(number->bits_beyond);
  return result;
}

OrderedJson recipe_json(const RecipeValue& value) {
  const auto in_format = [&](double number) { return value_json(value.stored, number); };
  return {{"recipe", value.recipe->id},
          {"format", traits(value.stored).name},
          {"contract", value.recipe->contract},
          {"got", in_format(value.got)},
          {"correctly_rounded_trigonometry", json_or_null(value.correct_library, in_format)},
          {"error", {{"absolute", real_json(value.error)}, {"ulp", real_json(value.ulps)}}},
          {"budget", real_json(value.budget.total())},
          {"budget_ratio", real_json(value.budget_ratio)},
          {"inconclusive", value.is_inconclusive}};
}

OrderedJson one_json(const ElementValue& value) {
  OrderedJson result{{"role", value.role},
                     {"meaning", value.meaning},
                     {"truth", json_or_null(value.truth)},
                     {"digits", value.digits}};
  add_if_any(result, "integer", value.integer);
  if (value.frequency) {
    result["frequency"] = *value.frequency;
    result["phase"] = json_or_null(value.phase);
    result["reduced_phase"] = json_or_null(value.reduced, [](const auto& reduced) -> OrderedJson {
      return {{"quarter_turns", reduced.quarter_turns}, {"rest", real_json(reduced.rest)}};
    });
  }
  result["nearest"] = OrderedJson::array();
  for (std::size_t i = 0; i < value.nearest.size(); ++i) {
    result["nearest"].push_back(nearest_json(all_formats()[i], value.nearest[i]));
  }
  add_if_any(result, "computed", value.by_recipe, recipe_json);
  return result;
}

}  // namespace

std::string element_text(const Encoding& encoding, std::int64_t position,
                         std::span<const ElementValue> values) {
  auto text = fmt::format("{}; position {}\n", one_line(encoding.summary()), position);
  if (const auto& first = values.front(); first.frequency) {
    text += fmt::format("frequency  {}\nphase      {}{}\n", *first.frequency,
                        first.phase.value_or(undecided()), reduction_text(first.reduced));
  }
  for (const auto& value : values) {
    text += "\n" + value_text(value);
  }
  return text;
}

std::string element_json(const Encoding& encoding, std::int64_t position,
                         std::span<const ElementValue> values) {
  OrderedJson document{
      {"vernier_value", value_version}, {"tool", {{"name", "vernier"}, {"version", version()}}},
      {"encoding", encoding.summary()}, {"spec", encoding.spec()},
      {"position", position},           {"elements", array_json(values, one_json)}};
  return document_text(document);
}

}  // namespace vernier
