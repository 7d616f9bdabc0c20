#pragma once

#include <optional>
#include <span>
#include <string_view>

namespace vernier {

/// Names of all files built into the program, sorted: the pages' style sheet, the script that charts
/// answer the reader with, and the templates under their file names ("layout.mustache").
std::span<const std::string_view> asset_names();

/// The text of the built-in file `name`; nothing if there is none of that name.
std::optional<std::string_view> find_asset(std::string_view name);

/// The text of the built-in file `name`. Throws std::logic_error if there is none.
std::string_view asset(std::string_view name);

}  // namespace vernier
