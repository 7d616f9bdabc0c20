#include "reports/words/number_json.hpp"

#include <algorithm>
#include <cmath>

#include "reports/words/value_text.hpp"

namespace vernier {
namespace {

std::string on_one_line(const OrderedJson& value) {
  return value.dump(-1, ' ', /*ensure_ascii=*/false, OrderedJson::error_handler_t::replace);
}

bool holds_numbers(const OrderedJson& array) {
  return std::ranges::none_of(array, [](const auto& value) { return value.is_structured(); }) &&
         std::ranges::any_of(array, [](const auto& value) { return value.is_number() || value.is_null(); });
}

/// A line for each key and element, but for arrays of numbers, which stand on one.
void append(const OrderedJson& value, std::size_t indent, std::string& text) {
  if (!value.is_structured() || value.empty()) {
    text += on_one_line(value);
    return;
  }
  const bool is_object = value.is_object();
  const bool numbers = !is_object && holds_numbers(value);
  text += is_object ? '{' : '[';
  bool first = true;
  for (const auto& [key, element] : value.items()) {
    text += first ? "" : numbers ? ", " : ",";
    first = false;
    if (!numbers) {
      text += '\n' + std::string(indent + 2, ' ');
    }
    if (is_object) {
      text += on_one_line(key) + ": ";
    }
    append(element, indent + 2, text);
  }
  if (!numbers) {
    text += '\n' + std::string(indent, ' ');
  }
  text += is_object ? '}' : ']';
}

}  // namespace

OrderedJson real_json(double value) {
  if (std::isfinite(value)) {
    return value;
  }
  return std::isnan(value) ? "nan" : value > 0 ? "infinity" : "-infinity";
}

OrderedJson value_json(Format format, double value) {
  return {{"decimal", shortest_text(format, value)},
          {"hex", hex_text(value)},
          {"bits", bits_text(format, value)}};
}

std::string document_text(const OrderedJson& document) {
  std::string text;
  append(document, 0, text);
  return text + "\n";
}

}  // namespace vernier
