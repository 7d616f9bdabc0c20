#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "reference/specs/key_list.hpp"

namespace vernier {

/// Another value of one key of a spec.
struct SpecEdit {
  KeyDescription key;  ///< as it is in the spec
  KeyValue value;      ///< nothing where the key is left out
  /// \name The edited one: keys that the new value needs are added, and those that it does not go with are
  /// left out
  /// @{
  std::vector<KeyDescription> keys;  ///< as they were given
  std::unique_ptr<Encoding> encoding;
  /// @}
};

/// Whether a value of a key is wanted; nothing where the key is left out.
using WantsEdit = std::function<bool(const KeyDescription& key, const KeyValue& value)>;

/// Every key of the spec with other values: of a choice and a boolean all; of numbers neighbours, halves,
/// doubles and those that people often write; of lists other orders and signs; of what may be left out that;
/// of keys that each object of a list has alike those of all too.
/// \param wants which of them; null: all
std::vector<SpecEdit> edits_of(const Encoding& encoding, const WantsEdit& wants = nullptr);

}  // namespace vernier
