#include "reports/words/sudden_end.hpp"

#include <atomic>
#include <csignal>
#include <cstddef>
#include <cstdlib>
#include <exception>
#include <new>

#include <execinfo.h>
#include <gmp.h>
#include <unistd.h>

#include "numerics/formats/removed_by_signal.hpp"
#include "reports/words/exit_code.hpp"

namespace vernier {
namespace {

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

}  // namespace vernier
