#include "reports/outputs/text/lines.hpp"

#include <algorithm>
#include <cassert>
#include <iterator>
#include <utility>

#include <fmt/format.h>

#include "reference/support/mapped.hpp"

namespace vernier {
namespace {

constexpr std::size_t more_indent = 2;
constexpr std::string_view ellipsis = "…";

bool begins_character(char byte) {
  return (static_cast<unsigned char>(byte) & 0xc0U) != 0x80;
}

/// How many bytes the first `count` characters take.
std::size_t bytes_of(std::string_view text, std::size_t count) {
  std::size_t bytes = 0;
  while (bytes < text.size() && (count > 0 || !begins_character(text[bytes]))) {
    count -= begins_character(text[bytes]) ? 1 : 0;
    ++bytes;
  }
  return bytes;
}

/// How many bytes of the text go on a line of so many characters.
std::size_t bytes_on_a_line(std::string_view text, std::size_t width) {
  const auto bytes = bytes_of(text, width);
  if (bytes == text.size() || text[bytes] == ' ') {
    return bytes;
  }
  const auto space = text.substr(0, bytes).rfind(' ');
  return space == std::string_view::npos || space == 0 ? bytes : space;
}

/// The last characters of a text, at most so many, from a word on if they have two.
std::string_view end_of(std::string_view text, std::size_t most) {
  auto begin = text.size();
  for (std::size_t count = 0; begin > 0 && count < most; count += begins_character(text[begin]) ? 1 : 0) {
    --begin;
  }
  const auto end = text.substr(begin);
  const auto space = end.find(' ');
  return space == std::string_view::npos ? end : end.substr(space);
}

}  // namespace

std::size_t characters(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::count_if(text, begins_character));
}

std::string cut(std::string_view text, std::size_t most) {
  assert(most > 0);
  return characters(text) <= most
             ? std::string(text)
             : std::string(text.substr(0, bytes_on_a_line(text, most - 1))).append(ellipsis);
}

Lines wrapped(std::string_view text, std::size_t indent) {
  Lines lines;
  while (!text.empty()) {
    const auto bytes = bytes_on_a_line(text, line_width - indent);
    lines.push_back(std::string(indent, ' ').append(text.substr(0, bytes)));
    text.remove_prefix(bytes);
    text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
    indent += lines.size() == 1 ? more_indent : 0;
  }
  return lines;
}

Lines fitted(std::string_view text, std::size_t indent, std::size_t most) {
  auto lines = wrapped(text, indent);
  if (lines.size() <= most || most == 0) {
    return most == 0 ? Lines() : lines;
  }
  for (auto end = text.rfind(". "); end != std::string_view::npos && end > 0;
       end = text.rfind(". ", end - 1)) {
    if (auto shorter = wrapped(text.substr(0, end + 1), indent); shorter.size() <= most) {
      return shorter;
    }
  }
  const auto room = most * (line_width - indent - more_indent);
  const auto end = end_of(text, room / 3);
  for (auto head = room - characters(end);; --head) {
    const auto shorter =
        std::string(text.substr(0, bytes_on_a_line(text, head))).append(ellipsis).append(end);
    if (lines = wrapped(shorter, indent); lines.size() <= most || head == 0) {
      return lines;
    }
  }
}

std::string lines_text(const Lines& lines) {
  return lines.empty() ? "" : fmt::format("{}\n", fmt::join(lines, "\n"));
}

std::string aligned(std::span<const Lines> rows) {
  std::vector<std::size_t> widths;
  for (const auto& row : rows) {
    widths.resize(std::max(widths.size(), row.size()));
    for (std::size_t i = 0; i < row.size(); ++i) {
      widths[i] = std::max(widths[i], characters(row[i]));
    }
  }
  std::string text;
  for (const auto& row : rows) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i) {
      line += "  " + row[i] + std::string(widths[i] - characters(row[i]), ' ');
    }
    text += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
  }
  return text;
}

TextBlock paragraph(std::string text, std::size_t indent, std::size_t most, std::size_t least) {
  const auto wanted = std::min(most, wrapped(text, indent).size());
  return {[text = std::move(text), indent](std::size_t lines) { return fitted(text, indent, lines); }, wanted,
          least};
}

TextBlock entries(std::vector<std::string> texts, std::size_t indent, std::size_t most_of_an_entry,
                  std::function<std::string(std::size_t first)> others) {
  const auto wanted =
      sum_of(texts, [&](const auto& text) { return fitted(text, indent, most_of_an_entry).size(); });
  const auto lines = [=, texts = std::move(texts), others = std::move(others)](std::size_t most) {
    Lines result;
    for (std::size_t i = 0; i < texts.size() && result.size() < most; ++i) {
      const std::size_t reserved = i + 1 < texts.size() && wanted > most ? 1 : 0;
      const auto left = most - result.size() - reserved;
      const auto most_of_it = i == 0 && left > std::min<std::size_t>(texts.size() - 1, 1)
                                  ? std::min(left, most_of_an_entry)
                                  : most_of_an_entry;
      auto entry = fitted(texts[i], indent, most_of_it);
      if (entry.size() > left) {
        result.push_back(cut(std::string(indent, ' ') + others(i), line_width));
        break;
      }
      std::ranges::move(entry, std::back_inserter(result));
    }
    return result;
  };
  return {lines, wanted};
}

Lines laid_out(std::span<const TextBlock> blocks, std::span<const std::size_t> by_rank, std::size_t room) {
  std::vector<std::size_t> given(blocks.size());
  const auto give = [&](std::size_t block, std::size_t wanted) {
    const auto more = std::min(room, std::max(wanted, given[block]) - given[block]);
    given[block] += more;
    room -= more;
  };
  for (const auto block : by_rank) {
    give(block, std::min(blocks[block].least, blocks[block].wanted));
  }
  for (const auto block : by_rank) {
    give(block, blocks[block].wanted);
  }
  Lines result;
  for (std::size_t block = 0; block < blocks.size(); ++block) {
    std::ranges::move(blocks[block].lines(given[block]), std::back_inserter(result));
  }
  return result;
}

}  // namespace vernier
