#include "numerics/processes/runner/guarded_memory.hpp"

#include <array>
#include <charconv>
#include <csignal>
#include <functional>

#include <sys/mman.h>
#include <unistd.h>

#include "numerics/processes/runner/confinement.hpp"
#include "numerics/processes/runner_protocol.hpp"

namespace vernier::plugin_runner {
namespace {

// Wide enough for a whole row of most models: a write that misses by one row must not reach other memory.
constexpr std::size_t guard = std::size_t{1} << 20;

// A signal handler has no other way to reach what it needs than a global. Written before it is installed.
constinit std::span<const GuardedPiece> noted_pieces;

/// A line of text without allocation.
class Line {
 public:
  Line& operator<<(std::string_view text) {
    for (std::size_t i = 0; i < text.size() && length_ < text_.size(); ++i) {
      text_[length_++] = text[i];
    }
    return *this;
  }
  Line& operator<<(std::size_t number) {
    std::array<char, 20> digits{};
    const auto* const end = std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr;
    return *this << std::string_view(digits.data(), end);
  }
  void write_to_standard_error() const {
    // Where it cannot be written there is no note.
    [[maybe_unused]] const auto written = write(STDERR_FILENO, text_.data(), length_);
  }

 private:
  std::array<char, 160> text_{};
  std::size_t length_ = 0;
};

/// std::less orders pointers into different objects, which < does not promise to.
bool lies_before(const std::byte* a, const std::byte* b) {
  return std::less<>()(a, b);
}

bool lies_within(const std::byte* at, std::span<const std::byte> bytes) {
  return !lies_before(at, bytes.data()) && lies_before(at, bytes.data() + bytes.size());
}

/// Async-signal-safe. The instruction runs again afterwards, and faults again without a handler.
void note_fault(int /*signal*/, siginfo_t* info, void* /*context*/) {
  const auto* at = static_cast<const std::byte*>(info->si_addr);
  for (const auto& [name, reserved, data] : noted_pieces) {
    if (!lies_within(at, reserved)) {
      continue;
    }
    Line line;
    line << "touched byte ";
    if (lies_before(at, data.data())) {
      line << static_cast<std::size_t>(data.data() - at) << " before the start of ";
    } else if (lies_within(at, data)) {
      // As after munmap or mprotect, or of a piece that is not lent any more.
      line << static_cast<std::size_t>(at - data.data()) << " within ";
    } else {
      line << static_cast<std::size_t>(at - (data.data() + data.size())) + 1 << " after the end of ";
    }
    line << name << "\n";
    line.write_to_standard_error();
  }
}

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

void note_faults(std::span<const GuardedPiece> pieces) {
  noted_pieces = pieces;
  struct sigaction action {};
  action.sa_sigaction = note_fault;
  action.sa_flags = static_cast<int>(SA_SIGINFO | SA_RESETHAND);
  sigemptyset(&action.sa_mask);
  // Where the kernel refuses there are no notes.
  sigaction(SIGSEGV, &action, nullptr);
}

}  // namespace vernier::plugin_runner
