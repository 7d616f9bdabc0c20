#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace vernier {

/// The data files of this folder, compiled in: names.json, and name and text of each file of families.
std::string_view embedded_config_names();
std::vector<std::pair<std::string, std::string_view>> embedded_family_files();

}  // namespace vernier
