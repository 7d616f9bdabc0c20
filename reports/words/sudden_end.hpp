#pragma once

#include <string_view>

namespace vernier {

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
