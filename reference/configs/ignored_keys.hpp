#pragma once

#include <string>
#include <vector>

#include "reference/configs/config_reader.hpp"

namespace vernier {

/// The keys of the document that were not read though they look positional, each as "PATH: VALUE", with the
/// reason where one is known.
std::vector<std::string> ignored_keys(const ConfigReader& reader, const ConfigFamily& family);

}  // namespace vernier
