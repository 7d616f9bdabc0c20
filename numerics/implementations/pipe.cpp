#include "numerics/implementations/pipe.hpp"

#include <array>
#include <cerrno>
#include <system_error>
#include <utility>

#include <fcntl.h>

#include "reference/input_error.hpp"

namespace vernier {

Descriptor beyond_standard(Descriptor original, std::string_view what) {
  const int moved = original.is_open() ? fcntl(original.value(), F_DUPFD_CLOEXEC, STDERR_FILENO + 1) : -1;
  if (moved < 0) {
    throw InputError("cannot start a process: {} ({})", what, std::generic_category().message(errno));
  }
  return Descriptor(moved);
}

Pipe make_pipe() {
  std::array<int, 2> ends{-1, -1};
  const bool made = pipe2(ends.data(), O_CLOEXEC) == 0;
  Descriptor read(made ? ends[0] : -1);
  Descriptor write(made ? ends[1] : -1);
  return {beyond_standard(std::move(read), "no pipe"), beyond_standard(std::move(write), "no pipe")};
}

}  // namespace vernier
