#include "numerics/implementations/command.hpp"

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <system_error>

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
  ChildProcess child({.arguments = command_.words(request_file, response_file)});
  const auto end = child.wait_until(ChildProcess::Clock::now() + options_.time_limit, options_.pause);
  if (!end) {
    child.kill();
    return {ResponseStatus::timed_out,
            with_output("did not answer within " + to_string(options_.time_limit), child.output())};
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
