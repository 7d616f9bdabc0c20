#include "reports/bindings/library/call_options.hpp"

#include <limits>
#include <string_view>

#include "reference/json/json_tree.hpp"
#include "reference/json/key_faults.hpp"
#include "reference/schemes/scheme_registry.hpp"
#include "reference/support/input_error.hpp"
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

DeclaredSpec spec_in(const std::string& text, const std::string& source, const std::string& layer) {
  const auto document = parse_python_json(text, source);
  return declared_spec(is_config(document) ? document : parse_json(text, source), layer, source, "layer");
}

std::chrono::year_month_day day_of(const std::optional<std::string>& date) {
  if (!date) {
    return std::chrono::floor<std::chrono::days>(std::chrono::system_clock::now());
  }
  const auto day = parse_date(*date);
  if (!day) {
    throw InputError("date: found {}, expected a day, YYYY-MM-DD", in_quotes(*date));
  }
  return *day;
}

}  // namespace

std::size_t CallOptions::count(std::string_view key) {
  constexpr std::int64_t most = std::int64_t{1} << 31;
  return static_cast<std::size_t>(reader_->optional_integer(key, 0, most).value_or(0));
}

const JsonValue* CallOptions::any(std::string_view key) {
  reader_->ignore(key);
  return value_at(document_, key);
}

namespace {

ChosenEncoding declared_encoding(const char* spec, CallOptions& options) {
  const auto layer = options.text("layer").value_or("");
  const auto source = options.text("source").value_or("spec");
  refuse_if(spec == nullptr, "{}: found a null pointer, expected JSON or the id of a model", source);
  if (!is_json(spec)) {
    return {model_encoding(spec, layer, {.model = source, .layer = "layer"}), spec, source};
  }
  const auto declared = spec_in(spec, source, layer);
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
  if (const auto length = options.integer("sequence_length", 1, std::numeric_limits<std::int32_t>::max())) {
    chosen.encoding = at_sequence_length(*chosen.encoding, *length, "sequence_length", chosen.source);
  }
  return chosen;
}

UnderstoodConfig understand_text(const std::string& config, const std::string& source) {
  return is_json(config) ? understand_config(parse_python_json(config, source), source)
                         : catalogued_config(config, {.model = source, .layer = "layer"});
}

JudgeOptions read_judge_options(CallOptions& options) {
  JudgeOptions result;
  result.name = options.text("name");
  result.contract = options.text("contract");
  result.caller = options.text("caller").value_or("vernier_judge");
  result.reproduce = options.text("reproduce").value_or("");
  result.error_splits = options.flag("error_splits", true);
  result.today = day_of(options.text("date"));
  if (const auto* waivers = options.any("waivers")) {
    const auto* file = std::get_if<std::string>(&waivers->value());
    result.waivers = file == nullptr ? parse_waivers(*waivers, "waivers") : read_waivers(*file);
  }
  return result;
}

}  // namespace vernier
