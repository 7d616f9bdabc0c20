#include "numerics/processes/child_supervisor.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <ctime>

#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "numerics/processes/child_process.hpp"
#include "numerics/processes/process_tree.hpp"

namespace vernier {
namespace {

constexpr int command_not_found = 127;  // as a shell says it
constexpr int first_inherited = 3;
constexpr long milliseconds_between_counts = 20;
constexpr int most_kill_rounds = 5000;  // of a millisecond: what can be killed dies within one or two
constexpr std::size_t most_counted = 4096;
// Thousands of processes that start others would leave this one no time to count them, if it did not run
// before them. Beside few it must not: who ends may be about to take its files out of /proc, and the kernel
// lets a process that runs before others wait for that in a loop, for a second. There it has more weight than
// they have: as one of equals it is not called before they are thousands.
constexpr std::size_t few_processes = 16;
constexpr int most_weight = -20;  // sched(7): 87 times that of a process of niceness 0
// Who starts processes that end at once, without end, must not keep this one from counting and killing them.
constexpr int most_reaped_at_once = 256;

/// Has the scheduler run this process before others, if it may ask for that.
void run_before_others() {
  const sched_param first{1};
  sched_setscheduler(0, SCHED_RR, &first);
}

/// How many processes descend from this one, as far as a few thousand.
std::size_t count_descendants() {
  std::array<pid_t, most_counted> known;
  std::size_t count = 0;
  const auto add = [&](pid_t process) {
    if (count < known.size()) {
      known[count++] = process;
    }
  };
  visit_children_of_thread("/proc/thread-self/children", add);
  for (std::size_t next = 0; next < count; ++next) {
    visit_children(known[next], add);
    if (next == few_processes) {
      run_before_others();
    }
  }
  return count;
}

/// Kills everything that descends from this process. Those whose parents die become its own children (it is
/// their subreaper), so killing its own until there are none reaches all. A process group dies at once, which
/// no race of forks within it survives.
void kill_descendants(pid_t child) {
  kill(-child, SIGKILL);
  for (int round = 0; round < most_kill_rounds; ++round) {
    visit_children_of_thread("/proc/thread-self/children", [](pid_t process) {
      kill(-process, SIGKILL);
      kill(process, SIGKILL);
    });
    pid_t reaped = 0;
    int left = most_reaped_at_once;
    do {
      reaped = waitpid(-1, nullptr, WNOHANG);
    } while (reaped > 0 && --left > 0);
    if (reaped < 0 && errno == ECHILD) {
      return;
    }
    constexpr timespec one_millisecond{0, 1000000};
    nanosleep(&one_millisecond, nullptr);
  }
}

void write_report(int descriptor, ChildEnd::Kind kind, int value) {
  const ChildEnd report{kind, value};
  // Shorter than PIPE_BUF: written whole or not at all, and nobody is left to be told if not.
  [[maybe_unused]] const auto written = write(descriptor, &report, sizeof report);
}

void limit(decltype(RLIMIT_CORE) resource, rlim_t most) {
  rlimit current{};
  getrlimit(resource, &current);
  current.rlim_max = std::min(current.rlim_max, most);
  current.rlim_cur = std::min(current.rlim_cur, current.rlim_max);
  setrlimit(resource, &current);
}

/// Where memory runs out the kernel shall take this process rather than who asked.
void offer_to_memory_killer() {
  // Only then are its own files in /proc its own (see guard_this_process).
  prctl(PR_SET_DUMPABLE, 1);
  const int descriptor = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
  if (descriptor >= 0) {
    [[maybe_unused]] const auto written = write(descriptor, "1000", 4);
    close(descriptor);
  }
}

void default_signals() {
  for (int signal = 1; signal < NSIG; ++signal) {
    std::signal(signal, SIG_DFL);
  }
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
}

/// \return the descriptor as one that lies beyond those the child gets, closed by exec
int out_of_the_way(int descriptor, std::size_t inherited) {
  return fcntl(descriptor, F_DUPFD_CLOEXEC, first_inherited + static_cast<int>(inherited));
}

/// Becomes the child. \return only if it cannot, with errno
void execute(const SupervisedChild& child) {
  const auto count = child.inherited.size();
  // First all beyond the targets, so that no target overwrites one that is still needed.
  std::array<int, most_inherited> moved{};
  for (std::size_t i = 0; i < count; ++i) {
    moved[i] = out_of_the_way(child.inherited[i], count);
  }
  dup2(child.input, STDIN_FILENO);
  dup2(child.output, STDOUT_FILENO);
  dup2(child.error, STDERR_FILENO);
  for (std::size_t i = 0; i < count; ++i) {
    dup2(moved[i], first_inherited + static_cast<int>(i));
  }
  syscall(__NR_close_range, first_inherited + static_cast<unsigned>(count), ~0U,
          4U /* CLOSE_RANGE_CLOEXEC */);
  limit(RLIMIT_CORE, 0);
  limit(RLIMIT_DATA, child.memory);
  limit(RLIMIT_FSIZE, child.memory);
  offer_to_memory_killer();
  execvp(child.arguments[0], child.arguments);
}

[[noreturn]] void become(const SupervisedChild& child, int report, pid_t supervisor) {
  setsid();
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() == supervisor) {
    default_signals();
    execute(child);
    write_report(report, ChildEnd::Kind::not_started, errno);
  }
  _exit(command_not_found);
}

void note_child(int /*signal*/) {
  // Only so that SIGCHLD ends a wait.
}

/// Waits for whatever comes first: an end of a child, the end of the control pipe, some time.
/// \return whether the control pipe ended
bool wait_for_news(int control) {
  sigset_t none;
  sigemptyset(&none);
  pollfd watched{control, POLLIN, 0};
  const timespec patience{0, milliseconds_between_counts * 1000000};
  return ppoll(&watched, 1, &patience, &none) > 0;
}

}  // namespace

