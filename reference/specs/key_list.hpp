#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "reference/keys/key_visitor.hpp"
#include "reference/schemes/encoding.hpp"

namespace vernier {

/// A key of a spec, and what it has there.
struct KeyDescription {
  std::string path;  ///< "rope_scaling.factor"; "axes[1].dims" of a spec, "axes[].dims" of a scheme
  std::string meaning;
  std::string unit;
  std::optional<KeyDomain> domain;  ///< nothing of an object, or a list of objects, of keys
  KeyVisitor::Presence presence = KeyVisitor::Presence::required;
  KeyValue usual = {};  ///< what it has where a document lacks it
  KeyValue value = {};  ///< nothing where it is not there; true of an object, the number of those in a list

  bool is_there() const { return !std::holds_alternative<std::monostate>(value); }
};

/// The path of a key of a scheme: "axes[].dims" of "axes[1].dims".
std::string generic_path(std::string_view path);

/// What keys have, by path: as KeyDescription::value.
using KeyValues = std::map<std::string, KeyValue>;

/// That a key is there only while another has one of some values: choices, "true", "false", "given" or
/// "missing".
struct KeyCondition {
  std::string path;
  std::vector<std::string> values;
};

/// A key of a scheme, which specs of it may have. Where its domain depends on other keys, this one has all.
struct SchemeKey {
  KeyDescription key;
  std::string_view marker;               ///< of the form that has it: SpecForm
  std::vector<KeyCondition> conditions;  ///< all are met where the key is there
  bool depends_otherwise = false;        ///< on numbers, or on who gives it
  bool domain_varies = false;            ///< with other keys
  bool usual_varies = false;
};

/// All keys that specs of a scheme may have, found by drawing specs until no new key is met, nor a new value
/// of a choice.
std::vector<SchemeKey> keys_of(const Scheme& scheme);

/// What keys have that are listed; nothing of those that are left out.
KeyValues values_of(std::span<const KeyDescription> keys);
/// What the keys of an encoding's spec have, by path; nothing of those that it lacks.
KeyValues values_of(const Encoding& encoding);
/// Its keys, also those that it lacks.
std::vector<KeyDescription> keys_of(const Encoding& encoding);

}  // namespace vernier
