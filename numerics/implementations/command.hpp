#pragma once

#include <chrono>
#include <functional>
#include <string>

#include "numerics/implementations/command_line.hpp"
#include "numerics/implementations/live_implementation.hpp"

namespace vernier {

struct CommandOptions {
  std::chrono::milliseconds time_limit = std::chrono::seconds(60);  ///< of one question
  Takes takes = {};                                                 ///< beside what it says itself
  /// Called ten times a second while the command runs. What it throws is passed on, and ends the command.
  std::function<void()> pause = [] {};
};

/// An implementation that is a command: for each question it is run with the names of a file to read and a
/// file to write (see exchange.hpp), both in a folder of their own, in the current working directory, and
/// with the limits of a ChildProcess. It answers by exit code 0 and a whole response; exit code 77 says that
/// it does not do this. Where the first question finds nothing that can be run, the fault is of who wrote the
/// command, and says nothing of any implementation.
class CommandImplementation final : public LiveImplementation {
 public:
  explicit CommandImplementation(CommandLine command, CommandOptions options = {})
      : command_(std::move(command)), options_(std::move(options)), takes_(options_.takes) {}

  /// The command, and what it calls itself in its latest answer.
  std::string description() const override;
  std::string name() const override { return implementation_; }
  bool observes_memory() const override { return false; }
  bool costs_a_process() const override { return true; }
  Takes takes() const override { return takes_; }
  /// \throws InputError also if this is the first question and there is nothing to run
  Response ask(const Request& request) override;

 private:
  CommandLine command_;
  CommandOptions options_;
  std::string implementation_;
  Takes takes_;
  bool was_asked_ = false;
};

}  // namespace vernier
