#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>

#include <sys/types.h>

#include "numerics/live/file_descriptor.hpp"

namespace vernier {

/// The runner program: beside the program that runs now, or where it is installed relative to it.
/// \throws InputError if it is at neither place
std::filesystem::path find_plugin_runner();

/// A process that holds a plug-in. It is killed at the latest with this object, or when Vernier dies.
class RunnerProcess {
 public:
  using Clock = std::chrono::steady_clock;

  /// Starts it; it loads the library and reports. \param address_space in bytes
  /// \throws InputError if it cannot be started
  RunnerProcess(const std::filesystem::path& runner, const std::filesystem::path& library,
                std::uintmax_t address_space);
  RunnerProcess(const RunnerProcess&) = delete;
  RunnerProcess& operator=(const RunnerProcess&) = delete;
  ~RunnerProcess();

  /// \param descriptors travel along, at most 5 \returns false if nobody listens any more
  bool send(std::span<const std::byte> message, std::span<const int> descriptors);

  enum class Reception { received, ended, timed_out, malformed };
  /// Waits for one message of just this size, and meanwhile reads what the plug-in prints.
  Reception receive(std::span<std::byte> message, Clock::time_point deadline);

  /// How it ended, as a clause, with the last line that it printed: "killed by signal 11 (Segmentation fault)
  /// while it computed cos; it last printed 'out of range'". \param when "while it computed cos"
  /// \pre `receive` said that it ended, or `send` that nobody listens
  std::string how_it_ended(const std::string& when);

 private:
  void drain();
  std::string last_words();

  FileDescriptor channel_;
  FileDescriptor lifeline_;
  FileDescriptor output_;
  std::string printed_;  ///< the end of what it printed
  pid_t process_ = -1;   ///< -1 once it was waited for
};

}  // namespace vernier
