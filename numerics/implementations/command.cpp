#include "numerics/implementations/command.hpp"

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <system_error>
#include <utility>
#include <vector>

#include <fmt/core.h>

#include "numerics/formats/removed_by_signal.hpp"
#include "numerics/implementations/child_process.hpp"
#include "numerics/implementations/exchange.hpp"
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
constexpr std::size_t longest_description = 200;

/// A folder that only this user may enter, gone with its content.
class PrivateFolder {
 public:
  PrivateFolder() {
    std::error_code error;
    auto pattern = (fs::temp_directory_path(error) / "vernier-XXXXXX").string();
    if (error || mkdtemp(pattern.data()) == nullptr) {
      throw InputError("no folder can be made for requests: {} ({})", pattern,
                       (error ? error : std::error_code(errno, std::generic_category())).message());
    }
    path_ = pattern;
    noted_.emplace(path_);
    noted_request_.emplace(request());
    noted_response_.emplace(response());
  }
  PrivateFolder(const PrivateFolder&) = delete;
  PrivateFolder& operator=(const PrivateFolder&) = delete;
  ~PrivateFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }

  fs::path request() const { return path_ / "request.safetensors"; }
  fs::path response() const { return path_ / "response.safetensors"; }

 private:
  fs::path path_;
  std::optional<RemovedBySignal> noted_;
  std::optional<RemovedBySignal> noted_request_;
  std::optional<RemovedBySignal> noted_response_;
};

std::string with_output(std::string clause, const std::string& output) {
  const auto text = third_party_text(output, longest_output);
  return text.empty() ? clause : fmt::format("{} after it wrote: {}", clause, text);
}

Response failure(const ChildEnd& end, const std::string& output) {
  if (end.kind == ChildEnd::Kind::exited && end.value == unsupported_exit_code) {
    const auto text = third_party_text(output, longest_output);
    return {ResponseStatus::unsupported, text.empty() ? to_string(end) : text};
  }
  return {ResponseStatus::crashed, with_output(to_string(end), output)};
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

/// \param words with the names of the two files \throws InputError if nothing was run that could answer
void require_runnable(const std::vector<std::string>& words, const fs::path& request,
                      const fs::path& response, const ChildEnd& end, const std::string& output) {
  const auto shown = [](const std::string& word) { return third_party_text(word, longest_description); };
  const auto& program = words.front();
  if (end.kind == ChildEnd::Kind::not_started && is_of_the_file(end.value)) {
    throw InputError("{}: {}, expected a program in PATH, or an executable file whose interpreter is there",
                     shown(program), to_string(end));
  }
  const bool has_script = words.size() > 1 && words[1].find(request.string()) == std::string::npos &&
                          words[1].find(response.string()) == std::string::npos;
  if (has_script && is_missing_script(words[1], end, output)) {
    throw InputError("{}: no such file, expected a script that {} can run", shown(words[1]), shown(program));
  }
  if (end.kind == ChildEnd::Kind::exited && (end.value == not_executable || end.value == not_found)) {
    throw InputError("{}: {}, expected a program that can be started, which 126 and 127 deny", shown(program),
                     with_output(to_string(end), output));
  }
}

}  // namespace

std::string CommandImplementation::description() const {
  const auto command = std::string("the command ") + third_party_text(command_.text(), longest_description);
  return implementation_.empty() ? command : fmt::format("{} ({})", implementation_, command);
}

Response CommandImplementation::ask(const Request& request) {
  const PrivateFolder folder;
  const auto request_file = folder.request();
  const auto response_file = folder.response();
  write_request(request, request_file);
  const auto words = command_.words(request_file, response_file);
  ChildProcess child({.arguments = words});
  const auto end = child.wait_until(ChildProcess::Clock::now() + options_.time_limit, options_.pause);
  if (!end) {
    child.kill();
    return {ResponseStatus::timed_out,
            with_output("did not answer within " + to_string(options_.time_limit), child.output())};
  }
  if (!std::exchange(was_asked_, true)) {
    require_runnable(words, request_file, response_file, *end, child.output());
  }
  if (end->kind != ChildEnd::Kind::exited || end->value != 0) {
    return failure(*end, child.output());
  }
  auto read = read_response(response_file, request);
  implementation_ = read.implementation;
  takes_ = takes_ | read.takes;
  if (read.response.status == ResponseStatus::malformed) {
    read.response.reason = with_output(std::move(read.response.reason), child.output());
  }
  return std::move(read.response);
}

}  // namespace vernier
