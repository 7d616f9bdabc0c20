#include "numerics/processes/command_line.hpp"

#include <algorithm>

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

class WordSplitter {
 public:
  explicit WordSplitter(std::string_view text) : text_(text) {}

  std::vector<std::string> words() {
    std::vector<std::string> result;
    while ((at_ = std::min(text_.find_first_not_of(blanks, at_), text_.size())) < text_.size()) {
      result.push_back(word());
    }
    return result;
  }

 private:
  std::string word() {
    std::string result;
    while (at_ < text_.size() && blanks.find(text_[at_]) == std::string_view::npos) {
      const char c = text_[at_++];
      if (c == '\'') {
        result += single_quoted();
      } else if (c == '"') {
        result += double_quoted();
      } else if (c == '\\' && at_ < text_.size()) {
        result += text_[at_++];
      } else if (shell_only.find(c) != std::string_view::npos) {
        refuse(fmt::format("an unquoted '{}'", c),
               "one program and its arguments; sh -c '...' runs a shell where one is needed");
      } else {
        result += c;
      }
    }
    return result;
  }

  std::string single_quoted() {
    const auto end = text_.find('\'', at_);
    if (end == std::string_view::npos) {
      refuse("a ' without its end", "a closing quote");
    }
    const std::string content(text_.substr(at_, end - at_));
    at_ = end + 1;
    return content;
  }

  std::string double_quoted() {
    std::string content;
    while (at_ < text_.size() && text_[at_] != '"') {
      const bool escapes = text_[at_] == '\\' && at_ + 1 < text_.size() &&
                           escaped_in_double_quotes.find(text_[at_ + 1]) != std::string_view::npos;
      at_ += escapes ? 1 : 0;
      content += text_[at_++];
    }
    if (at_ == text_.size()) {
      refuse("a \" without its end", "a closing quote");
    }
    ++at_;
    return content;
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

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
  auto words = WordSplitter(text).words();
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
