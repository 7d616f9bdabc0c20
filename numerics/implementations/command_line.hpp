#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace vernier {

/// A command as it is written in a shell, split into words: blanks between them, quotes and backslashes as in
/// POSIX (XCU 2.2). No shell ever sees it, so that no path can be taken for a command.
class CommandLine {
 public:
  /// \param text with the placeholders {request} and {response} somewhere, alone or within words
  /// \throws InputError for a quote without its end, a missing placeholder, or an unquoted character by which
  /// a shell would do more than start a program, such as | or >
  explicit CommandLine(std::string_view text);

  /// The program and its arguments, the placeholders replaced.
  std::vector<std::string> words(const std::filesystem::path& request,
                                 const std::filesystem::path& response) const;
  /// As it was written.
  const std::string& text() const { return text_; }

 private:
  std::string text_;
  std::vector<std::string> words_;
};

}  // namespace vernier
