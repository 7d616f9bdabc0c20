#include "reports/html/charts/svg/labels.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace vernier {
namespace {

// Hundredths of the size, from the space to the tilde.
constexpr std::array<int, 95> ascii_widths{
    32, 40, 46, 84, 64, 95, 78, 27, 39,  39, 50, 84, 32, 36, 32, 34, 64, 64, 64, 64, 64, 64, 64, 64,
    64, 64, 34, 34, 84, 84, 84, 53, 100, 68, 69, 70, 77, 63, 58, 77, 75, 29, 29, 66, 56, 86, 75, 79,
    60, 79, 69, 63, 61, 73, 68, 99, 69,  61, 69, 39, 34, 39, 84, 50, 50, 61, 63, 55, 63, 62, 35, 63,
    63, 28, 28, 58, 28, 97, 63, 61, 63,  63, 41, 52, 39, 63, 59, 82, 59, 59, 52, 64, 34, 64, 84};
constexpr int accented_width = 70;  // two bytes: letters of Europe, superscripts one to three
constexpr int symbol_width = 100;   // three bytes and more: signs, and the square letters of East Asia

std::size_t sequence_length(char first) {
  const auto byte = static_cast<unsigned char>(first);
  return byte < 0xC0U ? 1 : byte < 0xE0U ? 2 : byte < 0xF0U ? 3 : 4;
}

int hundredths(std::string_view sequence) {
  constexpr std::array<std::pair<std::string_view, int>, 6> known{
      {{"\u202f", 25}, {"⁰⁴⁵⁶⁷⁸⁹", 40}, {"⁻", 53}, {"−", 84}, {"–", 50}, {"·\u00a0", 32}}};
  if (sequence.size() == 1) {
    const auto index = static_cast<std::size_t>(static_cast<unsigned char>(sequence.front())) - ' ';
    return index < ascii_widths.size() ? ascii_widths.at(index) : symbol_width;
  }
  for (const auto& [characters, width] : known) {
    if (characters.find(sequence) != std::string_view::npos) {
      return width;
    }
  }
  return sequence.size() == 2 ? accented_width : symbol_width;
}

// The longest start of `text`, whole characters, that is no wider than `width`; at least one character.
std::string_view fitting_start(std::string_view text, double size, double width) {
  std::size_t end = 0;
  while (end < text.size()) {
    const auto next = end + std::min(sequence_length(text[end]), text.size() - end);
    if (end > 0 && text_width(text.substr(0, next), size) > width) {
      break;
    }
    end = next;
  }
  return text.substr(0, end);
}

}  // namespace

double text_width(std::string_view text, double size) {
  int width = 0;
  for (std::size_t at = 0; at < text.size();) {
    const auto length = std::min(sequence_length(text[at]), text.size() - at);
    width += hundredths(text.substr(at, length));
    at += length;
  }
  return width * size / 100;
}

std::vector<std::string> wrapped_text(std::string_view text, double size, double width,
                                      std::size_t most_lines) {
  std::vector<std::string> lines;
  while (!text.empty() && lines.size() < most_lines) {
    if (text_width(text, size) <= width) {
      lines.emplace_back(text);
      return lines;
    }
    if (lines.size() + 1 == most_lines) {
      break;
    }
    std::string_view start = fitting_start(text, size, width);
    if (const auto space = start.find_last_of(' '); space != std::string_view::npos && space > 0) {
      start = start.substr(0, space);
    }
    lines.emplace_back(start);
    text.remove_prefix(start.size());
    text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
  }
  if (!text.empty()) {
    lines.push_back(std::string(fitting_start(text, size, width - text_width("…", size))) + "…");
  }
  return lines;
}

}  // namespace vernier
