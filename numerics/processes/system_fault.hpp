#pragma once

#include <algorithm>
#include <array>
#include <cerrno>
#include <system_error>

namespace vernier {

/// After a call that failed: makes sure that whoever is at the other end may be blamed for it. \param what
/// failed \throws std::system_error if `errno` says that the system has no memory, descriptors or room, or a
/// failing disk
inline void require_no_system_fault(const char* what) {
  constexpr std::array faults{EMFILE, ENFILE, ENOMEM, ENOBUFS, ENOSPC, EIO};
  if (std::ranges::find(faults, errno) != faults.end()) {
    throw std::system_error(errno, std::generic_category(), what);
  }
}

}  // namespace vernier
