#pragma once

#include <cstddef>
#include <functional>
#include <span>
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

/// The text, or its first words and an ellipsis in at most `most` characters.
std::string cut(std::string_view text, std::size_t most);

/// The text in lines of at most `line_width` characters, broken between words where that can be. Lines after
/// the first are indented by two characters more.
Lines wrapped(std::string_view text, std::size_t indent);

/// The same in at most `most` lines: as many whole sentences as fit, else the first words, an ellipsis and
/// the last ones: what was found is often said last.
Lines fitted(std::string_view text, std::size_t indent, std::size_t most);

/// The lines with their ends.
std::string lines_text(const Lines& lines);

/// Rows of cells in columns, each two spaces from the one before; the lines with their ends.
std::string aligned(std::span<const Lines> rows);

/// A part of a text that has to fit in few lines.
struct TextBlock {
  /// The part in at most so many lines.
  std::function<Lines(std::size_t most)> lines;
  std::size_t wanted = 0;  ///< as many lines as it has any use for
  std::size_t least = 1;   ///< that it gets before another gets more
};

/// A paragraph of at most `most` lines. Nothing of an empty text.
TextBlock paragraph(std::string text, std::size_t indent, std::size_t most, std::size_t least = 1);

/// Entries of at most `most_of_an_entry` lines, whole but for a first one that two lines or more do not hold.
/// Where not all have room, the last line tells of the others. \param others what it says of those from a
/// given one on
TextBlock entries(std::vector<std::string> texts, std::size_t indent, std::size_t most_of_an_entry,
                  std::function<std::string(std::size_t first)> others);

/// The blocks one after another in at most `room` lines. \param by_rank the places of the blocks, those first
/// that get room before others do
Lines laid_out(std::span<const TextBlock> blocks, std::span<const std::size_t> by_rank, std::size_t room);

}  // namespace vernier
