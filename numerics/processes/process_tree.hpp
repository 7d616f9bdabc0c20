#pragma once

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

// Which processes descend from which, as /proc tells. All of it is async-signal-safe, for a process that was
// just forked from one with many threads.

namespace vernier {

/// A path below /proc, made without allocation.
template <class... Parts>
std::array<char, 96> proc_path(std::string_view path, Parts... parts) {
  std::array<char, 96> text{};
  fmt::vformat_to(text.data(), path, fmt::make_format_args(parts...));
  return text;
}

/// Visits the processes that a thread of a process started and that live, or whose parents died.
template <class Visit>
void visit_children_of_thread(const char* list, Visit visit) {
  const int descriptor = open(list, O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) {
    return;
  }
  std::array<char, 4096> text;
  pid_t process = 0;  // whose digits may come in two pieces; a blank ends each
  for (ssize_t count = 0; (count = read(descriptor, text.data(), text.size())) > 0;) {
    for (const char c : std::span(text).first(static_cast<std::size_t>(count))) {
      if (c >= '0' && c <= '9') {
        process = process * 10 + (c - '0');
      } else if (process > 0) {
        visit(std::exchange(process, 0));
      }
    }
  }
  close(descriptor);
}

/// Visits the threads of a process.
template <class Visit>
void visit_threads(pid_t process, Visit visit) {
  const int descriptor = open(proc_path("/proc/{}/task", process).data(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) {
    return;
  }
  // As the kernel lays out struct linux_dirent64: inode, offset (8 bytes each), the entry's length, its type,
  // its name. readdir would allocate.
  constexpr std::size_t length_at = 16;
  constexpr std::size_t name_at = 19;
  alignas(8) std::array<char, 4096> entries;
  for (long count = 0; (count = syscall(SYS_getdents64, descriptor, entries.data(), entries.size())) > 0;) {
    for (std::size_t at = 0; at + name_at < static_cast<std::size_t>(count);) {
      std::uint16_t length = 0;
      std::memcpy(&length, entries.data() + at + length_at, sizeof length);
      const char* name = entries.data() + at + name_at;
      if (pid_t thread = 0; std::from_chars(name, name + std::strlen(name), thread).ec == std::errc()) {
        visit(thread);
      }
      at += std::max<std::size_t>(length, name_at);
    }
  }
  close(descriptor);
}

/// Visits the processes that a process started and that live, or whose parents died.
template <class Visit>
void visit_children(pid_t process, Visit visit) {
  visit_threads(process, [&](pid_t thread) {
    visit_children_of_thread(proc_path("/proc/{}/task/{}/children", process, thread).data(), visit);
  });
}

}  // namespace vernier
