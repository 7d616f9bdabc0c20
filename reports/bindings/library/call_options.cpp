#include "reports/bindings/library/call_options.hpp"

#include <limits>
#include <string_view>

#include "reference/json/key_faults.hpp"
#include "reference/schemes/scheme_registry.hpp"
#include "reference/support/refusal.hpp"
#include "reports/words/specs/catalogued_model.hpp"
#include "reports/words/specs/sequence_length.hpp"

namespace vernier {
namespace {

constexpr std::string_view blanks = " \t\r\n";

/// Whether a text is JSON rather than a model's id, which has no braces.
bool is_json(std::string_view text) {
  const auto first = text.find_first_not_of(blanks);
  return first != std::string_view::npos && (text[first] == '{' || text[first] == '[');
}

ChosenEncoding declared_encoding(const char* spec, CallOptions& options) {
  const auto layer = options.optional_string("layer").value_or("");
  const auto source = options.optional_string("source").value_or("spec");
  refuse_if(spec == nullptr, "{}: found a null pointer, expected JSON or the id of a model", source);
  if (!is_json(spec)) {
    return {model_encoding(spec, layer, {.model = source, .layer = "layer"}), spec, source};
  }
  const auto python = parse_python_json(spec, source);
  const auto declared =
      declared_spec(is_config(python) ? python : parse_json(spec, source), layer, source, "layer");
  auto encoding = read_telling_all_faults(declared.spec, [&](const JsonValue& document) {
    return parse_spec(ObjectReader(document, source, ""));
  });
  encoding->set_as_written(declared.as_written);
  std::string scheme(encoding->scheme());
  return {std::move(encoding), std::move(scheme), source};
}

}  // namespace

ChosenEncoding choose_encoding(const char* spec, CallOptions& options) {
  auto chosen = declared_encoding(spec, options);
  if (const auto length =
          options.optional_integer("sequence_length", 1, std::numeric_limits<std::int32_t>::max())) {
    chosen.encoding = at_sequence_length(*chosen.encoding, *length, "sequence_length", chosen.source);
  }
  return chosen;
}

UnderstoodConfig understand_text(const std::string& config, const std::string& source) {
  return is_json(config) ? understand_config(parse_python_json(config, source), source)
                         : catalogued_config(config, {.model = source, .layer = "layer"});
}

JudgeOptions read_judge_options(const ChosenEncoding& chosen, CallOptions& options) {
  JudgeOptions result;
  result.name = options.optional_string("name").value_or(chosen.name);
  result.source = options.has("source") ? chosen.source : "";
  result.contract = options.optional_string("contract");
  result.caller = options.optional_string("caller").value_or("vernier_judge");
  result.reproduce = options.optional_string("reproduce").value_or("");
  result.error_splits = options.optional_boolean("error_splits").value_or(true);
  result.today = day_or_today(options.optional_string("date").value_or(""), "date");
  if (const auto* waivers = options.any("waivers")) {
    const auto* file = std::get_if<std::string>(&waivers->value());
    result.waivers = file == nullptr ? parse_waivers(*waivers, "waivers") : read_waivers(*file);
  }
  return result;
}

Verdict judged_by(const JudgeOptions& options, Verdict verdict) {
  verdict.source = options.source;
  apply_waivers(verdict, options.waivers, options.today);
  return verdict;
}

}  // namespace vernier
