#include "reports/outputs/text/lines.hpp"

#include <algorithm>
#include <cassert>

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

}  // namespace

std::size_t characters(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::count_if(text, begins_character));
}

std::string cut(std::string_view text, std::size_t most) {
  assert(most > 0);
  return characters(text) <= most ? std::string(text)
                                  : std::string(text.substr(0, bytes_of(text, most - 1))).append(ellipsis);
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
  lines.resize(most);
  auto& last = lines.back();
  last = cut(last, line_width - 1);
  last += last.ends_with(ellipsis) ? "" : ellipsis;
  return lines;
}

}  // namespace vernier
