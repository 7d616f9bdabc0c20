#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "reports/outputs/text/lines.hpp"

namespace vernier {

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
