#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "reference/configs/family.hpp"
#include "reference/json/json.hpp"

namespace vernier {

/// A value of a configuration, or a default in its place, and the path to call it by in sentences.
struct ConfigValue {
  std::string path;
  JsonValue value;
};

/// Reads the object in a configuration that describes the language model, and keeps account of what was read,
/// what was assumed, and what deserves a remark.
class ConfigReader {
 public:
  /// \param document the whole file, which must outlive the reader
  /// \param where the path of the object within it, empty for the document itself
  ConfigReader(const JsonValue& document, std::string source, std::string where)
      : document_(document), source_(std::move(source)), where_(std::move(where)) {}

  /// The value at a path within the object; nothing if it is absent or null. It counts as read.
  std::optional<ConfigValue> find(std::string_view path);
  /// The value under the first of the names that is there. Others that say something else get a remark.
  std::optional<ConfigValue> first_of(std::span<const std::string> names);
  /// Whether the value at a path meets a variant's condition.
  bool holds(const std::string& path, const JsonValue& wanted);

  /// The values that this layer has to itself are read from here on, if it has any.
  void read_layer(std::optional<int> layer) { layer_ = layer; }
  /// The values that one layer has to itself, as text that differs where the layers' values do; empty where
  /// there is none. \throws InputError if a list has no element for the layer
  std::string values_of_layer(int layer);

  /// Notes a sentence, once.
  void assume(const std::string& sentence);
  void remark(const std::string& sentence);
  /// Notes that the code of something is not known, so that what stands in the file is read as it stands.
  /// \param what whose code: "model_type \"x\""
  void read_as_written(const std::string& what);

  /// An error about a value: "FILE: PATH: found FOUND, expected EXPECTED".
  [[noreturn]] void refuse(const ConfigValue& value, std::string_view expected) const;
  void refuse_if(bool condition, const ConfigValue& value, std::string_view expected) const;
  /// An error about an absent key. \param path as the object's own: "rope_scaling.factor"
  [[noreturn]] void refuse_missing(std::string_view path, std::string_view expected) const;
  /// An error about the object as a whole.
  [[noreturn]] void refuse_all(std::string_view sentence) const;

  std::int64_t integer(const ConfigValue& value, std::int64_t least, std::int64_t greatest) const;
  /// The elements of an array; `value` outlives them.
  const JsonValue::Array& array(const ConfigValue& value, std::string_view expected) const;
  /// The exact value of a number.
  Rational number(const ConfigValue& value) const;

  const JsonValue& document() const { return document_; }
  const std::string& source() const { return source_; }
  /// The path of the object within the document, empty for the document itself.
  const std::string& where() const { return where_; }
  /// The path within the document of a path within the object.
  std::string full_path(std::string_view path) const { return key_path(where_, path); }
  bool was_read(const std::string& full_path) const { return read_.contains(full_path); }
  const std::vector<std::string>& assumed() const { return assumed_; }
  const std::vector<std::string>& remarks() const { return remarks_; }
  /// A sentence, empty where all code is known.
  const std::string& as_written() const { return as_written_; }

 private:
  /// The path of the object with the values of this layer alone, empty if there is none.
  std::string entry_of_layer(int layer) const;
  /// Of a list with an element for each layer, that of the layer which is read.
  ConfigValue at_layer(ConfigValue value) const;

  const JsonValue& document_;
  std::string source_;
  std::string where_;
  std::set<std::string> read_;
  std::vector<std::string> assumed_;
  std::vector<std::string> remarks_;
  std::optional<int> layer_;
  std::string as_written_;
};

/// Reads quantities by the names and the defaults of a family's rules.
class QuantityReader {
 public:
  /// \param config_class what assumptions name as the source of a default
  QuantityReader(ConfigReader& config, EncodingRules rules, std::string config_class)
      : config_(config), rules_(std::move(rules)), config_class_(std::move(config_class)) {}

