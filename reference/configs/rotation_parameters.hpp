#pragma once

#include <optional>
#include <string>
#include <vector>

#include "reference/configs/config_reader.hpp"

namespace vernier {

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

}  // namespace vernier