void supervise(const SupervisedChild& child) {
  // A session of its own, so that Ctrl-C in the terminal does not reach it before it has cleaned up.
  setsid();
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  default_signals();
  struct sigaction action {};
  action.sa_handler = note_child;
  sigemptyset(&action.sa_mask);
  sigaction(SIGCHLD, &action, nullptr);
  sigset_t ends_of_children;
  sigemptyset(&ends_of_children);
  sigaddset(&ends_of_children, SIGCHLD);
  sigprocmask(SIG_BLOCK, &ends_of_children, nullptr);

  const int report = out_of_the_way(child.report, child.inherited.size());
  const int control = out_of_the_way(child.control, child.inherited.size());
  const auto supervisor = getpid();
  const auto started = fork();
  if (started == 0) {
    become(child, report, supervisor);
  }
  if (started < 0) {
    write_report(report, ChildEnd::Kind::not_started, errno);
    _exit(0);
  }
  setpriority(PRIO_PROCESS, 0, most_weight);  // after the fork: the child's stays; in vain without the right
  // Whatever else is open belongs to others, who wait for its end.
  dup2(control, STDIN_FILENO);
  dup2(report, STDOUT_FILENO);
  syscall(__NR_close_range, static_cast<unsigned>(STDERR_FILENO), ~0U, 0U);
  write_report(STDOUT_FILENO, ChildEnd::Kind::started, started);
  for (;;) {
    const bool dismissed = wait_for_news(STDIN_FILENO);
    int status = 0;
    pid_t ended = 0;
    int left = most_reaped_at_once;
    do {
      ended = waitpid(-1, &status, WNOHANG);
    } while (ended > 0 && ended != started && --left > 0);
    if (ended == started) {
      kill_descendants(started);
      const bool exited = WIFEXITED(status);
      write_report(STDOUT_FILENO, exited ? ChildEnd::Kind::exited : ChildEnd::Kind::signalled,
                   exited ? WEXITSTATUS(status) : WTERMSIG(status));
      _exit(0);
    }
    if (dismissed) {
      kill_descendants(started);
      _exit(0);
    }
    if (count_descendants() > child.processes) {
      kill_descendants(started);
      write_report(STDOUT_FILENO, ChildEnd::Kind::too_many_processes, static_cast<int>(child.processes));
      _exit(0);
    }
  }
}

}  // namespace vernier
