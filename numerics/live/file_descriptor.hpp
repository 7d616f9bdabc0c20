#pragma once

#include <utility>

#include <unistd.h>

namespace vernier {

/// An open file descriptor, closed with its owner.
class FileDescriptor {
 public:
  FileDescriptor() = default;
  /// \param value open, or negative for none
  explicit FileDescriptor(int value) : value_(value) {}
  FileDescriptor(FileDescriptor&& other) noexcept : value_(other.release()) {}
  FileDescriptor& operator=(FileDescriptor&& other) noexcept {
    reset(other.release());
    return *this;
  }
  ~FileDescriptor() { reset(); }

  /// Negative: none.
  int value() const { return value_; }
  bool is_open() const { return value_ >= 0; }
  /// Leaves the closing to the caller.
  int release() { return std::exchange(value_, -1); }
  void reset(int value = -1) {
    if (value_ >= 0) {
      close(value_);
    }
    value_ = value;
  }

 private:
  int value_ = -1;
};

}  // namespace vernier
