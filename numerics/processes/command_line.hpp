#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace vernier {

/// A command as it is written in a shell, split into words: blanks between them, quotes and backslashes as in
/// POSIX (XCU 2.2). No shell ever sees it, so that no path can be taken for a command.
/// \throws InputError for no word at all, a quote without its end, or an unquoted character by which a shell
/// would do more than start a program, such as | or >
std::vector<std::string> words_of_command(std::string_view text);

/// A command that is started for each question, and told the names of its files.
class CommandLine {
 public:
  /// \param text with the placeholders {request} and {response} somewhere, alone or within words
  /// \throws InputError for a missing placeholder, and as words_of_command does
  explicit CommandLine(std::string_view text);

  /// The program and its arguments, the placeholders replaced.
  std::vector<std::string> words(const std::filesystem::path& request,
                                 const std::filesystem::path& response) const;
  /// The same, with the placeholders.
  const std::vector<std::string>& as_written() const { return words_; }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
  std::vector<std::string> words_;
};

}  // namespace vernier
