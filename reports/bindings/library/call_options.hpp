#pragma once

#include <chrono>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "reference/configs/understood_config.hpp"
#include "reference/json/json.hpp"
#include "reference/schemes/encoding.hpp"
#include "reports/verdict/waivers.hpp"

namespace vernier {

/// The options of a call of the C library: JSON that is read key by key.
class CallOptions {
 public:
  /// \param text the JSON text of an object, or null \throws InputError
  explicit CallOptions(const char* text)
      : document_(text == nullptr ? JsonValue(JsonValue::Object()) : parse_json(text, "options")),
        reader_(std::in_place, document_, "options", "") {}

  std::optional<std::string> text(std::string_view key) { return reader_->optional_string(key); }
  bool flag(std::string_view key, bool fallback) { return reader_->optional_boolean(key).value_or(fallback); }
  std::size_t count(std::string_view key);
  std::optional<std::int64_t> integer(std::string_view key, std::int64_t least, std::int64_t most) {
    return reader_->optional_integer(key, least, most);
  }
  std::optional<ObjectReader> object(std::string_view key) { return reader_->optional_object(key); }
  /// A value of any kind; null if it is absent.
  const JsonValue* any(std::string_view key);
  /// Refuses keys that nobody asked for. \throws InputError
  void finish() const { reader_->finish(); }

 private:
  JsonValue document_;
  std::optional<ObjectReader> reader_;
};

/// Which encoding a call is about.
struct ChosenEncoding {
  std::unique_ptr<Encoding> encoding;
  std::string name;    ///< the model's id, or the scheme
  std::string source;  ///< what to call the spec in errors
};

/// \param spec as vernier.h says \param options gives "layer", "sequence_length" and "source"
/// \throws InputError
ChosenEncoding choose_encoding(const char* spec, CallOptions& options);

/// Which encodings a config.json means, or a model of the catalogue. \param config JSON, or the id of a model
/// \param source what to call it in errors \throws InputError
UnderstoodConfig understand_text(const std::string& config, const std::string& source);

/// What `vernier_judge` is told beside the spec and the tensors.
struct JudgeOptions {
  std::optional<std::string> name;
  std::optional<std::string> contract;
  std::string caller;
  std::string reproduce;
  bool error_splits = true;
  std::vector<Waiver> waivers;
  std::chrono::year_month_day today;
};

/// \throws InputError, also for a file of waivers that is none
JudgeOptions read_judge_options(CallOptions& options);

}  // namespace vernier
