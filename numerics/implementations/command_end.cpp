#include "numerics/implementations/command_end.hpp"

#include <cerrno>
#include <filesystem>
#include <system_error>

#include <fmt/core.h>

#include "numerics/implementations/third_party_text.hpp"
#include "reference/input_error.hpp"

namespace vernier {
namespace {

namespace fs = std::filesystem;

/// By which test programs say that they have nothing to say; CTest and Automake know it too.
constexpr int unsupported_exit_code = 77;
/// By which shells, env and the like say why they have not started what they were to start (POSIX,
/// XCU 2.8.2).
constexpr int not_executable = 126;
constexpr int not_found = 127;
constexpr std::size_t longest_output = 300;
constexpr std::size_t longest_word = 200;

/// What Python prints of an exception that nobody catches, without where it was raised: its type and text.
std::string_view without_traceback(std::string_view output) {
  const auto traceback = output.rfind("Traceback (most recent call last):\n");
  auto end = traceback == std::string_view::npos ? traceback : output.find('\n', traceback);
  while (end < output.size() && output.substr(end + 1).starts_with(' ')) {
    end = output.find('\n', end + 1);
  }
  return end < output.size() ? output.substr(end + 1) : output;
}

/// Whether exec found no file that it can run; else it found no memory, and may find some later.
bool is_of_the_file(int error) {
  return error == ENOENT || error == EACCES || error == ENOEXEC || error == ENOTDIR || error == ELOOP ||
         error == ENAMETOOLONG;
}

/// Whether the word after the program is a script that is not there, which the program says.
bool is_missing_script(const std::string& word, const ChildEnd& end, const std::string& output) {
  const auto name = fs::path(word).filename().string();
  std::error_code error;
  return end.kind == ChildEnd::Kind::exited && end.value != 0 && end.value != unsupported_exit_code &&
         !word.starts_with('-') && word.find_first_of("./") != std::string::npos && !name.empty() &&
         !fs::exists(word, error) && output.find(name) != std::string::npos;
}

}  // namespace

void require_runnable(const std::vector<std::string>& words, const ChildEnd& end, const std::string& output) {
  const auto shown = [](const std::string& word) { return third_party_text(word, longest_word); };
  const auto& program = words.front();
  if (end.kind == ChildEnd::Kind::not_started && is_of_the_file(end.value)) {
    throw InputError("{}: {}, expected a program in PATH, or an executable file whose interpreter is there",
                     shown(program), to_string(end));
  }
  if (words.size() > 1 && is_missing_script(words[1], end, output)) {
    throw InputError("{}: no such file, expected a script that {} can run", shown(words[1]), shown(program));
  }
  if (end.kind == ChildEnd::Kind::exited && (end.value == not_executable || end.value == not_found)) {
    throw InputError("{}: {}, expected a program that can be started, which 126 and 127 deny", shown(program),
                     with_output(to_string(end), output));
  }
}

Response failure_of(const ChildEnd& end, const std::string& output) {
  if (end.kind == ChildEnd::Kind::exited && end.value == unsupported_exit_code) {
    const auto text = third_party_text(output, longest_output);
    return {ResponseStatus::unsupported, text.empty() ? to_string(end) : text};
  }
  return {ResponseStatus::crashed, with_output(to_string(end), output)};
}

std::string with_output(std::string clause, const std::string& output) {
  const auto text = third_party_text(without_traceback(output), longest_output);
  return text.empty() ? clause : fmt::format("{} after it wrote: {}", clause, text);
}

}  // namespace vernier
