#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <nlohmann/json.hpp>

#include "reference/numbers/constant.hpp"
#include "reference/numbers/rational.hpp"

namespace vernier {

/// What Vernier writes: JSON with its keys in the order they were given.
using OrderedJson = nlohmann::ordered_json;

/// A JSON document as Vernier reads it: numbers keep the text they were written with, so that 0.1 is one
/// tenth; keys keep their order; a repeated key is an error. Parsing itself is nlohmann's.
class JsonValue {
 public:
  struct Number {
    std::string text;
  };
  using Array = std::vector<JsonValue>;
  using Object = std::vector<std::pair<std::string, JsonValue>>;
  using Variant = std::variant<std::nullptr_t, bool, Number, std::string, Array, Object>;

  JsonValue() = default;
  explicit JsonValue(Variant value) : value_(std::move(value)) {}

  const Variant& value() const { return value_; }
  Variant& value() { return value_; }
  bool is_null() const { return std::holds_alternative<std::nullptr_t>(value_); }

  /// What stands here, for an error sentence: `0`, `the string "1e4"`, `null`, `an array`.
  std::string found() const;

 private:
  Variant value_ = nullptr;
};

/// The text as a JSON string in ASCII.
std::string json_string(std::string_view text);
/// The same, fit for a sentence: long text is cut.
std::string in_quotes(std::string_view text);
/// The path of a key in sentences: "rope_scaling.factor", the key alone where `where` is empty.
std::string key_path(std::string_view where, std::string_view key);
/// What is expected of a whole number: "an integer from 1 to 8".
std::string integer_from_to(std::int64_t least, std::int64_t greatest);

/// Parses `text`. \param source what to call it in errors, a file name
/// \throws InputError for text that is not JSON, with the line and the column, a repeated key, or more than
/// 64 levels of nesting
JsonValue parse_json(std::string_view text, const std::string& source);

/// Reads and parses a file of at most 64 MiB. \throws InputError
JsonValue read_json(const std::filesystem::path& file);

/// Reads one JSON object key by key. Every failure is an InputError that names the source, the key's path,
/// what was found and what was expected. Call `finish` after the last key: a key nobody asked for is an error
/// there, and so is a misspelt one.
class ObjectReader {
 public:
  /// \param where the object's path inside the document ("spec"), empty for the document itself
  ObjectReader(const JsonValue& value, std::string source, std::string where);

  std::optional<std::int64_t> optional_integer(std::string_view key, std::int64_t least,
                                               std::int64_t greatest) {
    return read_integer(key, Presence::optional, least, greatest);
  }
  std::int64_t integer(std::string_view key, std::int64_t least, std::int64_t greatest) {
    return *read_integer(key, Presence::required, least, greatest);
  }
  /// \param accepts the condition that `expected` says in words
  std::optional<Rational> optional_number(std::string_view key,
                                          const std::function<bool(const Rational&)>& accepts,
                                          std::string_view expected) {
    return read_number(key, Presence::optional, accepts, expected);
  }
  Rational number(std::string_view key, const std::function<bool(const Rational&)>& accepts,
                  std::string_view expected) {
    return *read_number(key, Presence::required, accepts, expected);
  }
  /// A number, or one that is written as text: "1/7", "2pi".
  std::optional<Constant> optional_constant(std::string_view key,
                                            const std::function<bool(const Constant&)>& accepts,
                                            std::string_view expected);
  std::optional<bool> optional_boolean(std::string_view key);
  std::optional<std::string> optional_string(std::string_view key) {
    return read_string(key, Presence::optional);
  }
  std::string string(std::string_view key) { return *read_string(key, Presence::required); }
  /// The index in `choices` of the string found.
  std::optional<std::size_t> optional_choice(std::string_view key, std::span<const std::string_view> choices);
  /// The same, or `fallback` if the key is absent.
  std::size_t choice(std::string_view key, std::initializer_list<std::string_view> choices,
                     std::size_t fallback) {
    return optional_choice(key, {choices.begin(), choices.size()}).value_or(fallback);
  }
  /// A reader of the object under `key`, if there is one.
  std::optional<ObjectReader> optional_object(std::string_view key);
  ObjectReader object(std::string_view key);
  /// The elements of the array under `key`. \param expected what the array should be, in words
  const JsonValue::Array& array(std::string_view key, std::string_view expected);
  /// Readers of the objects in the array under `key`. \param expected what the array should be, in words
  std::vector<ObjectReader> objects(std::string_view key, std::string_view expected);
  /// Marks the key as known and says nothing about its value.
  void ignore(std::string_view key);
  /// The keys of the object, in order.
  std::vector<std::string> keys() const;
  bool has(std::string_view key) const;

  void finish() const;

  /// An error about `key`: "FILE: spec.KEY: found FOUND, expected EXPECTED".
  [[noreturn]] void refuse(std::string_view key, std::string_view expected) const;
  void refuse_if(bool condition, std::string_view key, std::string_view expected) const {
    if (condition) {
      refuse(key, expected);
    }
  }
  /// An error about something within the value of a key. \param within its path from here: "values[2][0]"
  [[noreturn]] void refuse_within(std::string_view within, const JsonValue& value,
                                  std::string_view expected) const;
  /// An error about the object as a whole.
  [[noreturn]] void refuse_all(std::string_view sentence) const;
  const std::string& source() const { return source_; }

 private:
  enum class Presence { optional, required };

  /// What `parse` makes of the key's value, if it is there. Refuses one of which it makes nothing.
  template <class Parse, class Substitutes>
  auto read(std::string_view key, Presence presence, std::string_view expected, const Parse& parse,
            const Substitutes& substitutes) -> decltype(parse(JsonValue()));
  std::optional<std::int64_t> read_integer(std::string_view key, Presence presence, std::int64_t least,
                                           std::int64_t greatest);
  std::optional<Rational> read_number(std::string_view key, Presence presence,
                                      const std::function<bool(const Rational&)>& accepts,
                                      std::string_view expected);
  std::optional<std::string> read_string(std::string_view key, Presence presence);
  std::optional<ObjectReader> read_object(std::string_view key, Presence presence);
  [[noreturn]] void refuse_value(std::string_view key, std::string_view expected,
                                 std::vector<JsonValue> substitutes) const;
  /// "FILE: spec.KEY: found FOUND, expected EXPECTED"
  std::string sentence_about(std::string_view key, std::string_view expected) const;
  const JsonValue* take(std::string_view key);
  const JsonValue* find(std::string_view key) const;
  std::string path(std::string_view key) const;

  const JsonValue::Object* object_;
  std::vector<std::string> known_;
  std::string source_;
  std::string where_;
};

}  // namespace vernier
