#include "numerics/implementations/runner/guarded_memory.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include "numerics/implementations/runner/confinement.hpp"
#include "numerics/implementations/runner_protocol.hpp"

namespace vernier::plugin_runner {
namespace {

// Wide enough for a whole row of most models: a write that misses by one row must not reach other memory.
constexpr std::size_t guard = std::size_t{1} << 20;

}  // namespace

bool GuardedMemory::map(int descriptor, std::size_t capacity) {
  if (reserved_ != nullptr) {
    munmap(reserved_, reserved_bytes_);
    reserved_ = nullptr;
  }
  const std::size_t wanted = capacity + 2 * guard;
  if (wanted > reserved_bytes_) {
    extend_address_space(wanted - reserved_bytes_);
    reserved_bytes_ = wanted;
  }
  void* reserved =
      mmap(nullptr, reserved_bytes_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (reserved == MAP_FAILED) {
    return false;
  }
  reserved_ = static_cast<std::byte*>(reserved);
  std::byte* start = reserved_ + guard;
  if (mmap(start, capacity, PROT_NONE, MAP_SHARED | MAP_FIXED, descriptor, 0) == MAP_FAILED) {
    return false;
  }
  end_ = start + capacity;
  capacity_ = capacity;
  open_ = 0;
  return true;
}

void* GuardedMemory::open(std::size_t bytes) {
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  const std::size_t wanted = plugin_protocol::open_bytes(bytes, page);
  if (wanted > capacity_) {
    return nullptr;
  }
  if (wanted != open_) {
    if (mprotect(end_ - capacity_, capacity_ - wanted, PROT_NONE) != 0 ||
        mprotect(end_ - wanted, wanted, PROT_READ | PROT_WRITE) != 0) {
      return nullptr;
    }
    open_ = wanted;
  }
  return end_ - plugin_protocol::start_before_end(bytes);
}

}  // namespace vernier::plugin_runner
