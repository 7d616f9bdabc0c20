#include "reports/words/program_end.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <csignal>
#include <cstddef>
#include <cstdlib>
#include <exception>
#include <new>
#include <stdexcept>
#include <string>

#include <execinfo.h>
#include <gmp.h>
#include <unistd.h>

#include "numerics/formats/removed_by_signal.hpp"
#include "reference/json/key_faults.hpp"
#include "reference/support/input_error.hpp"
#include "reports/words/value_text.hpp"

namespace vernier {
namespace {

constexpr std::size_t shown_of_a_word = 200;

/// In one line, of a very long name the start and the end.
std::string readable(std::string text) {
  for (std::size_t start = 0, end = 0; start < text.size(); start = end + 1) {
    end = std::min(text.find(' ', start), text.size());
    if (end - start > 2 * shown_of_a_word) {
      text.replace(start + shown_of_a_word, end - start - 2 * shown_of_a_word, "...");
      end = start + 2 * shown_of_a_word;
    }
  }
  return one_line(text);
}

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

std::atomic<bool> ending = false;
static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler may use lock-free atomics only");

[[noreturn]] void end_here(std::string_view sentence) noexcept {
  end_at_once(sentence, exit_code_of_bad_input);
  for (;;) {
    pause();  // until the thread that ends the process has done so
  }
}

void* or_end(void* memory) noexcept {
  if (memory == nullptr) {
    end_here("vernier: not enough memory for this\n");
  }
  return memory;
}

/// What no `catch` was there for. Nothing is allocated: memory may be what lacks.
[[noreturn]] void end_of_uncaught() noexcept {
  try {
    if (const auto thrown = std::current_exception()) {
      std::rethrow_exception(thrown);
    }
  } catch (const std::bad_alloc&) {
    or_end(nullptr);
  } catch (...) {
    // As below.
  }
  end_here("vernier: internal error: an exception where none can be caught\n");
}

}  // namespace

int exit_code_of(const std::function<int()>& work, std::string_view program, std::ostream& err) {
  try {
    return work();
  } catch (const Interrupted&) {
    err << program << ": interrupted\n";
    return exit_code_of_an_interrupt;
  } catch (const SeveralFaults& faults) {
    for (const auto& sentence : faults.sentences()) {
      err << program << ": " << readable(sentence) << "\n";
    }
  } catch (const InputError& error) {
    err << program << ": " << readable(error.what()) << "\n";
  } catch (const std::bad_alloc&) {
    err << program << ": not enough memory for this\n";
  } catch (const std::runtime_error& error) {  // of streams, of file systems, and of oneTBB about threads
    err << program << ": the system failed: " << readable(error.what()) << "\n";
  } catch (const std::exception& error) {
    err << program << ": internal error: " << readable(error.what()) << "\n";
  }
  return exit_code_of_bad_input;
}

void end_at_once(std::string_view sentence, int exit_code) noexcept {
  if (ending.exchange(true)) {
    return;
  }
  remove_temporary_files();
  // If it cannot be said the exit code says it.
  [[maybe_unused]] const auto written = write(STDERR_FILENO, sentence.data(), sentence.size());
  _exit(exit_code);
}

void load_unwinder() {
  void* frame = nullptr;
  backtrace(&frame, 1);  // which loads it
}

void end_in_a_sentence() {
  // So the C library ends a process, and an assertion: both say on standard error why.
  std::signal(SIGABRT,
              [](int /*signal*/) { end_here("vernier: ended by the C library, which says above why\n"); });
  load_unwinder();
  std::set_terminate(end_of_uncaught);
  // Not all that is below stands std::bad_alloc: a value of nlohmann's that becomes an object crashes when it
  // is destroyed, a stream goes on without what it got no memory for.
  std::set_new_handler([] { or_end(nullptr); });
  mp_set_memory_functions(
      [](std::size_t size) { return or_end(std::malloc(size)); },
      [](void* old, std::size_t /*held*/, std::size_t size) { return or_end(std::realloc(old, size)); },
      [](void* memory, std::size_t /*held*/) { std::free(memory); });
}

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
