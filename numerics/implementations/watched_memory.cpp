#include "numerics/implementations/watched_memory.hpp"

#include <bit>
#include <cerrno>
#include <cstring>
#include <system_error>
#include <vector>

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/mman.h>

#include "numerics/implementations/runner_protocol.hpp"
#include "reference/counted.hpp"
#include "reference/input_error.hpp"

namespace vernier {
namespace {

std::size_t page_size() {
  static const auto size = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  return size;
}

/// What surrounds the data: bytes without a pattern, so that neither zeros nor a shifted copy look the same.
std::span<const std::byte> surroundings(std::size_t bytes) {
  // Below the data there are at least a page and less than two.
  static const std::vector<std::byte> pattern = [] {
    std::vector<std::byte> made(2 * page_size());
    // SplitMix64 (Steele, Lea and Flood 2014).
    std::uint64_t state = 0;
    for (auto& byte : made) {
      state += 0x9e3779b97f4a7c15;
      std::uint64_t z = (state ^ state >> 30) * 0xbf58476d1ce4e5b9;
      z = (z ^ z >> 27) * 0x94d049bb133111eb;
      byte = static_cast<std::byte>(z >> 56);
    }
    return made;
  }();
  return std::span(pattern).first(bytes);
}

void surround(std::span<std::byte> place) {
  std::memcpy(place.data(), surroundings(place.size()).data(), place.size());
}

bool untouched(std::span<const std::byte> place) {
  return std::memcmp(place.data(), surroundings(place.size()).data(), place.size()) == 0;
}

struct Changes {
  std::size_t count = 0;
  std::size_t first = 0;
  std::size_t last = 0;
};

Changes changes(std::span<const std::byte> place) {
  const auto expected = surroundings(place.size());
  Changes found;
  for (std::size_t i = 0; i < place.size(); ++i) {
    if (place[i] != expected[i]) {
      found.first = found.count == 0 ? i : found.first;
      found.last = i;
      ++found.count;
    }
  }
  return found;
}

std::string counted_bytes(std::size_t count) {
  return counted(count, "byte", "bytes");
}

std::string range(std::size_t first, std::size_t last) {
  return first == last ? std::to_string(first) : fmt::format("{} to {}", first, last);
}

[[noreturn]] void refuse(std::size_t bytes) {
  throw InputError("cannot share {} of memory with the plug-in ({})", counted_bytes(bytes),
                   std::generic_category().message(errno));
}

}  // namespace

WatchedMemory::~WatchedMemory() {
  if (!mapped_.empty()) {
    munmap(mapped_.data(), mapped_.size());
  }
}

bool WatchedMemory::hold(std::size_t bytes) {
  // No machine addresses more, and the sums below stay far from overflow.
  constexpr std::size_t most = std::size_t{1} << 46;
  if (bytes > most) {
    errno = ENOMEM;
    refuse(bytes);
  }
  const std::size_t needed = plugin_protocol::open_bytes(bytes, page_size());
  const bool grows = needed > mapped_.size();
  if (grows) {
    const std::size_t capacity = std::bit_ceil(needed);
    Descriptor file(memfd_create("vernier", MFD_CLOEXEC | MFD_ALLOW_SEALING));
    // Sealed: whoever gets hold of it cannot take the pages away from under Vernier.
    if (!file.is_open() || ftruncate(file.value(), static_cast<off_t>(capacity)) != 0 ||
        fcntl(file.value(), F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) != 0) {
      refuse(bytes);
    }
    void* start = mmap(nullptr, capacity, PROT_READ | PROT_WRITE, MAP_SHARED, file.value(), 0);
    if (start == MAP_FAILED) {
      refuse(bytes);
    }
    if (!mapped_.empty()) {
      munmap(mapped_.data(), mapped_.size());
    }
    mapped_ = {static_cast<std::byte*>(start), capacity};
    file_ = std::move(file);
  }
  bytes_ = bytes;
  surround(below());
  surround(above());
  return grows;
}

std::span<std::byte> WatchedMemory::data() const {
  return mapped_.subspan(mapped_.size() - plugin_protocol::start_before_end(bytes_), bytes_);
}

std::span<std::byte> WatchedMemory::below() const {
  const std::size_t open = plugin_protocol::open_bytes(bytes_, page_size());
  return mapped_.subspan(mapped_.size() - open, open - plugin_protocol::start_before_end(bytes_));
}

std::span<std::byte> WatchedMemory::above() const {
  return mapped_.last(plugin_protocol::start_before_end(bytes_) - bytes_);
}

std::optional<std::string> WatchedMemory::changed_surroundings() const {
  std::string evidence;
  if (!untouched(below())) {
    const auto found = changes(below());
    const auto size = below().size();
    evidence = fmt::format("{}, {} before its start", counted_bytes(found.count),
                           range(size - found.first, size - found.last));
  }
  if (!untouched(above())) {
    const auto found = changes(above());
    evidence += fmt::format("{}{}, {} after its end", evidence.empty() ? "" : ", and ",
                            counted_bytes(found.count), range(found.first + 1, found.last + 1));
  }
  return evidence.empty() ? std::nullopt : std::optional(evidence);
}

}  // namespace vernier
