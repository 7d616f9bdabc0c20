#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace vernier {

/// How many descriptors a child can be given.
inline constexpr std::size_t most_inherited = 16;

/// What a supervisor needs, made before it is forked: afterwards it may not allocate.
struct SupervisedChild {
  char* const* arguments;          ///< null-terminated; the program is looked up in PATH
  std::span<const int> inherited;  ///< descriptors that the child gets, as 3, 4 ...; at most most_inherited
  int control;                     ///< once nobody can write to this pipe any more, everything is killed
  int report;                      ///< where reports go
  int input;                       ///< the child's standard input; 3 or greater
  int output;                      ///< its standard output; 3 or greater
  int error;                       ///< its standard error; 3 or greater
  std::uint64_t memory;            ///< see ChildOptions
  std::size_t processes;           ///< see ChildOptions
};

/// The life of a supervisor: starts the child, waits for its end or for the control pipe, kills whatever the
/// child started, however it hid (sessions, orphans), reports and exits. To be called in a process that was
/// just forked, perhaps from one with many threads: only what is async-signal-safe happens here.
[[noreturn]] void supervise(const SupervisedChild& child);

}  // namespace vernier
