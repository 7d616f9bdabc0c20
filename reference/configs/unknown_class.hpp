#pragma once

#include <optional>
#include <string>

#include "reference/json/json.hpp"

namespace vernier {

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
