#include "reports/interrupt.hpp"

#include <atomic>
#include <csignal>

namespace vernier {
namespace {

// All that a signal handler may touch.
std::atomic<bool> interrupted = false;
static_assert(std::atomic<bool>::is_always_lock_free);

void note(int /*signal*/) {
  interrupted.store(true, std::memory_order_relaxed);
}

}  // namespace

void note_interrupts() {
  struct sigaction action {};
  action.sa_handler = note;
  action.sa_flags = static_cast<int>(SA_RESETHAND);
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

void stop_if_interrupted() {
  if (interrupted.load(std::memory_order_relaxed)) {
    throw Interrupted();
  }
}

}  // namespace vernier
