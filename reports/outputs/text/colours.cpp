#include "reports/outputs/text/colours.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <span>
#include <string_view>

#include <fmt/core.h>
#include <unistd.h>

namespace vernier {
namespace {

// As terminals take them (ECMA-48, SGR).
constexpr std::string_view green_code = "\x1b[32m";
constexpr std::string_view red_code = "\x1b[31m";
constexpr std::string_view yellow_code = "\x1b[33m";
constexpr std::string_view plain_code = "\x1b[0m";

/// A word at the beginning of a line, after its indent.
struct FirstWord {
  std::string_view word;
  std::string_view colour;
};

constexpr std::array<FirstWord, 6> coloured_status_words{{{"pass", green_code},
                                                          {"FAIL", red_code},
                                                          {"waived", yellow_code},
                                                          {"inconclusive", yellow_code},
                                                          {"error", yellow_code},
                                                          {"STALE", yellow_code}}};

constexpr std::array<FirstWord, 4> change_words{
    {{"worse", red_code}, {"gone", yellow_code}, {"new", yellow_code}, {"better", green_code}}};

std::string_view colour_of(Conclusion outcome) {
  return outcome == Conclusion::conforms           ? green_code
         : outcome == Conclusion::does_not_conform ? red_code
                                                   : yellow_code;
}

std::string in_colour(std::string_view word, std::string_view colour) {
  return fmt::format("{}{}{}", colour, word, plain_code);
}

/// A line that begins with one of the words, or any other line as it is.
std::string coloured_line(std::string_view line, std::span<const FirstWord> words) {
  constexpr std::string_view indent = "  ";
  for (const auto& [word, colour] : words) {
    if (line.starts_with(indent) && line.substr(indent.size()).starts_with(word) &&
        line.substr(indent.size() + word.size()).starts_with(' ')) {
      return fmt::format("{}{}{}", indent, in_colour(word, colour), line.substr(indent.size() + word.size()));
    }
  }
  return std::string(line);
}

}  // namespace

bool has_colours(bool is_terminal, const char* no_color, const char* term) {
  const auto said = [](const char* value) { return std::string_view(value == nullptr ? "" : value); };
  return is_terminal && said(no_color).empty() && said(term) != "dumb";
}

bool has_colours_on_standard_output() {
  return has_colours(isatty(STDOUT_FILENO) == 1, std::getenv("NO_COLOR"), std::getenv("TERM"));
}

std::string coloured(const std::string& text, const Verdict& verdict) {
  const auto conclusion = outcome(verdict);
  const auto start = fmt::format(": {}", in_words(conclusion));
  std::string result;
  for (std::size_t at = 0; at < text.size();) {
    const auto end = std::min(text.find('\n', at), text.size() - 1) + 1;
    const auto line = std::string_view(text).substr(at, end - at);
    const auto found = at == 0 ? line.find(start) : std::string_view::npos;
    if (found == std::string_view::npos) {
      result += coloured_line(line, coloured_status_words);
    } else {
      result += fmt::format("{}: {}{}", line.substr(0, found),
                            in_colour(in_words(conclusion), colour_of(conclusion)),
                            line.substr(found + start.size()));
    }
    at = end;
  }
  return result;
}

std::string coloured_changes(const std::string& text) {
  std::string result;
  for (std::size_t at = 0; at < text.size();) {
    const auto end = std::min(text.find('\n', at), text.size() - 1) + 1;
    auto line = coloured_line(std::string_view(text).substr(at, end - at), change_words);
    for (const auto& [word, colour] : change_words) {
      const auto mark = fmt::format("({})", word);  // in a table of many verdicts
      for (auto found = line.find(mark); found != std::string::npos; found = line.find(mark, found)) {
        const auto shown = fmt::format("({})", in_colour(word, colour));
        line.replace(found, mark.size(), shown);
        found += shown.size();
      }
    }
    result += line;
    at = end;
  }
  return result;
}

}  // namespace vernier
