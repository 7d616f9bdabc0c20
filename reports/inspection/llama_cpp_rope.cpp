#include "reports/inspection/llama_cpp_rope.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>

#include "reference/schemes/encoding_of.hpp"
#include "reference/schemes/rope.hpp"
#include "reference/schemes/scheme_registry.hpp"
#include "reference/support/input_error.hpp"
#include "reference/support/refusal.hpp"

namespace vernier {

std::string llama_cpp_text();  // generated from llama_cpp.json

const OrderedJson& llama_cpp_data() {
  static const auto data = OrderedJson::parse(llama_cpp_text());
  return data;
}

const ReadRule& llama_cpp_rule(std::string_view quantity) {
  return std::ranges::find(readers(), "llama.cpp", &ReaderRow::name)->rules.quantities.find(quantity)->second;
}

namespace {

bool lists(const OrderedJson& names, const std::string& name) {
  return std::ranges::find(names, OrderedJson(name)) != names.end();
}

/// The pair, as a real number, that turns so many times within the original context.
double correction_pair(double turns, const LlamaCppRope& rope) {
  return rope.at("width") * std::log(rope.at("original") / (turns * 2 * std::numbers::pi)) /
         (2 * std::log(rope.at("base")));
}

/// How much of the unscaled frequency a pair keeps: 1 for the fast ones, 0 for the slow ones.
double kept(const LlamaCppRope& rope, std::size_t pair) {
  const double fast = correction_pair(rope.at("beta_fast"), rope);
  const double slow = correction_pair(rope.at("beta_slow"), rope);
  const double low = std::max(0.0, rope.truncates ? std::floor(fast) : fast);
  const double high = std::min(rope.at("width") - 1, rope.truncates ? std::ceil(slow) : slow);
  const double place = (static_cast<double>(pair) - low) / std::max(0.001, high - low);
  return 1 - std::clamp(place, 0.0, 1.0);
}

/// The amplitude of YaRN, beside the attention factor. A log multiplier says that mscale is mscale_all_dim.
double yarn_amplitude(double factor, double log_multiplier) {
  return log_multiplier == 0 && factor > 1 ? 0.1 * std::log(factor) + 1 : 1;
}

}  // namespace

TurnRates LlamaCppRope::turning(bool is_long) const {
  const bool is_scaled = scaling_type != "none";
  const double scale = is_scaled ? 1 / at("factor") : 1;
  const double extrapolation =
      at("extrapolation") < 0 ? (scaling_type == "yarn" ? 1.0 : 0.0) : at("extrapolation");
  TurnRates result{.amplitude = at("attention")};
  if (extrapolation != 0) {
    result.amplitude *= yarn_amplitude(1 / scale, at("log_multiplier"));
  }
  const auto& factors = is_long ? long_factors : short_factors;
  const auto pairs = static_cast<std::size_t>(at("width") / 2);
  for (std::size_t pair = 0; pair < pairs; ++pair) {
    const double unscaled = std::pow(at("base"), -2 * static_cast<double>(pair) / at("width")) /
                            (pair < factors.size() ? factors[pair] : 1);
    const double mixed = extrapolation == 0 ? 0 : kept(*this, pair) * extrapolation;
    result.frequencies.push_back(unscaled * scale * (1 - mixed) + unscaled * mixed);
  }
  return result;
}

OrderedJson LlamaCppRope::spec(const std::string& layout, int head_dim) const {
  const auto width = static_cast<int>(at("width"));
  const int all = std::max(head_dim, width);
  OrderedJson spec{{"scheme", "rope"}, {"head_dim", all}, {"rope_theta", at("base")}};
  spec["layout"] = layout.empty() ? "half" : layout;
  if (context > 0) {
    spec["max_position_embeddings"] = static_cast<std::int64_t>(context);
  }
  if (all != width) {
    spec["partial_rotary_factor"] = static_cast<double>(width) / all;
  }
  const double extrapolation = at("extrapolation");
  OrderedJson scaling = OrderedJson::object();
  if (!long_factors.empty()) {
    scaling = {{"rope_type", "longrope"},
               {"short_factor", short_factors},
               {"long_factor", long_factors},
               {"original_max_position_embeddings", static_cast<std::int64_t>(at("original"))},
               {"attention_factor", at("attention")}};
  } else if (scaling_type == "yarn" && at("factor") != 1) {
    scaling = {{"rope_type", "yarn"},
               {"factor", at("factor")},
               {"original_max_position_embeddings", static_cast<std::int64_t>(at("original"))},
               {"beta_fast", at("beta_fast")},
               {"beta_slow", at("beta_slow")}};
    if (extrapolation >= 0 && extrapolation != 1) {
      scaling["extrapolation_factor"] = extrapolation;
    }
    if (at("attention") != 1 || at("log_multiplier") != 0) {
      scaling["attention_factor"] = turning(true).amplitude;
    }
  } else if (scaling_type != "none" && at("factor") != 1) {
    scaling = {{"rope_type", "linear"}, {"factor", at("factor")}};
  }
  if (sections.size() == 3) {
    scaling["rope_type"] = scaling.value("rope_type", std::string("default"));
    scaling["mrope_section"] = sections;
    scaling["mrope_interleaved"] = are_interleaved;
  }
  if (!scaling.empty()) {
    spec["rope_scaling"] = scaling;
  }
  try {
    return parse_spec(spec.dump(), "GGUF")->spec();
  } catch (const InputError&) {
    return nullptr;
  }
}

LlamaCppRope wanted_rope(const OrderedJson& spec, const std::string& source, bool has_log_multiplier) {
  const auto encoding = parse_spec(spec.dump(), source);
  const auto& rope = dynamic_cast<const RopeEncoding&>(*encoding).parameters();
  LlamaCppRope wanted{.scaling_type = "none"};
  for (const auto& rule : llama_cpp_data().at("quantities")) {
    wanted.quantities[rule.at("name").get<std::string>()] = rule.value("default", 0.0);
  }
  auto& quantities = wanted.quantities;
  quantities["base"] = approximately(rope.rope_theta);
  quantities["width"] = rope.rotary_dim();
  const auto exact = *turn_rates_of(spec, source);
  quantities["attention"] = exact.amplitude;
  const auto scaling = spec.value("rope_scaling", OrderedJson::object());
  const auto type = scaling.value("rope_type", std::string("default"));
  if (scaling.contains("mrope_section")) {
    wanted.sections = scaling.at("mrope_section").get<std::vector<int>>();
    wanted.are_interleaved = scaling.value("mrope_interleaved", false);
  }
  quantities["original"] = scaling.value("original_max_position_embeddings", 0.0);
  if (type == "linear" || type == "yarn") {
    wanted.scaling_type = type;
    quantities["factor"] = scaling.value("factor", 1.0);
  }
  if (type == "yarn") {
    quantities["extrapolation"] = 1;
    quantities["beta_fast"] = scaling.value("beta_fast", 32.0);
    quantities["beta_slow"] = scaling.value("beta_slow", 1.0);
    wanted.truncates = scaling.value("truncate", true);
    quantities["log_multiplier"] = has_log_multiplier && exact.amplitude == 1 ? 0.1 : 0;
    quantities["attention"] =
        exact.amplitude / yarn_amplitude(quantities["factor"], quantities["log_multiplier"]);
  } else if (type == "longrope") {
    wanted.scaling_type = type;
    wanted.by_length = true;
    wanted.long_factors = scaling.at("long_factor").get<std::vector<double>>();
    wanted.short_factors = scaling.at("short_factor").get<std::vector<double>>();
  } else if (type != "linear" && type != "default") {
    // Whatever the rule, the file lists what it divides each frequency by.
    for (std::size_t pair = 0; pair < exact.frequencies.size(); ++pair) {
      const double unscaled =
          std::pow(quantities["base"], -2 * static_cast<double>(pair) / quantities["width"]);
      wanted.long_factors.push_back(unscaled / exact.frequencies[pair]);
    }
    wanted.short_factors = wanted.long_factors;
  }
  return wanted;
}

template <class Value>
const Value* LlamaCppReading::held(const std::string& key) const {
  const auto found = file_.metadata().find(key);
  return found == file_.metadata().end() ? nullptr : std::get_if<Value>(&found->second);
}

LlamaCppReading::LlamaCppReading(const Gguf& file, const std::string& source) : file_(file), source_(source) {
  const auto* name = held<std::string>("general.architecture");
  refuse_if(name == nullptr, "{}: general.architecture: missing, expected the name of an architecture",
            source);
  architecture_ = *name;
}

std::string LlamaCppReading::layout() const {
  for (const auto& [layout, architectures] : llama_cpp_data().at("layouts").items()) {
    if (lists(architectures, architecture_)) {
      return layout;
    }
  }
  return "";
}

bool LlamaCppReading::needs_sections() const {
  const auto& orders = llama_cpp_data().at("with_sections");
  return std::ranges::any_of(orders, [this](const auto& names) { return lists(names, architecture_); });
}

bool LlamaCppReading::has_log_multiplier() const {
  return lists(llama_cpp_data().at("has_log_multiplier"), architecture_);
}

std::optional<double> LlamaCppReading::number(const std::string& key) const {
  if (!has(key)) {
    return std::nullopt;
  }
  const auto* number = held<double>(key);
  const auto* array = held<Gguf::Array>(key);
  refuse_if(number == nullptr && (array == nullptr || array->numbers.empty()),
            "{}: {}: found no number, expected one", source_, key);
  return number != nullptr ? *number : array->numbers.front();
}

std::optional<double> LlamaCppReading::head_width() const {
  if (const auto width = number(key_named("attention.key_length"))) {
    return width;
  }
  const auto all = number(key_named("embedding_length"));
  const auto heads = number(key_named("attention.head_count"));
  return all && heads && *heads > 0 ? std::optional(std::floor(*all / *heads)) : std::nullopt;
}

std::string LlamaCppReading::key(std::string_view quantity, bool is_sliding) const {
  const auto& sliding = llama_cpp_data().at("sliding");
  if (is_sliding && sliding.contains(std::string(quantity)) && quantity != "plain") {
    return key_named(sliding.at(std::string(quantity)).get<std::string>());
  }
  for (const auto& rule : llama_cpp_data().at("quantities")) {
    if (rule.at("name") == quantity) {
      for (const auto& name : rule.at("keys")) {
        if (has(key_named(name.get<std::string>()))) {
          return key_named(name.get<std::string>());
        }
      }
      return key_named(rule.at("keys").front().get<std::string>());
    }
  }
  return key_named(quantity);
}

double LlamaCppReading::quantity(const OrderedJson& rule, bool is_sliding,
                                 std::optional<double> width) const {
  const auto name = rule.at("name").get<std::string>();
  if (const auto stated = number(key(name, is_sliding))) {
    return name == "factor" && *stated == 0 ? 1 : *stated;
  }
  if (name == "width") {
    const auto assumed = head_width() ? head_width() : width;
    refuse_if(!assumed, "{}: {}: missing, expected how many dimensions rotate", source_, key(name, false));
    return *assumed;
  }
  if (rule.contains("otherwise")) {
    return number(key_named(rule.at("otherwise").get<std::string>())).value_or(0);
  }
  return rule.at("default").get<double>();
}

LlamaCppRope LlamaCppReading::rope(bool is_sliding, std::optional<double> width) const {
  const auto& data = llama_cpp_data();
  LlamaCppRope rope;
  const auto& type = data.at("scaling_type");
  const auto* stated = held<std::string>(key_named(type.at("key").get<std::string>()));
  rope.scaling_type = stated == nullptr ? type.at("default").get<std::string>() : *stated;
  const auto& plain = data.at("sliding").at("plain");
  const bool is_plain = is_sliding && lists(plain.at("architectures"), architecture_);
  for (const auto& rule : data.at("quantities")) {
    const auto name = rule.at("name").get<std::string>();
    const bool of_sliding = is_sliding && number(key(name, true)).has_value();
    rope.quantities[name] = quantity(rule, of_sliding, width);
    if (name == "base" && is_plain && !of_sliding) {
      rope.quantities[name] = plain.at("base").get<double>();
    }
  }
  const double turning = rope.at("width");
  refuse_if(!(turning >= 2 && turning <= 65536) || !(rope.at("base") > 0) || !(rope.at("factor") > 0),
            "{}: found a rotation of {} dimensions, base {}, factor {}, expected at least 2 and "
            "positive numbers",
            source_, turning, rope.at("base"), rope.at("factor"));
  rope.scaling_type = is_plain ? "none" : rope.scaling_type;
  const auto context = number(key_named("context_length")).value_or(0);
  rope.context = context >= 1 && context <= std::numeric_limits<std::int32_t>::max() ? context : 0;
  rope.are_interleaved = lists(data.at("with_sections").at("interleaved"), architecture_);
  rope.truncates = std::get<bool>(llama_cpp_rule("truncate").fallback->value());
  rope.by_length = rope.scaling_type == "longrope" ||
                   lists(data.at("factors_by_length").at("architectures"), architecture_);
  if (!is_plain) {
    rope.long_factors = factors(rope.by_length ? "long" : "factors");
    rope.short_factors = factors(rope.by_length ? "short" : "factors");
  }
  if (const auto* sections = held<Gguf::Array>(key_named(data.at("sections").get<std::string>()))) {
    for (const auto pairs : sections->numbers) {
      rope.sections.push_back(pairs > 0 && pairs <= 65536 ? static_cast<int>(pairs) : 0);
    }
  }
  while (!rope.sections.empty() && rope.sections.back() == 0) {
    rope.sections.pop_back();
  }
  return rope;
}

std::vector<double> LlamaCppReading::factors(std::string_view role) const {
  const auto name = llama_cpp_data().at("tensors").at(std::string(role)).get<std::string>();
  const auto found = std::ranges::find_if(
      file_.tensors(), [&name](const StoredTensor& one) { return one.name.ends_with(name); });
  std::vector<double> factors;
  if (found != file_.tensors().end() && found->tensor && found->tensor->format()) {
    factors.resize(std::min<std::size_t>(found->tensor->elements(), 1 << 16));
    found->tensor->numbers(0, factors);
  }
  return factors;
}

std::vector<std::string> LlamaCppReading::unread_keys() const {
  const auto& data = llama_cpp_data();
  std::vector<std::string> read{key_named(data.at("scaling_type").at("key").get<std::string>()),
                                key_named(data.at("sections").get<std::string>()), key("base", true),
                                key("width", true)};
  for (const auto& rule : data.at("quantities")) {
    for (const auto& name : rule.at("keys")) {
      read.push_back(key_named(name.get<std::string>()));
    }
  }
  for (const auto& name : data.at("read_besides")) {
    read.push_back(key_named(name.get<std::string>()));
  }
  std::vector<std::string> unread;
  for (const auto& [key, value] : file_.metadata()) {
    if (key.find("rope") != std::string::npos && std::ranges::find(read, key) == read.end()) {
      unread.push_back(key);
    }
  }
  return unread;
}

}  // namespace vernier
