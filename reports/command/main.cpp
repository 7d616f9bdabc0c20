#include <csignal>
#include <iostream>
#include <system_error>
#include <thread>

#include <pthread.h>

#include "reports/command/cli.hpp"
#include "reports/words/program_end.hpp"

namespace {

/// Of every thread, whatever the shell allows (ulimit -s): the largest frames hold some 100 KiB of
/// statistics, and JSON may be nested 64 levels deep.
constexpr std::size_t stack_bytes = std::size_t{8} << 20;

int run(int argc, char** argv) {
  return vernier::exit_code_of([&] { return vernier::run_command_line(argc, argv, std::cout); }, "vernier",
                               std::cerr);
}

/// Runs the command on a thread of its own, as the stack of the first one is the shell's to limit.
int run_on_stated_stack(int argc, char** argv) {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, stack_bytes);
  pthread_setattr_default_np(&attributes);
  pthread_attr_destroy(&attributes);
  int exit_code = vernier::exit_code_of_bad_input;
  try {
    std::thread([&] { exit_code = run(argc, argv); }).join();
  } catch (const std::system_error& error) {
    std::cerr << "vernier: no thread can be started (" << error.code().message() << ")\n";
  }
  return exit_code;
}

/// Before the initializers of statics, which may lack memory too: 101 is the first priority that a program
/// may take.
[[gnu::constructor(101)]] void end_in_a_sentence_from_the_start() {
  vernier::end_in_a_sentence();
}

}  // namespace

int main(int argc, char** argv) {
  // A file that grows beyond its limit is a sentence, not a signal.
  std::signal(SIGXFSZ, SIG_IGN);
  vernier::end_when_interrupted();
  return run_on_stated_stack(argc, argv);
}
