#pragma once

#include <exception>
#include <functional>
#include <ostream>
#include <string_view>

// How a program ends: with an exit code and a sentence, when the user asks it to stop, and at once.

namespace vernier {

/// The exit code of bad input, and of whatever else keeps a program from its work.
inline constexpr int exit_code_of_bad_input = 2;

/// Does a program's work. \return its exit code; of what it throws, the code for that, and a sentence on
/// `err` that begins with the program's name
int exit_code_of(const std::function<int()>& work, std::string_view program, std::ostream& err);

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

/// Ends the process at once: removes its unfinished files, writes the sentence to standard error, and leaves
/// with this exit code. Allocates nothing and is async-signal-safe. It returns if another call is at it.
void end_at_once(std::string_view sentence, int exit_code) noexcept;

/// Loads what unwinds the stack below std::call_once. glibc would load it when the first exception passes
/// there, which takes memory: without any it aborts.
void load_unwinder();

/// From here on the process ends in a sentence, and in the exit code of bad input, also where nothing could
/// catch an exception: if there is no memory, for operator new, GMP (which knows no other way than to end) or
/// MPFR, or if a thread or a destructor throws. For programs; a library leaves what is the whole process's to
/// its host.
void end_in_a_sentence();

}  // namespace vernier
