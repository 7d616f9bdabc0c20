#pragma once

#include <string>
#include <vector>

#include "reference/configs/config_reader.hpp"

namespace vernier {

/// The keys of the document that were not read though they look positional, each as "PATH: VALUE", with the
/// reason where one is known.
/// \param encodes whether the model has an encoding that such a key could change
/// \throws InputError for a key that may change the encoding, and that nothing is known of
std::vector<std::string> ignored_keys(const ConfigReader& reader, const ConfigFamily& family, bool encodes);

}  // namespace vernier
