#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "numerics/formats/removed_by_signal.hpp"
#include "numerics/processes/child_process.hpp"
#include "numerics/processes/command_line.hpp"
#include "numerics/processes/live_implementation.hpp"

namespace vernier {

/// Lines of text to a process and from it, over its standard input and its standard output. Nothing that the
/// process does blocks the sender.
class LineChannel {
 public:
  using Clock = ChildProcess::Clock;

  /// \throws InputError if there is no pipe
  LineChannel();

  /// The ends of the process, until it is started.
  int input_of_process() const { return to_process_.read.value(); }
  int output_of_process() const { return from_process_.write.value(); }
  /// To be called once it was started: else its end would not be noticed.
  void forget_ends_of_process();

  /// \param line without its end \return false if nobody reads any more
  bool send(std::string_view line);

  enum class Reception { received, ended, timed_out, too_long };
  /// Waits for one line. \param line receives it, without its end, or what there was of it
  /// \param pause called ten times a second meanwhile; what it throws is passed on
  Reception receive(std::string& line, Clock::time_point deadline, const std::function<void()>& pause);

 private:
  Pipe to_process_;
  Pipe from_process_;
  std::string unread_;
};

/// A folder that only this user may enter, for the files of questions; gone with its content.
class RequestFolder {
 public:
  /// \throws InputError if none can be made
  RequestFolder();
  RequestFolder(const RequestFolder&) = delete;
  RequestFolder& operator=(const RequestFolder&) = delete;
  ~RequestFolder();

  std::filesystem::path request() const { return path_ / "request.safetensors"; }
  std::filesystem::path response() const { return path_ / "response.safetensors"; }

 private:
  std::filesystem::path path_;
  std::optional<RemovedBySignal> noted_;
  std::optional<RemovedBySignal> noted_request_;
  std::optional<RemovedBySignal> noted_response_;
};

struct ProgramOptions {
  std::chrono::milliseconds time_limit = std::chrono::seconds(60);  ///< of one question, its start included
  Takes takes = {};                                                 ///< beside what it says itself
  /// Called ten times a second while the program is waited for. What it throws is passed on, and ends it.
  std::function<void()> pause = [] {};
};

/// An implementation that is a program, in the current working directory, with the limits of a ChildProcess:
/// questions and answers are files (exchange.hpp) in a folder of their own. By exit code 77 it says that it
/// does not do what it is asked. Where the first question finds nothing that can be run, the fault is of who
/// wrote the command, and says nothing of any implementation.
class ProgramImplementation : public LiveImplementation {
 public:
  /// The command, and what it calls itself in its latest answer.
  std::string description() const override;
  std::string name() const override { return implementation_; }
  bool observes_memory() const override { return false; }
  Takes takes() const override { return takes_; }

 protected:
  /// \param kind "the command" \param text of the command line \param words of it, as they were written
  ProgramImplementation(std::string kind, std::string text, std::vector<std::string> words,
                        ProgramOptions options);

  const ProgramOptions& options() const { return options_; }
  const std::vector<std::string>& words() const { return words_; }
  /// Reads an answer, and what it says of the program.
  Response read_answer(const std::filesystem::path& response, const Request& request,
                       const ChildProcess& child);
  /// What a program says that ended without an answer. \throws InputError if it never ran
  Response failure_of(const ChildEnd& end, const std::string& output);
  /// It runs: from now on no end says that there is nothing to run.
  void note_that_it_runs() { is_known_to_run_ = true; }

 private:
  std::string kind_;
  std::string text_;
  std::vector<std::string> words_;
  ProgramOptions options_;
  std::string implementation_;
  Takes takes_;
  bool is_known_to_run_ = false;
};

/// A command that is run for each question with the names of a file to read and a file to write. It answers
/// by exit code 0 and a whole response.
class CommandImplementation final : public ProgramImplementation {
 public:
  explicit CommandImplementation(CommandLine command, ProgramOptions options = {});

  bool costs_a_process() const override { return true; }
  /// \throws InputError also if this is the first question and there is nothing to run
  Response ask(const Request& request) override;

 private:
  CommandLine command_;
};

/// A process which stays: it reads questions from its standard input, a line of JSON each, and writes a line
/// for each answer to its standard output, in the same order:
///
///     {"id": 7, "request": "/tmp/.../request.safetensors", "response": "/tmp/.../response.safetensors"}
///     {"id": 7}
///
/// In place of a file an answer may say why there is none: {"id": 7, "unsupported": "only float64"} for what
/// it does not do, {"id": 7, "rejected": "position 4096 is beyond the table"} for what it computes elsewhere.
/// The process is started anew after it ended, was late or answered something else, and may be killed
/// whenever no question is open. It ends itself when its standard input does.
class ServerImplementation final : public ProgramImplementation {
 public:
  /// \param command as words_of_command() takes it \throws InputError for one that there cannot be
  explicit ServerImplementation(const std::string& command, ProgramOptions options = {});

  bool costs_a_process() const override { return false; }
  void start_afresh() override { process_.reset(); }
  /// \throws InputError also if it never answered and there is nothing to run
  Response ask(const Request& request) override;

 private:
  struct Process {
    explicit Process(const std::vector<std::string>& words);

    LineChannel lines;
    ChildProcess child;
    bool owes_an_answer = false;
  };

  Response answer_in(const std::string& line, const Request& request, const std::filesystem::path& response);
  Response ended();
  Response abandoned(ResponseStatus status, const std::string& reason);

  std::optional<Process> process_;
  std::int64_t question_ = 0;
};

}  // namespace vernier
