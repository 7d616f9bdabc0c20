#include "numerics/processes/runner/confinement.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>
#include <initializer_list>
#include <vector>

#include <asm/ioctls.h>
#include <asm/sockios.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/capability.h>
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
      __NR_execve, __NR_execveat, __NR_ptrace, __NR_process_vm_writev, __NR_tkill, __NR_pidfd_send_signal,
      __NR_pidfd_getfd
};

// What signals the process of their first argument.
constexpr std::array signalling_calls{__NR_kill, __NR_tgkill, __NR_rt_sigqueueinfo, __NR_rt_tgsigqueueinfo};

// What has the kernel signal whom it was told to as soon as a descriptor, which may be shared, is ready; and
// what holds up others' access to files.
constexpr std::array refused_descriptor_commands{F_SETOWN, F_SETOWN_EX, F_SETSIG, F_SETLEASE, F_NOTIFY};
constexpr std::array refused_device_commands{FIOASYNC, FIOSETOWN, SIOCSPGRP};

// Rights of root that a plug-in keeps: over files, so that it can be loaded from wherever Vernier could.
constexpr std::array kept_capabilities{CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH};

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

/// The low half of an argument: both architectures are little-endian here, and no argument that is looked at
/// has more.
constexpr std::size_t argument(std::size_t index) {
  return offsetof(seccomp_data, args) + index * sizeof(std::uint64_t);
}
constexpr std::size_t first_argument = argument(0);

constexpr std::uint32_t refusal = SECCOMP_RET_ERRNO | EPERM;

/// Refuses calls with one of these values as their second argument, and answers others by what follows.
template <class Values>
Filter refusing(const Values& values, std::initializer_list<sock_filter> following) {
  Filter filter{load(argument(1))};
  for (const auto value : values) {
    filter.insert(filter.end(), {unless_equal(static_cast<std::uint32_t>(value), 1), answer(refusal)});
  }
  filter.insert(filter.end(), following);
  return filter;
}

/// Adds what is done about one call. \param rule ends in an answer
void add_rule(Filter& filter, std::uint32_t call, const Filter& rule) {
  filter.push_back(unless_equal(call, static_cast<std::uint8_t>(rule.size())));
  filter.insert(filter.end(), rule.begin(), rule.end());
}

/// Descriptors may not be made to send signals: one that a plug-in shares with Vernier would send them there.
void forbid_notification(Filter& filter) {
  add_rule(filter, __NR_fcntl,
           refusing(refused_descriptor_commands, {unless_equal(F_SETFL, 3), load(argument(2)),
                                                  BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, O_ASYNC, 0, 1),
                                                  answer(refusal), answer(SECCOMP_RET_ALLOW)}));
  add_rule(filter, __NR_ioctl, refusing(refused_device_commands, {answer(SECCOMP_RET_ALLOW)}));
}

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
  // Limits of its own only: those of Vernier would end it.
  add_rule(filter, __NR_prlimit64,
           {load(first_argument), unless_equal(own_process, 1), answer(SECCOMP_RET_ALLOW), unless_equal(0, 1),
            answer(SECCOMP_RET_ALLOW), answer(refusal)});
  forbid_notification(filter);
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

/// Root's rights over other processes would reach into Vernier.
bool drop_capabilities() {
  __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
  std::array<__user_cap_data_struct, _LINUX_CAPABILITY_U32S_3> rights{};
  if (syscall(SYS_capget, &header, rights.data()) != 0) {
    return false;
  }
  std::uint32_t kept = 0;
  for (const int capability : kept_capabilities) {
    kept |= CAP_TO_MASK(capability);
  }
  for (auto& word : rights) {
    const auto mask = &word == rights.data() ? kept : 0;
    word = {word.effective & mask, word.permitted & mask, 0};
  }
  return syscall(SYS_capset, &header, rights.data()) == 0;
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
  return limit(RLIMIT_STACK, stack_limit) && limit(RLIMIT_AS, address_space) && drop_capabilities() &&
         forbid_processes();
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
