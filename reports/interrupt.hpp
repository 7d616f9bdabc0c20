#pragma once

#include <exception>

namespace vernier {

/// The user asked to stop (Ctrl-C): thrown from long work at a place where everything can be cleaned up.
class Interrupted final : public std::exception {
 public:
  const char* what() const noexcept override { return "interrupted"; }
};

/// From here on Ctrl-C (SIGINT) and SIGTERM are noted rather than end the process: `stop_if_interrupted`
/// tells. A second one ends it at once.
void note_interrupts();

/// \throws Interrupted if the user asked to stop
void stop_if_interrupted();

}  // namespace vernier
