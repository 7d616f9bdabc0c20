#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "numerics/implementations/child_process.hpp"
#include "numerics/implementations/line_channel.hpp"
#include "numerics/implementations/live_implementation.hpp"

namespace vernier {

struct ServerOptions {
  std::chrono::milliseconds time_limit = std::chrono::seconds(60);  ///< of one question, its start included
  Takes takes = {};                                                 ///< beside what it says itself
  /// Called ten times a second while it is waited for. What it throws is passed on, and ends the server.
  std::function<void()> pause = [] {};
};

/// An implementation that is a process which stays: it reads questions from its standard input, a line of
/// JSON each, and writes a line for each answer to its standard output, in the same order:
///
///     {"id": 7, "request": "/tmp/.../request.safetensors", "response": "/tmp/.../response.safetensors"}
///     {"id": 7}
///
/// The files are those of a command (exchange.hpp). In place of a file an answer may say why there is none:
/// {"id": 7, "unsupported": "only float64"} for what it does not do, {"id": 7, "rejected": "position 4096 is
/// beyond the table"} for what it computes elsewhere. The process runs in the current working directory with
/// the limits of a ChildProcess, is started anew after it ended, was late or answered something else, and may
/// be killed whenever no question is open. It ends itself when its standard input does.
class ServerImplementation final : public LiveImplementation {
 public:
  /// \param command as words_of_command() takes it \throws InputError for one that there cannot be
  explicit ServerImplementation(std::string command, ServerOptions options = {});

  /// The command, and what it calls itself in its latest answer.
  std::string description() const override;
  std::string name() const override { return implementation_; }
  bool observes_memory() const override { return false; }
  bool costs_a_process() const override { return false; }
  Takes takes() const override { return takes_; }
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

  std::string command_;
  std::vector<std::string> words_;
  ServerOptions options_;
  std::string implementation_;
  Takes takes_;
  std::optional<Process> process_;
  std::int64_t question_ = 0;
  bool has_answered_ = false;
};

}  // namespace vernier
