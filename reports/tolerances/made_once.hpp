#pragma once

#include <mutex>

namespace vernier {

/// A value that takes long to make and may not be needed: made when it is first asked for, by whichever
/// thread asks.
template <class Value>
class MadeOnce {
 public:
  template <class Make>
  const Value& get(Make make) const {
    std::call_once(is_made_, [&] { value_ = make(); });
    return value_;
  }

 private:
  mutable std::once_flag is_made_;
  mutable Value value_;
};

}  // namespace vernier
