#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <string_view>

#include "numerics/implementations/child_process.hpp"
#include "numerics/implementations/pipe.hpp"

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

}  // namespace vernier
