#pragma once

#include <chrono>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "reference/configs/understood_config.hpp"
#include "reference/json/json.hpp"
#include "reference/json/json_tree.hpp"
#include "reference/schemes/encoding.hpp"
#include "reports/verdict/waivers.hpp"

namespace vernier {

/// What the options of a call are read from.
struct OptionsDocument {
  JsonValue document;
};

/// The options of a call of the C library: JSON that is read key by key.
class CallOptions : private OptionsDocument, public ObjectReader {
 public:
  /// \param text the JSON text of an object, or null \throws InputError
  explicit CallOptions(const char* text)
      : OptionsDocument{text == nullptr ? JsonValue(JsonValue::Object()) : parse_json(text, "options")},
        ObjectReader(document, "options", "") {}
  CallOptions(const CallOptions&) = delete;
  CallOptions& operator=(const CallOptions&) = delete;

  bool flag(std::string_view key) { return optional_boolean(key).value_or(false); }
  /// How many queries biases are of.
  std::size_t queries() {
    return static_cast<std::size_t>(optional_integer("queries", 0, std::int64_t{1} << 31).value_or(0));
  }
  /// A value of any kind; null if it is absent.
  const JsonValue* any(std::string_view key) {
    ignore(key);
    return value_at(document, key);
  }
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
  std::string name;    ///< of the case
  std::string source;  ///< what the caller calls the spec; may be empty
  std::optional<std::string> contract;
  std::string caller;
  std::string reproduce;
  bool error_splits = true;
  std::vector<Waiver> waivers;
  std::chrono::year_month_day today;
};

/// \throws InputError, also for a file of waivers that is none
JudgeOptions read_judge_options(const ChosenEncoding& chosen, CallOptions& options);

/// The verdict under the source that the caller gave, with the waivers.
Verdict judged_by(const JudgeOptions& options, Verdict verdict);

}  // namespace vernier
