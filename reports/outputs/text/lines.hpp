#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace vernier {

/// The most characters of a line of the verdict in short.
inline constexpr std::size_t line_width = 110;

/// Of all lines after the first.
inline constexpr std::size_t detail_indent = 2;

using Lines = std::vector<std::string>;

/// How many characters a text in UTF-8 has.
std::size_t characters(std::string_view text);

/// The text, or its beginning and an ellipsis in `most` characters.
std::string cut(std::string_view text, std::size_t most);

/// The text in lines of at most `line_width` characters, broken between words where that can be. Lines after
/// the first are indented by two characters more.
Lines wrapped(std::string_view text, std::size_t indent);

/// The same in at most `most` lines: as many whole sentences as fit, else the beginning and an ellipsis.
Lines fitted(std::string_view text, std::size_t indent, std::size_t most);

}  // namespace vernier
