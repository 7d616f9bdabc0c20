#pragma once

#include "reference/configs/understood_config.hpp"

namespace vernier {

/// The layers that a configuration tells apart, each with its spec, or with null and why it has none.
JsonValue groups_value(const UnderstoodConfig& config);

/// The same, with what the specs rest on: the defaults, the remarks, and the keys that were not read.
JsonValue config_value(const UnderstoodConfig& config);

}  // namespace vernier
