#include "numerics/plugin/runner/confinement.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>
#include <vector>

#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/sched.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace vernier::plugin_runner {
namespace {

// A runaway recursion ends here, even where the shell allows any depth.
constexpr rlim_t stack_limit = rlim_t{64} << 20;

#if defined(__x86_64__)
constexpr std::uint32_t architecture = AUDIT_ARCH_X86_64;
// Calls of the x32 convention have other numbers: this bit tells them.
constexpr std::uint32_t first_foreign_call = 0x40000000;
#elif defined(__aarch64__)
constexpr std::uint32_t architecture = AUDIT_ARCH_AARCH64;
constexpr std::uint32_t first_foreign_call = 0x40000000;
#else
constexpr std::uint32_t architecture = 0;  // not known here: confine() refuses
constexpr std::uint32_t first_foreign_call = 0;
#endif

// What starts a process, or reaches into another one.
constexpr std::array forbidden_calls {
#if defined(__NR_fork)
  __NR_fork, __NR_vfork,
#endif
      __NR_execve, __NR_execveat, __NR_ptrace, __NR_process_vm_writev, __NR_tkill, __NR_pidfd_send_signal
};

// What signals the process of their first argument.
constexpr std::array signalling_calls{__NR_kill, __NR_tgkill, __NR_rt_sigqueueinfo, __NR_rt_tgsigqueueinfo};

using Filter = std::vector<sock_filter>;

sock_filter load(std::size_t offset) {
  return BPF_STMT(BPF_LD | BPF_W | BPF_ABS, static_cast<std::uint32_t>(offset));
}
sock_filter answer(std::uint32_t action) {
  return BPF_STMT(BPF_RET | BPF_K, action);
}
/// Skips so many instructions unless the value is equal.
sock_filter unless_equal(std::uint32_t value, std::uint8_t skipped) {
  return BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, 0, skipped);
}

// The low half of the first argument: both architectures are little-endian here.
constexpr std::size_t first_argument = offsetof(seccomp_data, args);

Filter filter_for(std::uint32_t own_process) {
  Filter filter{load(offsetof(seccomp_data, arch)),
                BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, architecture, 1, 0),
                answer(SECCOMP_RET_KILL_PROCESS),
                load(offsetof(seccomp_data, nr)),
                BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, first_foreign_call, 0, 1),
                answer(SECCOMP_RET_KILL_PROCESS)};
  for (const int call : forbidden_calls) {
    filter.insert(filter.end(),
                  {unless_equal(static_cast<std::uint32_t>(call), 1), answer(SECCOMP_RET_KILL_PROCESS)});
  }
  for (const int call : signalling_calls) {
    filter.insert(filter.end(), {unless_equal(static_cast<std::uint32_t>(call), 4), load(first_argument),
                                 unless_equal(own_process, 1), answer(SECCOMP_RET_ALLOW),
                                 answer(SECCOMP_RET_KILL_PROCESS)});
  }
  // The flags of clone3 lie in memory, where a filter cannot look: the C library then falls back to clone.
  filter.insert(filter.end(), {unless_equal(__NR_clone3, 1), answer(SECCOMP_RET_ERRNO | ENOSYS)});
  // Threads are welcome, processes are not.
  filter.insert(filter.end(), {unless_equal(__NR_clone, 3), load(first_argument),
                               BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, CLONE_THREAD, 1, 0),
                               answer(SECCOMP_RET_KILL_PROCESS), answer(SECCOMP_RET_ALLOW)});
  return filter;
}

bool forbid_processes() {
  if (architecture == 0) {
    return false;
  }
  auto filter = filter_for(static_cast<std::uint32_t>(getpid()));
  const sock_fprog program{static_cast<unsigned short>(filter.size()), filter.data()};
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
         prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

/// Never raises what the user has set.
bool limit(__rlimit_resource resource, rlim_t most) {
  rlimit limits{};
  if (getrlimit(resource, &limits) != 0) {
    return false;
  }
  limits.rlim_cur = std::min(limits.rlim_cur, most);
  return setrlimit(resource, &limits) == 0;
}

}  // namespace

bool confine(std::uint64_t address_space) {
  return limit(RLIMIT_STACK, stack_limit) && limit(RLIMIT_AS, address_space) && forbid_processes();
}

void extend_address_space(std::uint64_t bytes) {
  rlimit limits{};
  if (getrlimit(RLIMIT_AS, &limits) == 0 && limits.rlim_cur != RLIM_INFINITY) {
    limits.rlim_cur = std::min<rlim_t>(limits.rlim_cur + bytes, limits.rlim_max);
    // A refusal shows as a mapping that fails.
    setrlimit(RLIMIT_AS, &limits);
  }
}

}  // namespace vernier::plugin_runner
