#include "reference/json/json_tree.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include <fmt/core.h>

#include "reference/json/json_fault.hpp"
#include "reference/support/input_error.hpp"
#include "reference/support/word_list.hpp"

namespace vernier {
namespace {

/// Whether two values of one kind are the same; those of different kinds are not.
struct Same {
  template <class Held>
  bool operator()(const Held& one, const Held& other) const {
    return one == other;
  }
  template <class Held, class Other>
  bool operator()(const Held& /*one*/, const Other& /*other*/) const {
    return false;
  }
  bool operator()(const JsonValue::Number& one, const JsonValue::Number& other) const {
    const auto exact = parse_rational(one.text);
    return exact ? exact == parse_rational(other.text) : one.text == other.text;
  }
  bool operator()(const JsonValue::Array& one, const JsonValue::Array& other) const {
    return std::ranges::equal(one, other, same_value);
  }
  bool operator()(const JsonValue::Object& one, const JsonValue::Object& other) const {
    return one.size() == other.size() && std::ranges::all_of(one, [&other](const auto& entry) {
             const auto* found = member_of(other, entry.first);
             return found != nullptr && same_value(entry.second, *found);
           });
  }
};

/// Writes a value as JSON. \param indent the spaces before a line of the object that the value stands in
struct Writer {
  std::string indent;

  std::string operator()(std::nullptr_t) const { return "null"; }
  std::string operator()(bool value) const { return value ? "true" : "false"; }
  std::string operator()(const JsonValue::Number& value) const { return value.text; }
  std::string operator()(const std::string& value) const { return json_string(value); }

  std::string operator()(const JsonValue::Array& array) const {
    const Writer inner{indent + "  "};
    return fmt::format(
        "[{}]", joined(array, [&](const JsonValue& element) { return std::visit(inner, element.value()); }));
  }

  std::string operator()(const JsonValue::Object& object) const {
    const Writer inner{indent + "  "};
    std::string text;
    for (const auto& [key, value] : object) {
      text += fmt::format("{}{}{}: {}", text.empty() ? "\n" : ",\n", inner.indent, json_string(key),
                          std::visit(inner, value.value()));
    }
    return text.empty() ? "{}" : '{' + text + '\n' + indent + '}';
  }
};

/// One past the end of the string literal that opens at `first`, or the end of the text.
std::size_t end_of_string(std::string_view text, std::size_t first) {
  for (auto at = first + 1; at < text.size(); ++at) {
    if (text[at] == '\\') {
      ++at;
    } else if (text[at] == '"') {
      return at + 1;
    }
  }
  return text.size();
}

/// Tells a fault where it is in a file in which some words are not in quotes. \param quoted where they are
void require_json(const std::string& text, const std::vector<std::size_t>& quoted,
                  const std::string& source) {
  const auto fault = json_fault(text);
  if (!fault) {
    return;
  }
  const auto& [line, column] = fault->place;
  const auto words_before = std::ranges::count_if(quoted, [&](std::size_t at) {
    const auto word = place_of(text, at);
    return word.line == line && word.column < column;
  });
  throw InputError("{}, line {}, column {}: not JSON: found {}, expected {}", source, line,
                   column - 2 * static_cast<std::size_t>(words_before), fault->found, fault->expected);
}

}  // namespace

const JsonValue* member_of(const JsonValue::Object& object, std::string_view key) {
  const auto found = std::ranges::find(object, key, &JsonValue::Object::value_type::first);
  return found == object.end() ? nullptr : &found->second;
}

const JsonValue* value_at(const JsonValue& tree, std::string_view path) {
  const auto* value = &tree;
  while (value != nullptr && !path.empty()) {
    const auto dot = std::min(path.find('.'), path.size());
    const auto* object = std::get_if<JsonValue::Object>(&value->value());
    value = object == nullptr ? nullptr : member_of(*object, path.substr(0, dot));
    path.remove_prefix(std::min(dot + 1, path.size()));
  }
  return value == nullptr || value->is_null() ? nullptr : value;
}

const JsonValue::Object& members_at(const JsonValue& tree, std::string_view path) {
  static const JsonValue::Object none;
  const auto* object = held_at<JsonValue::Object>(tree, path);
  return object == nullptr ? none : *object;
}

bool same_value(const JsonValue& one, const JsonValue& other) {
  return std::visit(Same(), one.value(), other.value());
}

std::optional<Rational> number_in(const JsonValue& value) {
  const auto* number = std::get_if<JsonValue::Number>(&value.value());
  return number == nullptr ? std::nullopt : parse_rational(number->text);
}

JsonValue integer_value(std::int64_t value) {
  return JsonValue(JsonValue::Number{std::to_string(value)});
}

std::string json_text(const JsonValue& value) {
  return std::visit(Writer{}, value.value());
}

std::string short_text(const JsonValue& value) {
  const bool is_container = std::holds_alternative<JsonValue::Array>(value.value()) ||
                            std::holds_alternative<JsonValue::Object>(value.value());
  return is_container ? value.found() : json_text(value);
}

JsonValue parse_python_json(std::string_view text, const std::string& source) {
  constexpr std::array<std::string_view, 3> words{"-Infinity", "Infinity", "NaN"};
  std::string strict;
  std::vector<std::size_t> quoted;  ///< where in it words are
  strict.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const auto rest = text.substr(at);
    const auto* word = std::ranges::find_if(words, [rest](auto one) { return rest.starts_with(one); });
    if (word != words.end()) {
      quoted.push_back(strict.size());
      strict += fmt::format("\"{}\"", *word);
      at += word->size();
    } else {
      const auto end = text[at] == '"' ? end_of_string(text, at) : at + 1;
      strict += text.substr(at, end - at);
      at = end;
    }
  }
  if (!quoted.empty()) {
    require_json(strict, quoted, source);
  }
  return parse_json(strict, source);
}

}  // namespace vernier