  /// The value in the file.
  std::optional<ConfigValue> stated(std::string_view quantity);
  /// The class's default, which counts as assumed.
  std::optional<ConfigValue> fallback(std::string_view quantity);
  /// The value in the file, else the default.
  std::optional<ConfigValue> value(std::string_view quantity);
  /// The same where there must be one. \param expected what it should be, in words
  ConfigValue required(std::string_view quantity, std::string_view expected);
  std::int64_t integer(std::string_view quantity, std::int64_t least, std::int64_t greatest);

  /// The names that the file may have for it, none if the family does not read it.
  std::span<const std::string> names_of(std::string_view quantity) const;

  ConfigReader& config() { return config_; }
  const EncodingRules& rules() const { return rules_; }
  const std::string& config_class() const { return config_class_; }

 private:
  ConfigReader& config_;
  EncodingRules rules_;
  std::string config_class_;
};

/// The keys of the document that were not read though they look positional, each as "PATH: VALUE", with the
/// reason where one is known.
/// \param encodes whether the model has an encoding that such a key could change
/// \throws InputError for a key that may change the encoding, and that nothing is known of
std::vector<std::string> ignored_keys(const ConfigReader& reader, const ConfigFamily& family, bool encodes);

/// The kind of each layer, as the first of the family's rules says that finds its key (or has a default);
/// empty where none does. \throws InputError if the key and the number of layers contradict each other
std::vector<std::string> kinds_of_layers(QuantityReader& reader, const ConfigFamily& family);

/// The names of the entries that rope_scaling or rope_parameters has for kinds of layers; none where it has
/// the parameters themselves. \throws InputError for values that are malformed or contradict each other
std::vector<std::string> entries_of_kinds(ConfigReader& config);

/// The spec of a RoPE. \param kind the kind of layer, empty where the layers have no kinds
/// \throws InputError for values that are malformed or contradict each other
JsonValue rope_spec(QuantityReader& reader, const std::string& kind);

/// The spec of a rotary encoding over several axes.
/// \throws InputError for values that are malformed or contradict each other
JsonValue axial_rope_spec(QuantityReader& reader);

/// The spec of sinusoids along several axes, which are added to the patches of an image or a video.
/// \throws InputError for values that are malformed or contradict each other
JsonValue sinusoidal_axes_spec(QuantityReader& reader);

/// The width of the model: stated, the class's default, or that of all heads together.
std::int64_t model_width(QuantityReader& reader);

/// The width of a head: stated, the class's default, or what the hidden size leaves each head.
std::int64_t read_head_dim(QuantityReader& reader);

/// The spec of any scheme that the rules name, RoPE too.
/// \throws InputError for values that are malformed or contradict each other
JsonValue spec_of_rules(QuantityReader& reader, const std::string& kind);

/// The object that says how the rotation is scaled: rope_scaling, rope_parameters, or the entry of one of
/// them for a kind of layer.
struct RotationParameters {
  std::string path;  ///< within the language model's object
  JsonValue value;
  bool of_kind = false;
};

/// The parameters of a rotation, if the configuration has such an object.
/// \param kind the kind of layer, by the name that its entry has; empty where the layers have no kinds
/// \throws InputError for values that are malformed or contradict each other
std::optional<RotationParameters> parameters_of(ConfigReader& config, const std::string& kind);

/// Whether an object of a configuration has a key that only a rotation has a use for, at a value other than
/// null and false. \param where the object's path, empty for the document itself
bool has_rotation(const JsonValue& document, const std::string& where);

/// The path of the one object within a document that has such a key, where the document itself has none: a
/// draft model's target_config. Parts that see or hear are left aside.
/// \throws InputError if there are several
std::optional<std::string> nested_rotation(const JsonValue& document, const std::string& source);

/// Whether a document has a key by which it is a model's configuration, whatever its class.
bool has_model_key(const JsonValue& document);

/// An error about a configuration of an unknown class without a rotation: what it lacks, and what it may
/// have in its place. \param path of the key that names the class \param where the object that was looked at
[[noreturn]] void refuse_without_rotation(const JsonValue& document, const std::string& path,
                                          const std::string& where, const std::string& source);

}  // namespace vernier
