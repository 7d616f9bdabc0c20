#include "numerics/formats/mapped_file.hpp"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <functional>
#include <memory>
#include <string>

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "numerics/formats/descriptor.hpp"
#include "reference/support/input_error.hpp"
#include "reference/support/refusal.hpp"

namespace vernier {

/// What the signal handler knows of a mapping. It may look at any moment, from any thread, and cannot lock:
/// so nothing but `live` ever changes, and entries are never freed (some hundred bytes for each file that the
/// process maps).
struct WatchedMapping {
  std::span<const std::byte> bytes;
  std::filesystem::path file;
  int descriptor = -1;   ///< open as long as `live`
  timespec modified{};   ///< when it was mapped
  timespec changed{};    ///< likewise, and nobody can set it back
  std::string sentence;  ///< written as it is, since a handler may not format
  std::atomic<bool> live = true;
  const WatchedMapping* next = nullptr;
};

namespace {

constexpr int bad_input = 2;

// A signal handler has no other way to reach what it needs than globals.
constinit std::atomic<const WatchedMapping*> first_watched = nullptr;
static_assert(decltype(first_watched)::is_always_lock_free && std::atomic<bool>::is_always_lock_free,
              "a signal handler may use lock-free atomics only");
// Written before the handler is installed, only read afterwards.
constinit struct sigaction previous_action {};

const WatchedMapping* find_watched(const void* address) {
  const auto* at = static_cast<const std::byte*>(address);
  const WatchedMapping* mapping = first_watched.load(std::memory_order_acquire);
  // std::less orders pointers into different objects, which < does not promise to.
  const std::less<> before;
  while (mapping != nullptr &&
         !(mapping->live.load(std::memory_order_acquire) && !before(at, mapping->bytes.data()) &&
           before(at, mapping->bytes.data() + mapping->bytes.size()))) {
    mapping = mapping->next;
  }
  return mapping;
}

/// Async-signal-safe.
void write_to_standard_error(const std::string& text) {
  std::size_t written = 0;
  while (written < text.size()) {
    const auto count = write(STDERR_FILENO, text.data() + written, text.size() - written);
    if (count <= 0) {
      return;
    }
    written += static_cast<std::size_t>(count);
  }
}

/// Async-signal-safe. Signals that a process sent have no address; BUS_ADRERR has.
void handle_bus_error(int signal, siginfo_t* info, void* /*context*/) {
  const auto* mapping = info->si_code == BUS_ADRERR ? find_watched(info->si_addr) : nullptr;
  if (mapping != nullptr) {
    write_to_standard_error(mapping->sentence);
    _exit(bad_input);
  }
  sigaction(signal, &previous_action, nullptr);
  // A faulting instruction runs again once this returns, and faults again; what was sent must be sent again.
  if (info->si_code <= 0) {
    raise(signal);
  }
}

bool install_handler() {
  sigaction(SIGBUS, nullptr, &previous_action);
  struct sigaction action {};
  action.sa_sigaction = handle_bus_error;
  action.sa_flags = SA_SIGINFO;
  sigemptyset(&action.sa_mask);
  return sigaction(SIGBUS, &action, nullptr) == 0;
}

void watch(WatchedMapping& mapping) {
  [[maybe_unused]] static const bool installed = install_handler();
  mapping.next = first_watched.load(std::memory_order_relaxed);
  while (!first_watched.compare_exchange_weak(mapping.next, &mapping, std::memory_order_release,
                                              std::memory_order_relaxed)) {
  }
}

/// For one line of a terminal: control characters, which could command it, shown as '?'.
std::string shrank_sentence(const std::filesystem::path& file) {
  auto name = file.string();
  std::ranges::replace_if(
      name, [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }, '?');
  return fmt::format("vernier: {}: the file shrank while it was being read, expected it to stay as it was\n",
                     name);
}

/// \param error of the system, if it is not
void require_readable(bool is_readable, const std::filesystem::path& file, int error) {
  const bool is_missing = error == ENOENT || error == ENOTDIR;
  refuse_if(!is_readable && is_missing, "{}: no such file", file.string());
  refuse_if(!is_readable, "{}: cannot be read ({})", file.string(), std::generic_category().message(error));
}

bool equal(const timespec& a, const timespec& b) {
  return a.tv_sec == b.tv_sec && a.tv_nsec == b.tv_nsec;
}

}  // namespace

MappedFile::MappedFile(const std::filesystem::path& file) {
  // A pipe without a writer must not keep us waiting; it is no regular file, as its status will tell.
  Descriptor descriptor(open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  require_readable(descriptor.is_open(), file, errno);
  struct stat status {};
  const bool has_status = fstat(descriptor.value(), &status) == 0;
  require_readable(has_status, file, errno);
  refuse_if(!S_ISREG(status.st_mode), "{}: found a folder or device, expected a file with a tensor",
            file.string());
  const auto size = static_cast<std::size_t>(status.st_size);
  if (size == 0) {
    return;
  }
  auto watched = std::make_unique<WatchedMapping>();
  watched->sentence = shrank_sentence(file);
  const void* start = mmap(nullptr, size, PROT_READ, MAP_PRIVATE, descriptor.value(), 0);
  require_readable(start != MAP_FAILED, file, errno);
  bytes_ = {static_cast<const std::byte*>(start), size};
  watched->bytes = bytes_;
  watched->file = file;
  watched->modified = status.st_mtim;
  watched->changed = status.st_ctim;
  watched->descriptor = descriptor.release();
  watched_ = watched.release();
  watch(*watched_);
}

MappedFile::~MappedFile() {
  if (watched_ != nullptr) {
    // Before the address can belong to something else.
    watched_->live.store(false, std::memory_order_release);
    munmap(const_cast<std::byte*>(bytes_.data()), bytes_.size());
    close(watched_->descriptor);
  }
}

void require_unchanged_files() {
  for (const auto* mapping = first_watched.load(std::memory_order_acquire); mapping != nullptr;
       mapping = mapping->next) {
    struct stat status {};
    if (!mapping->live.load(std::memory_order_acquire) || fstat(mapping->descriptor, &status) != 0) {
      continue;
    }
    refuse_if(static_cast<std::size_t>(status.st_size) != mapping->bytes.size() ||
                  !equal(status.st_mtim, mapping->modified) || !equal(status.st_ctim, mapping->changed),
              "{}: the file changed while it was being read, expected it to stay as it was",
              mapping->file.string());
  }
}

}  // namespace vernier
