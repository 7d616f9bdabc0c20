#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include <fcntl.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

// Which processes descend from which, as /proc tells. All of it is async-signal-safe, for a process that was
// just forked from one with many threads.

namespace vernier {

/// Text without allocation.
class ProcPath {
 public:
  ProcPath& operator<<(const char* text) {
    for (; *text != '\0' && length_ + 1 < text_.size(); ++text) {
      text_[length_++] = *text;
    }
    text_[length_] = '\0';
    return *this;
  }
  ProcPath& operator<<(pid_t number) {
    std::array<char, 24> digits{};
    std::size_t at = digits.size() - 1;
    do {
      digits[--at] = static_cast<char>('0' + number % 10);
      number /= 10;
    } while (number > 0 && at > 0);
    return *this << digits.data() + at;
  }
  const char* text() const { return text_.data(); }

 private:
  std::array<char, 96> text_{};
  std::size_t length_ = 0;
};

/// Visits the numbers of a text that comes in pieces.
template <class Visit>
class Numbers {
 public:
  explicit Numbers(Visit visit) : visit_(visit) {}
  void take(const char* text, std::size_t length) {
    for (std::size_t i = 0; i < length; ++i) {
      if (text[i] >= '0' && text[i] <= '9') {
        value_ = value_ * 10 + (text[i] - '0');
        open_ = true;
      } else {
        finish();
      }
    }
  }
  void finish() {
    if (open_) {
      visit_(value_);
    }
    value_ = 0;
    open_ = false;
  }

 private:
  Visit visit_;
  pid_t value_ = 0;
  bool open_ = false;
};

/// Visits the processes that a thread of a process started and that live, or whose parents died.
template <class Visit>
void visit_children_of_thread(const char* list, Visit visit) {
  const int descriptor = open(list, O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) {
    return;
  }
  Numbers numbers(visit);
  std::array<char, 4096> text;
  for (ssize_t count = 0; (count = read(descriptor, text.data(), text.size())) > 0;) {
    numbers.take(text.data(), static_cast<std::size_t>(count));
  }
  numbers.finish();
  close(descriptor);
}

/// Visits the threads of a process.
template <class Visit>
void visit_threads(pid_t process, Visit visit) {
  const int descriptor =
      open((ProcPath() << "/proc/" << process << "/task").text(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
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
      Numbers numbers(visit);
      numbers.take(entries.data() + at + name_at, std::strlen(entries.data() + at + name_at));
      numbers.finish();
      at += std::max<std::size_t>(length, name_at);
    }
  }
  close(descriptor);
}

/// Visits the processes that a process started and that live, or whose parents died.
template <class Visit>
void visit_children(pid_t process, Visit visit) {
  visit_threads(process, [&](pid_t thread) {
    visit_children_of_thread((ProcPath() << "/proc/" << process << "/task/" << thread << "/children").text(),
                             visit);
  });
}

}  // namespace vernier
