#pragma once

#include <exception>

namespace vernier {

/// What saving may take after the user asked to stop.
inline constexpr unsigned seconds_to_save = 10;

/// The user asked to stop (Ctrl-C): thrown from work that others take part in, at a place where everything
/// can be cleaned up.
class Interrupted final : public std::exception {
 public:
  const char* what() const noexcept override { return "interrupted"; }
};

/// As a shell reports SIGINT.
inline constexpr int exit_code_of_an_interrupt = 130;

/// From here on Ctrl-C (SIGINT), SIGTERM and the end of the terminal (SIGHUP) end the process at once: its
/// unfinished files are removed, a sentence says so, and the exit code is `exit_code_of_an_interrupt`. A
/// signal that is ignored, as by nohup, stays so.
void end_when_interrupted();

/// While one lives, the first such signal is only noted: `stop_if_interrupted` tells, so that whoever is
/// asked can be ended and what it wrote be removed. When so many seconds have passed without an end, the
/// process ends as ever.
class NotedInterrupts {
 public:
  explicit NotedInterrupts(unsigned seconds_to_clean_up = 1);
  NotedInterrupts(const NotedInterrupts&) = delete;
  NotedInterrupts& operator=(const NotedInterrupts&) = delete;
  ~NotedInterrupts();
};

/// \throws Interrupted if the user asked to stop
void stop_if_interrupted();

}  // namespace vernier
