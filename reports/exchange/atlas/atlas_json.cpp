#include <algorithm>
#include <array>
#include <limits>
#include <string>

#include "numerics/recipes/recipe_registry.hpp"
#include "reference/support/input_error.hpp"
#include "reference/support/mapped.hpp"
#include "reference/support/refusal.hpp"
#include "reference/support/word_list.hpp"
#include "reports/exchange/atlas/atlas.hpp"

namespace vernier {
namespace {

constexpr std::int64_t form_version = 1;

constexpr std::array<std::string_view, usable_exponents.size()> threshold_names{"2^-8", "2^-11"};
/// In the order of Component and of ContractFate.
constexpr std::array<std::string_view, 3> component_names{"sine", "cosine", "zero"};
constexpr std::array<std::string_view, 3> fate_names{"kept", "broken", "undecided"};

OrderedJson to_json(const ErrorPlace& place) {
  return {{"position", place.position},
          {"pair", place.pair},
          {"component", component_names[static_cast<std::size_t>(place.component)]}};
}

OrderedJson to_json(const NearestQuarterTurn& turn) {
  return {{"position", turn.position}, {"pair", turn.pair}, {"distance", turn.distance}};
}

template <class Value>
OrderedJson or_null(const std::optional<Value>& value) {
  return value ? to_json(*value) : OrderedJson(nullptr);
}

OrderedJson to_json(const FirstRepeat& repeat) {
  return {{"position", repeat.position ? OrderedJson(*repeat.position) : OrderedJson(nullptr)},
          {"earlier", repeat.position ? OrderedJson(repeat.earlier) : OrderedJson(nullptr)},
          {"examined", repeat.examined}};
}

OrderedJson to_json(const UsableContext& one) {
  const auto& greatest = one.greatest;
  OrderedJson beyond;
  for (std::size_t i = 0; i < threshold_names.size(); ++i) {
    beyond[std::string(threshold_names[i])] = or_null(one.first_beyond[i]);
  }
  OrderedJson result{{"recipe", one.recipe}, {"stored", traits(one.stored).name}};
  result["greatest"] = {{"error", greatest.not_finite ? OrderedJson(nullptr) : OrderedJson(greatest.error)},
                        {"bound", greatest.not_finite ? OrderedJson(nullptr) : OrderedJson(greatest.bound)},
                        {"saturated", greatest.saturated}};
  result["greatest"].update(to_json(static_cast<const ErrorPlace&>(greatest)));
  result["beyond"] = std::move(beyond);
  result["repeat"] = to_json(one.repeat);
  result["contract"] = {{"fate", fate_names[static_cast<std::size_t>(one.contract.fate)]},
                        {"frequency_share", one.contract.frequency_share},  // infinite: null
                        {"pair", one.contract.pair},
                        {"witness", or_null(one.contract.witness)}};
  result["on_edge"] = one.is_on_edge;
  return result;
}

OrderedJson to_json(const SineError& error, const std::string& unit) {
  return {{unit, error.error},
          {"argument", static_cast<double>(error.argument)},
          {"component", component_names[static_cast<std::size_t>(error.component)]}};
}

/// What each number of the document is, and why that is certain.
OrderedJson claims() {
  return {
      {"greatest.error", "proved: the error of the element at this place; null: the element is not a number"},
      {"greatest.bound", "proved: no error at any position is larger"},
      {"beyond",
       "proved: the first position with an element that is off by more than so much of the amplitude; "
       "null: there is none"},
      {"repeat", "proved: the first row with the bits of an earlier one; null: all rows differ"},
      {"contract", "proved: no element is beyond its budget (kept), or the witness is (broken)"},
      {"nearest", "proved: the phase nearest to a multiple of pi/2"},
      {"assumed",
       "the C library's sine and cosine of float64 are good to 2 ulp; those of float32 were looked "
       "at, every one (sines)"}};
}

/// \param names of the values of an enumeration, in their order
template <class Value, std::size_t count>
Value named(const std::array<std::string_view, count>& names, const OrderedJson& name) {
  const auto text = name.get<std::string>();
  const auto* const found = std::ranges::find(names, text);
  if (found == names.end()) {
    throw InputError("found {}, expected one of {}", in_quotes(text), joined(names));
  }
  return static_cast<Value>(found - names.begin());
}

ErrorPlace place_of(const OrderedJson& json) {
  return {json.at("position"), json.at("pair"), named<Component>(component_names, json.at("component"))};
}

std::optional<ErrorPlace> place_or_none(const OrderedJson& json) {
  return json.is_null() ? std::nullopt : std::optional(place_of(json));
}

GreatestError greatest_of(const OrderedJson& json) {
  GreatestError result{place_of(json)};
  result.not_finite = json.at("error").is_null();
  if (!result.not_finite) {
    result.error = json.at("error");
    result.bound = json.at("bound");
    result.saturated = json.at("saturated");
  }
  return result;
}

FirstRepeat repeat_of(const OrderedJson& json) {
  FirstRepeat result{.examined = json.at("examined")};
  if (!json.at("position").is_null()) {
    result.position = json.at("position").get<std::int64_t>();
    result.earlier = json.at("earlier");
  }
  return result;
}

UsableContext kind_of(const OrderedJson& json) {
  UsableContext result;
  const auto id = json.at("recipe").get<std::string>();
  const auto recipe = std::ranges::find(recipes(), id, &Recipe::id);
  const auto stored = format_named(json.at("stored").get<std::string>());
  refuse_if(recipe == recipes().end() || !stored,
            "found the recipe {} stored in {}, expected those of this program", in_quotes(id),
            json.at("stored").dump());
  result.recipe = recipe->id;
  result.stored = *stored;
  result.greatest = greatest_of(json.at("greatest"));
  for (std::size_t i = 0; i < threshold_names.size(); ++i) {
    result.first_beyond[i] = place_or_none(json.at("beyond").at(std::string(threshold_names[i])));
  }
  result.repeat = repeat_of(json.at("repeat"));
  const auto& contract = json.at("contract");
  const auto& share = contract.at("frequency_share");
  result.contract = {named<ContractFate>(fate_names, contract.at("fate")),
                     share.is_null() ? std::numeric_limits<double>::infinity() : share.get<double>(),
                     contract.at("pair"), place_or_none(contract.at("witness"))};
  result.is_on_edge = json.at("on_edge");
  return result;
}

AtlasRotation rotation_of(const OrderedJson& json) {
  AtlasRotation result{json.at("rotation"), json.at("models"), json.at("pairs"), {}, {}};
  if (const auto& nearest = json.at("nearest"); !nearest.is_null()) {
    result.nearest = NearestQuarterTurn{nearest.at("position"), nearest.at("pair"), nearest.at("distance")};
  }
  result.kinds = mapped(json.at("recipes"), [&](const auto& kind) { return kind_of(kind); });
  return result;
}

SineError sine_of(const OrderedJson& json, const std::string& unit) {
  return {json.at(unit), static_cast<float>(json.at("argument").get<double>()),
          named<Component>(component_names, json.at("component"))};
}

Atlas atlas_of(const OrderedJson& json) {
  refuse_if(json.at("vernier_atlas") != form_version, "vernier_atlas: found {}, expected {}",
            json.at("vernier_atlas").dump(), form_version);
  Atlas atlas;
  atlas.program = json.at("program");
  atlas.c_library = json.at("c_library");
  atlas.planned = json.at("planned");
  const auto& sines = json.at("sines");
  atlas.sines = {sines.at("arguments"), sine_of(sines.at("below_quarter_pi"), "ulp"),
                 sine_of(sines.at("from_quarter_pi"), "roundoffs")};
  atlas.left_out = mapped(json.at("left_out"), [&](const auto& one) -> LeftOut {
    return {one.at("model"), one.at("why")};
  });
  atlas.rotations = mapped(json.at("rotations"), [&](const auto& one) { return rotation_of(one); });
  return atlas;
}

/// Each on a line of its own.
template <class Things, class Text>
std::string lines(const Things& things, const Text& text) {
  std::string result;
  for (const auto& thing : things) {
    result += (result.empty() ? "\n" : ",\n") + text(thing);
  }
  return result;
}

std::string rotation_text(const AtlasRotation& rotation) {
  const OrderedJson heading{{"rotation", rotation.summary},
                            {"models", rotation.models},
                            {"pairs", rotation.pairs},
                            {"nearest", or_null(rotation.nearest)}};
  auto text = heading.dump();
  text.pop_back();
  return text + ",\"recipes\":[" +
         lines(rotation.kinds, [](const UsableContext& one) { return to_json(one).dump(); }) + "]}";
}

}  // namespace

std::string atlas_text(const Atlas& atlas) {
  const OrderedJson heading{{"vernier_atlas", form_version},
                            {"program", atlas.program},
                            {"c_library", atlas.c_library},
                            {"positions", largest_position},
                            {"claims", claims()},
                            {"sines",
                             {{"arguments", atlas.sines.arguments},
                              {"below_quarter_pi", to_json(atlas.sines.unreduced, "ulp")},
                              {"from_quarter_pi", to_json(atlas.sines.reduced, "roundoffs")}}},
                            {"planned", atlas.planned},
                            {"undecided", atlas.undecided()}};
  auto text = heading.dump(1);
  text.erase(text.size() - 2);  // the last brace
  const auto left_out = [](const LeftOut& one) {
    return OrderedJson{{"model", one.model}, {"why", one.why}}.dump();
  };
  return text + ",\n \"left_out\": [" + lines(atlas.left_out, left_out) + "],\n \"rotations\": [" +
         lines(atlas.rotations, rotation_text) + "]\n}\n";
}

Atlas read_atlas(std::string_view text, const std::string& source) {
  try {
    return atlas_of(OrderedJson::parse(text));
  } catch (const OrderedJson::exception& error) {
    throw InputError("{}: is not an atlas: {}", source, error.what());
  } catch (const InputError& error) {
    throw InputError("{}: {}", source, error.what());
  }
}

}  // namespace vernier
