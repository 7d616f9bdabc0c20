#pragma once

#include <optional>
#include <string_view>

namespace vernier {

/// The text of a file built into the program: the pages' style sheet, the script that charts answer the
/// reader with, or a template under its file name ("layout.mustache"). Nothing if there is none of that name.
std::optional<std::string_view> find_asset(std::string_view name);

/// The text of the built-in file `name`. Throws std::logic_error if there is none.
std::string_view asset(std::string_view name);

}  // namespace vernier
