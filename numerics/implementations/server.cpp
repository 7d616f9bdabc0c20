#include "numerics/implementations/server.hpp"

#include <filesystem>
#include <limits>
#include <system_error>
#include <utility>

#include <fmt/core.h>

#include "numerics/implementations/command_end.hpp"
#include "numerics/implementations/command_line.hpp"
#include "numerics/implementations/exchange.hpp"
#include "numerics/implementations/request_folder.hpp"
#include "numerics/implementations/third_party_text.hpp"
#include "reference/input_error.hpp"
#include "reference/json.hpp"

namespace vernier {
namespace {

constexpr std::size_t longest_line_excerpt = 100;
/// Who closes its standard output is about to end.
constexpr std::chrono::milliseconds to_end{2000};

/// What a server says of an answer.
struct AnswerLine {
  std::int64_t id = 0;
  std::optional<std::string> unsupported;
  std::optional<std::string> rejected;
};

/// \return nothing if that is no such line
std::optional<AnswerLine> read_answer_line(const std::string& line) {
  try {
    const auto document = parse_json(line, "the answer");
    ObjectReader reader(document, "the answer", "");
    return AnswerLine{reader.integer("id", 0, std::numeric_limits<std::int64_t>::max()),
                      reader.optional_string("unsupported"), reader.optional_string("rejected")};
  } catch (const InputError&) {
    return std::nullopt;
  }
}

/// \throws InputError for a folder that JSON cannot name
std::string question_line(std::int64_t id, const RequestFolder& folder) {
  try {
    return OrderedJson{
        {"id", id}, {"request", folder.request().string()}, {"response", folder.response().string()}}
        .dump(-1, ' ', true);
  } catch (const OrderedJson::exception&) {
    throw InputError("{}: a name that is not UTF-8, expected one that a line of JSON can hold (TMPDIR)",
                     third_party_text(folder.request().string()));
  }
}

ChildOptions options_for(const std::vector<std::string>& words, const LineChannel& lines) {
  ChildOptions options{.arguments = words};
  options.standard_input = lines.input_of_process();
  options.standard_output = lines.output_of_process();
  return options;
}

}  // namespace

ServerImplementation::Process::Process(const std::vector<std::string>& words)
    : child(options_for(words, lines)) {
  lines.forget_ends_of_process();
}

ServerImplementation::ServerImplementation(std::string command, ServerOptions options)
    : command_(std::move(command)),
      words_(words_of_command(command_)),
      options_(std::move(options)),
      takes_(options_.takes) {
  if (command_.find("{request}") != std::string::npos || command_.find("{response}") != std::string::npos) {
    throw InputError(
        "the server: found {{request}} or {{response}} in \"{}\", expected neither: each question names its "
        "files (--exec starts a command with them)",
        third_party_text(command_));
  }
}

std::string ServerImplementation::description() const {
  const auto server = std::string("the server ") + third_party_text(command_);
  return implementation_.empty() ? server : fmt::format("{} ({})", implementation_, server);
}

Response ServerImplementation::ask(const Request& request) {
  const RequestFolder folder;
  write_request(request, folder.request());
  // Whoever interrupted a question leaves one that owes an answer.
  if (!process_ || process_->owes_an_answer) {
    process_.reset();
    process_.emplace(words_);
  }
  const auto question = question_line(++question_, folder);
  const auto deadline = LineChannel::Clock::now() + options_.time_limit;
  process_->owes_an_answer = true;
  if (!process_->lines.send(question)) {
    return ended();
  }
  std::string line;
  switch (process_->lines.receive(line, deadline, options_.pause)) {
    case LineChannel::Reception::received:
      process_->owes_an_answer = false;
      return answer_in(line, request, folder.response());
    case LineChannel::Reception::ended:
      return ended();
    case LineChannel::Reception::timed_out:
      return abandoned(ResponseStatus::timed_out,
                       "did not answer within " + to_string(options_.time_limit) +
                           (line.empty() ? ""
                                         : fmt::format(", though it wrote '{}' without an end of the line",
                                                       third_party_text(line, longest_line_excerpt))));
    case LineChannel::Reception::too_long:
      break;
  }
  return abandoned(ResponseStatus::malformed,
                   fmt::format("wrote a line of more than {} bytes to its standard output", line.size()));
}

Response ServerImplementation::answer_in(const std::string& line, const Request& request,
                                         const std::filesystem::path& response) {
  const auto answer = read_answer_line(line);
  if (!answer) {
    return abandoned(ResponseStatus::malformed,
                     fmt::format("wrote '{}' to its standard output, expected one line {{\"id\": {}}}",
                                 third_party_text(line, longest_line_excerpt), question_));
  }
  if (answer->id != question_) {
    const bool is_old = answer->id > 0 && answer->id < question_;
    return abandoned(ResponseStatus::malformed,
                     fmt::format("answered question {} {}, expected one answer to question {}", answer->id,
                                 is_old ? "twice or late" : "before it was asked", question_));
  }
  has_answered_ = true;
  for (const auto& [reason, status] : {std::pair(answer->unsupported, ResponseStatus::unsupported),
                                       std::pair(answer->rejected, ResponseStatus::rejected)}) {
    if (reason) {
      return {status, third_party_text(*reason, longest_reason)};
    }
  }
  if (std::error_code error; !std::filesystem::exists(std::filesystem::symlink_status(response, error))) {
    // It may write it yet, and then find its folder gone.
    return abandoned(ResponseStatus::malformed, "the response is missing");
  }
  auto read = read_response(response, request);
  implementation_ = read.implementation.empty() ? implementation_ : read.implementation;
  takes_ = takes_ | read.takes;
  if (read.response.status == ResponseStatus::malformed) {
    read.response.reason = with_output(std::move(read.response.reason), process_->child.output());
  }
  return std::move(read.response);
}

Response ServerImplementation::ended() {
  const auto end = process_->child.wait_until(LineChannel::Clock::now() + to_end, options_.pause);
  if (!end) {
    return abandoned(ResponseStatus::crashed, "closed its standard input or output without an answer");
  }
  const auto output = process_->child.output();
  process_.reset();
  if (!has_answered_) {
    require_runnable(words_, *end, output);
  }
  return failure_of(*end, output);
}

Response ServerImplementation::abandoned(ResponseStatus status, const std::string& reason) {
  process_->child.kill();
  auto told = with_output(reason, process_->child.output());
  process_.reset();
  return {status, std::move(told)};
}

}  // namespace vernier
