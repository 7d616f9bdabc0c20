#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>

#include "numerics/formats/descriptor.hpp"
#include "numerics/processes/child_process.hpp"

namespace vernier {

/// The runner program: beside the program that runs now, or where it is installed relative to it.
/// \throws InputError if it is at neither place
std::filesystem::path find_plugin_runner();

/// A process that holds a plug-in, and the channel over which it is asked.
class RunnerProcess {
 public:
  using Clock = ChildProcess::Clock;

  /// Starts it; it loads the library and reports. \param memory in bytes, of private memory and of address
  /// space \throws InputError if no process can be started
  RunnerProcess(const std::filesystem::path& runner, const std::filesystem::path& library,
                std::uint64_t memory);

  /// \param descriptors travel along, at most one for each piece of memory
  /// \returns false if nobody listens any more
  bool send(std::span<const std::byte> message, std::span<const int> descriptors);

  enum class Reception { received, ended, timed_out, malformed };
  /// Waits for one message of just this size. \param pause called ten times a second meanwhile; what it
  /// throws is passed on
  Reception receive(std::span<std::byte> message, Clock::time_point deadline,
                    const std::function<void()>& pause);

  /// How it ended, as a clause, with the last line that it printed: "killed by signal 11 (Segmentation fault)
  /// while it computed cos; it last printed 'out of range'". \param when "while it computed cos"
  /// \pre `receive` said that it ended, or `send` that nobody listens
  /// \throws InputError if there is no such runner
  std::string how_it_ended(const std::string& when);

 private:
  std::filesystem::path runner_;
  Descriptor channel_;
  std::optional<ChildProcess> process_;
};

}  // namespace vernier
