#pragma once

#include <utility>

#include <unistd.h>

namespace vernier {

/// A file descriptor, closed with its owner.
class Descriptor {
 public:
  Descriptor() = default;
  /// \param value an open descriptor, or -1 for none
  explicit Descriptor(int value) : value_(value) {}
  Descriptor(Descriptor&& other) noexcept : value_(std::exchange(other.value_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    reset();
    value_ = std::exchange(other.value_, -1);
    return *this;
  }
  ~Descriptor() { reset(); }

  bool is_open() const { return value_ >= 0; }
  int value() const { return value_; }
  /// Leaves the closing to the caller.
  int release() { return std::exchange(value_, -1); }
  void reset() {
    if (value_ >= 0) {
      close(std::exchange(value_, -1));
    }
  }

 private:
  int value_ = -1;
};

}  // namespace vernier
