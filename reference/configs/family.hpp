#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "reference/json/json.hpp"

namespace vernier {

/// The names that a configuration may give to each quantity, in the order in which they are tried; a name may
/// be a path of keys joined by dots.
using KeyNames = std::map<std::string, std::vector<std::string>, std::less<>>;

/// What a model family's code does with a configuration. Quantities are called by Vernier's own names, those
/// of `key_names()`.
struct EncodingRules {
  /// A scheme's name; "refused" where Vernier cannot express the encoding; empty: as the family has it.
  std::string encoding;
  /// With "refused": the reason, as the end of a sentence about the model.
  std::string why;
  /// The names of quantities where they are not the usual ones.
  KeyNames keys;
  /// The values that the configuration class gives to absent keys.
  JsonValue::Object defaults;
  /// Members of the spec that are the same for the whole family: its layout, its direction.
  JsonValue::Object spec;
  /// Whether rope_scaling counts.
  bool scaled = true;
  /// The key of a kind of layer in a rope_parameters that has an entry for each kind, if it is not the
  /// kind's.
  std::string entry;
};

/// How a configuration says of which kind each layer is.
struct LayerRule {
  enum class Form {
    names,     ///< an array with the kind's name for each layer
    codes,     ///< an array with a code for each layer, or text of which each letter is one, repeated
    interval,  ///< an integer n: one layer in n is of one kind, the others of another
    members,   ///< an array of the numbers of the layers of one kind
  };
  Form form = Form::names;
  std::vector<std::string> keys;
  std::map<std::string, std::string, std::less<>> codes;  ///< from code, or "otherwise", to kind
  std::optional<std::int64_t> default_interval;
  bool first = false;  ///< of an interval: the first layer of each n is `kind`, else the last
  std::string kind;
  std::string others;
};

struct ConfigVariant;

/// The configurations of one class, or of one kind of file that names no class.
struct ConfigFamily {
  std::vector<std::string> model_types;
  /// The keys by which a file without a model_type is known.
  std::vector<std::string> recognised_by;
  std::string config_class;
  /// The model_type of the language model inside, where the file leaves it out.
  std::string text_model_type;
  EncodingRules rules;
  std::vector<LayerRule> layers;
  /// The parts of a model whose encodings differ by part, not by layer: "encoder", "decoder".
  std::vector<std::string> parts;
  /// What layers of a kind, or parts, do differently.
  std::map<std::string, EncodingRules, std::less<>> kinds;
  /// Why keys that look positional are left unread.
  std::map<std::string, std::string, std::less<>> because;
  std::string note;
  /// Sentences on what the reading takes for granted.
  std::vector<std::string> assumptions;
  std::string source;
  /// Other readings of the family; the first whose conditions hold counts.
  std::vector<ConfigVariant> variants;
};

/// Another reading of a family.
struct ConfigVariant {
  /// Conditions, all of which must hold: by path the value; null for an absent one, {"present": true} for
  /// any.
  JsonValue::Object when;
  ConfigFamily family;
};

/// What a type of rope_scaling takes.
struct RopeType {
  std::string name;  ///< as specs call it
  std::vector<std::string> required;
  std::vector<std::string> optional;
  bool of_length = false;    ///< whether the frequencies depend on the length of the sequence
  bool of_deepseek = false;  ///< whether mscale is 1 and mscale_all_dim 0 where they are absent, as in vLLM
};

/// What configurations call things, whatever the family.
struct ConfigNames {
  std::vector<std::string> nested;  ///< the paths at which a language model's configuration may stand
  KeyNames keys;
  std::map<std::string, RopeType, std::less<>> rope_types;
  std::map<std::string, EncodingRules, std::less<>> kinds;
  std::vector<std::string> positional;      ///< parts of words by which a key looks positional
  std::vector<std::string> not_positional;  ///< keys that look so and are not
  std::vector<std::string> decisive;        ///< parts of words by which a key may change the encoding
  std::vector<std::string> of_scalings;     ///< members of a scaling, some of which a type has no use for
  /// The values at which a decisive key changes nothing.
  JsonValue::Object neutral;
  std::map<std::string, std::string, std::less<>> because;
  std::vector<std::string> of_rotations;  ///< keys of rotations alone; with "=" the value that tells
  std::vector<std::string> other_parts;   ///< parts of words by which a key names no language model
  std::vector<std::string> by_layer;      ///< keys whose value may be a list with an element for each layer
  std::vector<std::string> of_models;     ///< keys by which a document is a model's configuration
  /// What else may be meant by a configuration without a key of a rotation: key and guess.
  std::map<std::string, std::string, std::less<>> without_rotation;
  /// How a configuration is read whose class is not known.
  ConfigFamily as_written;
};

/// The strings of an array, none where the key is absent.
std::vector<std::string> read_strings(ObjectReader& reader, std::string_view key);

/// All families, from the data files beside this one.
std::span<const ConfigFamily> config_families();
const ConfigNames& config_names();

/// The family of a model_type, if there is one.
const ConfigFamily* family_of(std::string_view model_type);

/// The rules of one kind of layer: the family's, with the kind's in their place where it has any.
EncodingRules rules_of_kind(const ConfigFamily& family, std::string_view kind);

}  // namespace vernier
