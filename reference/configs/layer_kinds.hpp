#pragma once

#include <string>
#include <vector>

#include "reference/configs/config_reader.hpp"

namespace vernier {

/// The kind of each layer, as the first of the family's rules says that finds its key (or has a default);
/// empty where none does. \throws InputError if the key and the number of layers contradict each other
std::vector<std::string> kinds_of_layers(QuantityReader& reader, const ConfigFamily& family);

}  // namespace vernier
