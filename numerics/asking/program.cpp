#include "numerics/asking/program.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <ctime>
#include <limits>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <fmt/core.h>
#include <unistd.h>

#include "numerics/processes/exchange.hpp"
#include "numerics/processes/system_fault.hpp"
#include "numerics/processes/third_party_text.hpp"
#include "reference/json/json.hpp"
#include "reference/support/input_error.hpp"
#include "reference/support/refusal.hpp"

namespace vernier {
namespace {

constexpr std::size_t longest_line = std::size_t{1} << 16;

/// Holds back the signal that comes of writing to a pipe without a reader, which would end this process.
class WithoutPipeSignal {
 public:
  WithoutPipeSignal() {
    sigemptyset(&signal_);
    sigaddset(&signal_, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &signal_, &before_);
  }
  WithoutPipeSignal(const WithoutPipeSignal&) = delete;
  WithoutPipeSignal& operator=(const WithoutPipeSignal&) = delete;
  ~WithoutPipeSignal() {
    constexpr timespec at_once{};
    while (sigismember(&before_, SIGPIPE) == 0 && sigtimedwait(&signal_, nullptr, &at_once) > 0) {
    }
    pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }

 private:
  sigset_t signal_{};
  sigset_t before_{};
};

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

/// The clause, with what was written before. \param output third-party text
std::string with_output(std::string clause, const std::string& output) {
  const auto text = third_party_text(without_traceback(output), longest_output);
  return text.empty() ? clause : fmt::format("{} after it wrote: {}", clause, text);
}

/// \param words that were started, placeholders as they were written \throws InputError if nothing was run
/// that could answer
void require_runnable(const std::vector<std::string>& words, const ChildEnd& end, const std::string& output) {
  const auto shown = [](const std::string& word) { return third_party_text(word, longest_word); };
  const auto& program = words.front();
  refuse_if(end.kind == ChildEnd::Kind::not_started && is_of_the_file(end.value),
            "{}: {}, expected a program in PATH, or an executable file whose interpreter is there",
            shown(program), to_string(end));
  if (words.size() > 1 && is_missing_script(words[1], end, output)) {
    throw InputError("{}: no such file, expected a script that {} can run", shown(words[1]), shown(program));
  }
  refuse_if(end.kind == ChildEnd::Kind::exited && (end.value == not_executable || end.value == not_found),
            "{}: {}, expected a program that can be started, which 126 and 127 deny", shown(program),
            with_output(to_string(end), output));
}

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

LineChannel::LineChannel() : to_process_(make_pipe()), from_process_(make_pipe()) {
  fcntl(to_process_.write.value(), F_SETFL, O_NONBLOCK);
}

void LineChannel::forget_ends_of_process() {
  to_process_.read.reset();
  from_process_.write.reset();
}

bool LineChannel::send(std::string_view line) {
  const WithoutPipeSignal guard;
  const auto text = std::string(line) + "\n";
  // Shorter than PIPE_BUF: written whole or not at all.
  const auto written = TEMP_FAILURE_RETRY(write(to_process_.write.value(), text.data(), text.size()));
  if (written < 0) {
    require_no_system_fault("a question cannot be written");
  }
  return written == static_cast<ssize_t>(text.size());
}

LineChannel::Reception LineChannel::receive(std::string& line, Clock::time_point deadline,
                                            const std::function<void()>& pause) {
  for (;;) {
    const auto end = unread_.find('\n');
    line = unread_.substr(0, std::min(end, longest_line));
    if (end <= longest_line) {
      unread_.erase(0, end + 1);
      return Reception::received;
    }
    if (unread_.size() > longest_line) {
      return Reception::too_long;
    }
    if (!wait_to_read(from_process_.read.value(), deadline, pause)) {
      return Reception::timed_out;
    }
    std::array<char, 4096> buffer{};
    const auto count = TEMP_FAILURE_RETRY(read(from_process_.read.value(), buffer.data(), buffer.size()));
    if (count < 0) {
      require_no_system_fault("the answer of a server cannot be read");
    }
    if (count <= 0) {
      return Reception::ended;
    }
    unread_.append(buffer.data(), static_cast<std::size_t>(count));
  }
}

RequestFolder::RequestFolder() {
  std::error_code error;
  auto pattern = (fs::temp_directory_path(error) / "vernier-XXXXXX").string();
  if (error) {
    const auto* named = std::getenv("TMPDIR");
    throw InputError("TMPDIR: found {} ({}), expected a folder, in which requests are written",
                     in_quotes(named == nullptr ? "" : named), error.message());
  }
  if (mkdtemp(pattern.data()) == nullptr) {
    throw InputError("{}: cannot make a folder for requests ({}); set TMPDIR to a different folder", pattern,
                     std::error_code(errno, std::generic_category()).message());
  }
  try {
    path_ = pattern;
    noted_.emplace(path_);
    noted_request_.emplace(request());
    noted_response_.emplace(response());
  } catch (...) {  // no memory for names; no destructor is called
    rmdir(pattern.c_str());
    throw;
  }
}

RequestFolder::~RequestFolder() {
  std::error_code ignored;
  // Opens nothing, as nothing may be left to open with. What else an implementation left needs more.
  fs::remove(request(), ignored);
  fs::remove(response(), ignored);
  if (!fs::remove(path_, ignored)) {
    fs::remove_all(path_, ignored);
  }
}

ProgramImplementation::ProgramImplementation(std::string kind, std::string text,
                                             std::vector<std::string> words, ProgramOptions options)
    : kind_(std::move(kind)),
      text_(std::move(text)),
      words_(std::move(words)),
      options_(std::move(options)),
      takes_(options_.takes) {}

std::string ProgramImplementation::description() const {
  const auto command = fmt::format("{} {}", kind_, third_party_text(text_));
  return implementation_.empty() ? command : fmt::format("{} ({})", implementation_, command);
}

Response ProgramImplementation::read_answer(const std::filesystem::path& response, const Request& request,
                                            const ChildProcess& child) {
  auto read = read_response(response, request);
  implementation_ = read.implementation.empty() ? implementation_ : read.implementation;
  takes_ = takes_ | read.takes;
  if (read.response.status == ResponseStatus::malformed) {
    read.response.reason = with_output(std::move(read.response.reason), child.output());
  }
  return std::move(read.response);
}

Response ProgramImplementation::failure_of(const ChildEnd& end, const std::string& output) {
  if (!std::exchange(is_known_to_run_, true)) {
    require_runnable(words_, end, output);
  }
  if (end.kind == ChildEnd::Kind::exited && end.value == unsupported_exit_code) {
    const auto text = third_party_text(output, longest_output);
    return {ResponseStatus::unsupported, text.empty() ? to_string(end) : text};
  }
  return {ResponseStatus::crashed, with_output(to_string(end), output)};
}

CommandImplementation::CommandImplementation(CommandLine command, ProgramOptions options)
    : ProgramImplementation("the command", command.text(), command.as_written(), std::move(options)),
      command_(std::move(command)) {}

Response CommandImplementation::ask(const Request& request) {
  const RequestFolder folder;
  write_request(request, folder.request());
  ChildProcess child({.arguments = command_.words(folder.request(), folder.response())});
  const auto end = child.wait_until(ChildProcess::Clock::now() + options().time_limit, options().pause);
  if (!end) {
    child.kill();
    return {ResponseStatus::timed_out,
            with_output("did not answer within " + to_string(options().time_limit), child.output())};
  }
  if (end->kind != ChildEnd::Kind::exited || end->value != 0) {
    return failure_of(*end, child.output());
  }
  note_that_it_runs();
  return read_answer(folder.response(), request, child);
}

ServerImplementation::Process::Process(const std::vector<std::string>& words)
    : child(options_for(words, lines)) {
  lines.forget_ends_of_process();
}

ServerImplementation::ServerImplementation(const std::string& command, ProgramOptions options)
    : ProgramImplementation("the server", command, words_of_command(command), std::move(options)) {
  refuse_if(
      command.find("{request}") != std::string::npos || command.find("{response}") != std::string::npos,
      "the server: found {{request}} or {{response}} in \"{}\", expected neither: each question names its "
      "files (--exec starts a command with them)",
      third_party_text(command));
}

Response ServerImplementation::ask(const Request& request) {
  const RequestFolder folder;
  write_request(request, folder.request());
  // Whoever interrupted a question leaves one that owes an answer.
  if (!process_ || process_->owes_an_answer) {
    process_.reset();
    process_.emplace(words());
  }
  const auto question = question_line(++question_, folder);
  const auto deadline = LineChannel::Clock::now() + options().time_limit;
  process_->owes_an_answer = true;
  if (!process_->lines.send(question)) {
    return ended();
  }
  std::string line;
  switch (process_->lines.receive(line, deadline, options().pause)) {
    case LineChannel::Reception::received:
      process_->owes_an_answer = false;
      return answer_in(line, request, folder.response());
    case LineChannel::Reception::ended:
      return ended();
    case LineChannel::Reception::timed_out:
      return abandoned(ResponseStatus::timed_out,
                       "did not answer within " + to_string(options().time_limit) +
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
  note_that_it_runs();
  for (const auto& [reason, status] : {std::pair(answer->unsupported, ResponseStatus::unsupported),
                                       std::pair(answer->rejected, ResponseStatus::rejected)}) {
    if (reason) {
      return {status, third_party_text(*reason, longest_reason)};
    }
  }
  // A status that cannot be read is an exception: the implementation is not at fault.
  if (!std::filesystem::exists(std::filesystem::symlink_status(response))) {
    // It may write it yet, and then find its folder gone.
    return abandoned(ResponseStatus::malformed, "the response is missing");
  }
  return read_answer(response, request, process_->child);
}

Response ServerImplementation::ended() {
  const auto end = process_->child.wait_until(LineChannel::Clock::now() + to_end, options().pause);
  if (!end) {
    return abandoned(ResponseStatus::crashed, "closed its standard input or output without an answer");
  }
  const auto output = process_->child.output();
  process_.reset();
  return failure_of(*end, output);
}

Response ServerImplementation::abandoned(ResponseStatus status, const std::string& reason) {
  process_->child.kill();
  auto told = with_output(reason, process_->child.output());
  process_.reset();
  return {status, std::move(told)};
}

}  // namespace vernier
