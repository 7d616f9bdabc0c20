#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <sys/types.h>

#include "numerics/formats/descriptor.hpp"

namespace vernier {

/// Who waits for a process looks up as often, to see whether it may wait on.
inline constexpr std::chrono::milliseconds between_pauses{100};

/// One way from writer to reader, closed in programs that are started.
struct Pipe {
  Descriptor read;
  Descriptor write;
};

/// Both ends beyond the standard three descriptors. \throws InputError if there is none
Pipe make_pipe();

/// The same descriptor, never one of the standard three, even where those are closed: a child's take their
/// places. \param original -1 if it could not be had, with errno \param what it is, for errors
/// \throws InputError if it could not be had
Descriptor beyond_standard(Descriptor original, std::string_view what);

/// Waits until there is something to read, an end counting, or until the deadline. \param pause called ten
/// times a second meanwhile; what it throws is passed on \return whether there is
bool wait_to_read(int descriptor, std::chrono::steady_clock::time_point deadline,
                  const std::function<void()>& pause);

/// What to start, and what it may use.
struct ChildOptions {
  std::vector<std::string>
      arguments;  ///< the program, looked up in PATH unless it has a slash, and its arguments
  std::vector<int> inherited = {};  ///< descriptors that it gets, as 3, 4 ... in this order; at most 16
  int standard_input = -1;          ///< a descriptor; -1: empty
  int standard_output = -1;         ///< a descriptor; -1: what goes there is output, as standard error is
  /// Bytes of private writable memory, a process, and of a file (RLIMIT_DATA, RLIMIT_FSIZE). Address space
  /// that is only reserved is free, as it must be: V8, CUDA and sanitizers reserve more than machines have.
  std::uint64_t memory = std::uint64_t{16} << 30;
  std::size_t processes = 512;                 ///< it and its descendants, at once; at most 4000
  std::size_t output = std::size_t{64} << 10;  ///< bytes of the end of its output that are kept
};

/// How a child ended, in memory and in the report pipe of its supervisor, which first says that it started.
struct ChildEnd {
  enum class Kind : std::int32_t {
    exited,              ///< value: the exit code
    signalled,           ///< value: the signal that killed it
    not_started,         ///< value: errno
    too_many_processes,  ///< value: how many are allowed
    lost,                ///< whoever watched it was killed, by it or by somebody else
    started  ///< no end: value: the process id, which is also that of its session and process group
  };
  Kind kind = Kind::lost;
  std::int32_t value = 0;
};

/// A clause: "left with exit code 1", "killed by signal 11 (Segmentation fault)".
std::string to_string(const ChildEnd& end);
/// "5 s", "1500 ms".
std::string to_string(std::chrono::milliseconds time);

/// A process that somebody else wrote, and all that it starts: in a session of its own, with limits. What it
/// writes is read all the time and thrown away but for the end. When it ends, or is killed, or this object or
/// this process goes, all its descendants are killed, daemons too: a process of ours beside it, their
/// subreaper, sees to that, and should they kill it, this process does. From the first on, this process
/// cannot be looked into by others of the same user, and adopts the orphans among its descendants (prctl
/// PR_SET_DUMPABLE and PR_SET_CHILD_SUBREAPER).
class ChildProcess {
 public:
  using Clock = std::chrono::steady_clock;

  /// \throws InputError if no process can be made; a program that does not exist is a ChildEnd
  explicit ChildProcess(const ChildOptions& options);
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;
  /// Kills it and its descendants.
  ~ChildProcess();

  /// How it ended, its descendants having been killed; nothing if it has not by then.
  /// \param pause called ten times a second meanwhile; what it throws is passed on
  std::optional<ChildEnd> wait_until(
      Clock::time_point deadline, const std::function<void()>& pause = [] {});
  /// Kills it and its descendants, and waits until they are gone.
  void kill();
  /// The end of what it has written to standard error, and to standard output unless that is a descriptor of
  /// its options. Third-party bytes, as they came.
  std::string output() const;

 private:
  class OutputReader;

  std::optional<ChildEnd> read_report();
  void end_supervisor();

  Descriptor control_;
  Descriptor report_;
  pid_t supervisor_ = -1;
  std::optional<ChildEnd> end_;
  std::unique_ptr<OutputReader> output_;
};

}  // namespace vernier
