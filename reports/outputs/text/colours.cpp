#include "reports/outputs/text/colours.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <span>
#include <string_view>

#include <boost/algorithm/string/replace.hpp>
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

/// The text, with the words in colour where lines begin with them.
std::string with_first_words(std::string_view text, std::span<const FirstWord> words) {
  constexpr std::string_view indent = "  ";
  std::string result;
  while (!text.empty()) {
    auto line = text.substr(0, std::min(text.find('\n'), text.size() - 1) + 1);
    text.remove_prefix(line.size());
    for (const auto& [word, colour] : words) {
      if (line.starts_with(fmt::format("{}{} ", indent, word))) {
        result += fmt::format("{}{}", indent, in_colour(word, colour));
        line.remove_prefix(indent.size() + word.size());
        break;
      }
    }
    result += line;
  }
  return result;
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
  const auto found = text.substr(0, text.find('\n')).find(start);
  if (found == std::string::npos) {
    return with_first_words(text, coloured_status_words);
  }
  return fmt::format("{}: {}{}", text.substr(0, found),
                     in_colour(in_words(conclusion), colour_of(conclusion)),
                     with_first_words(text.substr(found + start.size()), coloured_status_words));
}

std::string coloured_changes(const std::string& text) {
  auto result = with_first_words(text, change_words);
  for (const auto& [word, colour] : change_words) {
    // In a table of many verdicts.
    boost::algorithm::replace_all(result, fmt::format("({})", word),
                                  fmt::format("({})", in_colour(word, colour)));
  }
  return result;
}

}  // namespace vernier
