#include "reports/words/interrupt.hpp"

#include <array>
#include <atomic>
#include <csignal>

#include <unistd.h>

#include "reports/words/sudden_end.hpp"

namespace vernier {
namespace {

// All that a signal handler may touch.
std::atomic<bool> noting = false;
std::atomic<bool> interrupted = false;
std::atomic<unsigned> patience = 0;
static_assert(std::atomic<bool>::is_always_lock_free && std::atomic<unsigned>::is_always_lock_free);

void handle(int signal) {
  if (signal != SIGALRM && noting) {
    // Some senders, timeout among them, signal a process and its group: the second signal of the same wish.
    if (!interrupted.exchange(true)) {
      alarm(patience);
    }
    return;
  }
  // Another thread may take the second signal while the first is answered.
  end_at_once("vernier: interrupted\n", exit_code_of_an_interrupt);
}

}  // namespace

void end_when_interrupted() {
  constexpr std::array signals{SIGINT, SIGTERM, SIGHUP, SIGALRM};
  struct sigaction action {};
  action.sa_handler = handle;
  // A second signal does not cut short what is said of the first.
  sigemptyset(&action.sa_mask);
  for (const int signal : signals) {
    sigaddset(&action.sa_mask, signal);
  }
  for (const int signal : signals) {
    struct sigaction found {};
    sigaction(signal, nullptr, &found);
    if (found.sa_handler != SIG_IGN || signal == SIGALRM) {
      sigaction(signal, &action, nullptr);
    }
  }
}

NotedInterrupts::NotedInterrupts(unsigned seconds_to_clean_up) {
  patience = seconds_to_clean_up;
  noting = true;
}

NotedInterrupts::~NotedInterrupts() {
  noting = false;
}

void stop_if_interrupted() {
  if (interrupted) {
    throw Interrupted();
  }
}

}  // namespace vernier
