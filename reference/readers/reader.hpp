#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "reference/json/json.hpp"

namespace vernier {

/// How a reader comes by one quantity of a rotation.
struct ReadRule {
  /// The paths that it tries, in order. "$.factor" is the member of the object that scales, below.
  std::vector<std::string> keys;
  std::optional<JsonValue> fallback = {};  ///< what it takes where no key is there; nothing: it goes without
  /// Whether the keys and defaults of the configuration class (reference/configs) come before `fallback`.
  bool of_class = false;
  std::string times;  ///< what it multiplies the value by: a quantity; empty: nothing
  std::string why;    ///< the reason, where one is known
};

/// What a reader does: as a row of readers.json says it, or what an exception changes of it.
struct ReaderRules {
  /// The objects that may scale the rotation: the first one that is there does.
  std::optional<std::vector<std::string>> object;
  std::optional<bool> entries;  ///< whether it knows objects with an entry for each kind of layer
  /// From the name of a type of scaling to Vernier's.
  std::optional<std::map<std::string, std::string, std::less<>>> types;
  std::map<std::string, ReadRule, std::less<>> quantities;
};

/// What a reader does differently; all conditions that are given must hold.
struct ReaderException {
  std::vector<std::string> model_types;
  std::vector<std::string> rope_types;
  std::vector<std::string> kinds;  ///< of layers
  ReaderRules rules;
};

/// A program that reads configurations of models.
struct ReaderRow {
  std::string name = {};
  std::string source = {};  ///< the files and the commit that the row was written from
  /// The values of model_type whose code the row was read from; of others it says nothing.
  std::vector<std::string> model_types = {};
  bool is_reference = false;  ///< not a program, but what the file says if every key counts
  bool refuses = true;  ///< whether it refuses types of scaling that it does not know, or reads no scaling
  ReaderRules rules = {};
  std::vector<ReaderException> exceptions = {};

  bool covers(std::string_view model_type) const;
};

/// The rows of a document like readers.json. \throws InputError
std::vector<ReaderRow> parse_readers(const JsonValue& document, const std::string& source,
                                     std::span<const ReaderRow> known = {});

/// All readers of readers.json; the first is the reference.
std::span<const ReaderRow> readers();

/// A quantity of a rotation, as a reader has it.
struct ReadQuantity {
  std::string quantity;
  std::string key;  ///< the path in the document; empty for a default
  JsonValue value;
  std::string why;
};

/// A key that a reader leaves alone, with its value.
struct IgnoredKey {
  std::string key;  ///< the path in the document
  JsonValue value;
};

/// What a reader makes of a configuration.
struct Reading {
  std::string reader = {};
  bool is_known = true;    ///< whether its row covers the model_type; if not, nothing below is said
  std::string kind = {};   ///< of layers; empty where the file has no entries for kinds
  std::string error = {};  ///< why the reader stops; empty if it does not
  JsonValue spec = {};     ///< what `parse_spec` reads; null with an error
  std::vector<ReadQuantity> quantities = {};
  std::vector<IgnoredKey> ignored = {};  ///< keys of the rotation that it leaves alone, or others outrank
  std::vector<std::string> object = {};  ///< the paths of the objects that scale for it, nearest first

  const ReadQuantity* quantity(std::string_view name) const;
};

/// The paths that a rule tries in a document, with "$" replaced. \param where the language model's object
std::vector<std::string> paths_of(const ReadRule& rule, const Reading& reading, const std::string& where);

/// The kinds of layers that the document has entries for; one empty kind where it has none.
std::vector<std::string> kinds_with_entries(const JsonValue& document);

/// The path of the language model within a document; empty for the document itself.
std::string language_model_of(const JsonValue& document);

/// The model_type of the language model, else that of the document; empty where neither says one.
std::string model_type_of(const JsonValue& document);

/// What the reader makes of the layers of a kind. A fault of the document is told in `error`.
/// \param source what to call the document in errors, a file name
Reading read_as(const ReaderRow& reader, const JsonValue& document, const std::string& source,
                const std::string& kind);

/// \throws InputError for a document that says no rotation, though every key counts
void require_rotation(const JsonValue& document, const std::string& source);

/// The rules of a reader for a document, exceptions included.
ReaderRules rules_for(const ReaderRow& reader, std::string_view model_type, std::string_view kind,
                      std::string_view rope_type);

}  // namespace vernier
