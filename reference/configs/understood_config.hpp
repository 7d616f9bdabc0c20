#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "reference/json/json.hpp"

namespace vernier {

/// What a model's configuration file says of its positional encodings.
struct UnderstoodConfig {
  /// Layers, or a part of the model, with one encoding.
  struct Group {
    std::string kind;         ///< "sliding_attention", "encoder"; several joined by commas; empty: the model
    std::vector<int> layers;  ///< in order; empty where the configuration counts none
    JsonValue spec;           ///< what `parse_spec` reads, its numbers with the digits of the file
  };
  /// Layers, or a part, without an encoding that a spec can say.
  struct Unencoded {
    std::string kind;
    std::vector<int> layers;
    std::string why;
  };
  std::vector<Group> groups;  ///< at least one; no two have the same spec
  std::vector<Unencoded> unencoded;
  std::vector<std::string> assumed;  ///< a sentence for each default
  std::vector<std::string> remarks;  ///< a sentence for each contradiction, and for how the family reads
  std::vector<std::string> ignored;  ///< "PATH: VALUE" for each unread key that looks positional, and why
  /// "as written: the code of model_type \"x\" is not known to Vernier"; empty where all code is known.
  std::string as_written = {};
};

/// Understands a Hugging Face config.json, or a params.json of Meta's kind or of DeepSeek's inference code.
/// \param source what to call it in errors, a file name
/// \throws InputError for what is malformed or contradicts itself, and for a model whose encoding no spec
/// says
UnderstoodConfig understand_config(const JsonValue& document, const std::string& source);

/// Reads a configuration file and understands it: JSON as Python writes it, with a bare Infinity or NaN.
/// \throws InputError
UnderstoodConfig read_config(const std::filesystem::path& file);

/// The spec of one layer or kind. \param which a layer's number, a kind, or empty where all agree
/// \param option what says `which`, for errors
/// \throws InputError if there is no such layer, if it has no encoding, or if all do not agree
const JsonValue& spec_of(const UnderstoodConfig& config, const std::string& which, const std::string& source,
                         const std::string& option = "--layer");

/// Whether a document is a model's configuration rather than a spec: it has no scheme, and names its class or
/// has the keys of a params.json.
bool is_config(const JsonValue& document);

/// A spec, and whether the code of the model that has it is known.
struct DeclaredSpec {
  JsonValue spec;
  std::string as_written = {};  ///< as in `UnderstoodConfig`
};

/// The spec that a document is, or that its configuration says. \param which, option as in `spec_of`
/// \throws InputError, also where `which` is given for a spec
DeclaredSpec declared_spec(const JsonValue& document, const std::string& which, const std::string& source,
                           const std::string& option = "--layer");

/// The same of a file. A spec must be strict JSON.
DeclaredSpec read_spec(const std::filesystem::path& file, const std::string& which);

}  // namespace vernier
