#include "numerics/processes/command_line.hpp"

#include <algorithm>
#include <utility>

#include <fmt/core.h>

#include "numerics/processes/third_party_text.hpp"
#include "reference/support/input_error.hpp"

namespace vernier {
namespace {

constexpr std::string_view request_placeholder = "{request}";
constexpr std::string_view response_placeholder = "{response}";
constexpr std::string_view blanks = " \t\n";
constexpr std::string_view shell_only = "|&;<>()$`";
/// What a backslash within double quotes takes its meaning from.
constexpr std::string_view escaped_in_double_quotes = "$`\"\\\n";
constexpr std::size_t longest_command_excerpt = 200;

[[noreturn]] void refuse(const std::string& found, std::string_view expected) {
  throw InputError("the command: found {}, expected {}", found, expected);
}

std::vector<std::string> split_into_words(std::string_view text) {
  std::vector<std::string> words;
  bool is_in_word = false;
  char quote = '\0';  // that was opened; none outside of quotes
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    if (quote == '\0' && blanks.find(c) != std::string_view::npos) {
      is_in_word = false;
      continue;
    }
    if (!std::exchange(is_in_word, true)) {
      words.emplace_back();
    }
    const bool is_escape =
        c == '\\' && at + 1 < text.size() && quote != '\'' &&
        (quote == '\0' || escaped_in_double_quotes.find(text[at + 1]) != std::string_view::npos);
    if (is_escape) {
      words.back() += text[++at];
    } else if (quote != '\0' && c == quote) {
      quote = '\0';
    } else if (quote == '\0' && (c == '\'' || c == '"')) {
      quote = c;
    } else if (quote == '\0' && shell_only.find(c) != std::string_view::npos) {
      refuse(fmt::format("an unquoted '{}'", c),
             "one program and its arguments; sh -c '...' runs a shell where one is needed");
    } else {
      words.back() += c;
    }
  }
  if (quote != '\0') {
    refuse(fmt::format("a {} without its end", quote), "a closing quote");
  }
  return words;
}

struct Replacement {
  std::string_view placeholder;
  std::string value;
};

/// The word with all placeholders replaced. What a value holds is left as it is: it may look like one.
std::string replaced(std::string_view word, std::initializer_list<Replacement> replacements) {
  std::string result;
  while (!word.empty()) {
    const auto* const here = std::ranges::find_if(
        replacements, [&](const Replacement& one) { return word.starts_with(one.placeholder); });
    const bool found = here != replacements.end();
    result += found ? std::string_view(here->value) : word.substr(0, 1);
    word.remove_prefix(found ? here->placeholder.size() : 1);
  }
  return result;
}

}  // namespace

std::vector<std::string> words_of_command(std::string_view text) {
  auto words = split_into_words(text);
  if (words.empty() || words.front().empty()) {
    refuse("no program", "one program and its arguments");
  }
  return words;
}

CommandLine::CommandLine(std::string_view text) : text_(text), words_(words_of_command(text)) {
  for (const auto placeholder : {request_placeholder, response_placeholder}) {
    const auto has_it = [&](const std::string& word) { return word.find(placeholder) != std::string::npos; };
    if (std::ranges::none_of(words_, has_it)) {
      refuse("\"" + third_party_text(text, longest_command_excerpt) + "\"",
             "{request} and {response} in it, which stand for the files it reads and writes");
    }
  }
}

std::vector<std::string> CommandLine::words(const std::filesystem::path& request,
                                            const std::filesystem::path& response) const {
  auto result = words_;
  for (auto& word : result) {
    word =
        replaced(word, {{request_placeholder, request.string()}, {response_placeholder, response.string()}});
  }
  return result;
}

}  // namespace vernier
