#include "reference/json/json.hpp"

#include <algorithm>

#include <fmt/core.h>

#include "reference/json/json_fault.hpp"
#include "reference/support/input_error.hpp"
#include "reference/support/mapped.hpp"
#include "reference/support/refusal.hpp"
#include "reference/support/text_file.hpp"
#include "reference/support/word_list.hpp"

namespace vernier {
namespace {

constexpr std::size_t deepest_nesting = 64;
constexpr std::size_t longest_excerpt = 60;
/// nlohmann's number for a JSON number that overflows a double.
constexpr int number_overflow = 406;

/// A text of any length, as much of it as fits in a sentence.
std::string excerpt(std::string_view text) {
  return std::string(text.substr(0, longest_excerpt)) + (text.size() > longest_excerpt ? "..." : "");
}

/// "spec.json, line 3, column 14".
std::string at_place(std::string_view source, const TextPlace& place) {
  return fmt::format("{}, line {}, column {}", source, place.line, place.column);
}

/// Builds a JsonValue from the events of nlohmann's parser.
class Builder final : public nlohmann::json_sax<nlohmann::json> {
 public:
  Builder(std::string_view text, std::string source) : text_(text), source_(std::move(source)) {}

  bool null() override { return add(nullptr); }
  bool boolean(bool value) override { return add(value); }
  bool number_integer(number_integer_t value) override {
    return add(JsonValue::Number{std::to_string(value)});
  }
  bool number_unsigned(number_unsigned_t value) override {
    return add(JsonValue::Number{std::to_string(value)});
  }
  bool number_float(number_float_t /*rounded*/, const string_t& text) override {
    return add(JsonValue::Number{text});
  }
  bool string(string_t& value) override {
    require_text(value);
    return add(value);
  }
  bool binary(binary_t& /*value*/) override { return false; }
  bool start_object(std::size_t /*size*/) override { return open(JsonValue::Object{}); }
  bool start_array(std::size_t /*size*/) override { return open(JsonValue::Array{}); }
  bool end_object() override {
    check_keys(std::get<JsonValue::Object>(open_.back()->value()));
    return close();
  }
  bool end_array() override { return close(); }

  bool key(string_t& name) override {
    require_text(name);
    std::get<JsonValue::Object>(open_.back()->value()).emplace_back(name, JsonValue());
    return true;
  }

  bool parse_error(std::size_t position, const std::string& token,
                   const nlohmann::detail::exception& error) override {
    const auto fault = json_fault(text_);
    const auto where = at_place(source_, fault ? fault->place : place_of(text_, position));
    refuse_if(error.id == number_overflow, "{}: found the number {}, expected none beyond 1.8e308", where,
              in_quotes(token));
    throw InputError("{}: not JSON: found {}, expected {}", where, fault ? fault->found : in_quotes(token),
                     fault ? fault->expected : "JSON");
  }

  JsonValue take() { return std::move(root_); }

 private:
  JsonValue* place() {
    if (open_.empty()) {
      return &root_;
    }
    if (auto* array = std::get_if<JsonValue::Array>(&open_.back()->value())) {
      return &array->emplace_back();
    }
    return &std::get<JsonValue::Object>(open_.back()->value()).back().second;
  }

  bool add(JsonValue::Variant value) {
    place()->value() = std::move(value);
    return true;
  }

  bool open(JsonValue::Variant container) {
    refuse_if(open_.size() == deepest_nesting, "{}: found more than {} levels of nesting", source_,
              deepest_nesting);
    auto* where = place();
    where->value() = std::move(container);
    open_.push_back(where);
    return true;
  }

  /// Whoever takes it for a C string, as a file's name, would see only a part of it.
  void require_text(const std::string& text) const {
    if (text.find('\0') != std::string::npos) {
      throw InputError("{}: found the string {}, expected none with a zero character", source_,
                       in_quotes(text));
    }
  }

  /// Sorted, because an object may have a hundred thousand keys.
  void check_keys(const JsonValue::Object& object) const {
    auto names = mapped(object, [](const auto& member) { return std::string_view(member.first); });
    std::ranges::sort(names);
    const auto twice = std::ranges::adjacent_find(names);
    if (twice != names.end()) {
      throw InputError("{}: the key {} stands twice in one object", source_, in_quotes(*twice));
    }
  }

  bool close() {
    open_.pop_back();
    return true;
  }

  std::string_view text_;
  std::string source_;
  JsonValue root_;
  std::vector<JsonValue*> open_;
};

}  // namespace

std::string json_string(std::string_view text) {
  return OrderedJson(text).dump(-1, ' ', /*ensure_ascii=*/true, OrderedJson::error_handler_t::replace);
}

std::string in_quotes(std::string_view text) {
  return json_string(excerpt(text));
}

std::string key_path(std::string_view where, std::string_view key) {
  return where.empty() ? std::string(key) : fmt::format("{}.{}", where, key);
}

std::string integer_from_to(std::int64_t least, std::int64_t greatest) {
  return fmt::format("an integer from {} to {}", least, greatest);
}

std::string JsonValue::found() const {
  struct Describe {
    std::string operator()(std::nullptr_t) const { return "null"; }
    std::string operator()(bool value) const { return value ? "true" : "false"; }
    std::string operator()(const Number& value) const { return excerpt(value.text); }
    std::string operator()(const std::string& value) const { return "the string " + in_quotes(value); }
    std::string operator()(const Array&) const { return "an array"; }
    std::string operator()(const Object&) const { return "an object"; }
  };
  return std::visit(Describe{}, value_);
}

JsonValue parse_json(std::string_view text, const std::string& source) {
  // nlohmann's parser takes it for the end.
  if (const auto zero = text.find('\0'); zero != std::string_view::npos) {
    throw InputError("{}: not JSON: found a zero character, expected text",
                     at_place(source, place_of(text, zero)));
  }
  Builder builder(text, source);
  nlohmann::json::sax_parse(text, &builder);
  return builder.take();
}

JsonValue read_json(const std::filesystem::path& file) {
  return parse_json(read_text(file), file.string());
}

}  // namespace vernier
