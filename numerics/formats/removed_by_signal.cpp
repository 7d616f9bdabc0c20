#include "numerics/formats/removed_by_signal.hpp"

#include <array>
#include <atomic>
#include <climits>

#include <unistd.h>

namespace vernier {
namespace {

/// A name where a signal handler finds it: it may look at any moment, from any thread, and cannot lock. Names
/// are copied, as their owners may be gone by then.
struct NotedName {
  std::atomic<bool> taken = false;
  std::atomic<bool> complete = false;
  std::array<char, PATH_MAX> name{};
};

// A signal handler has no other way to reach what it needs than a global. One file is written at a time, or a
// question and its answer in their folder; of names beyond these a signal leaves what there is.
constinit std::array<NotedName, 8> noted_names;
static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler may use lock-free atomics only");

/// \return where it is noted; beyond the last place if nowhere
std::size_t note(const std::filesystem::path& path) {
  const auto& name = path.native();
  for (std::size_t place = 0; place < noted_names.size() && name.size() < PATH_MAX; ++place) {
    if (!noted_names[place].taken.exchange(true)) {
      name.copy(noted_names[place].name.data(), name.size());
      noted_names[place].name[name.size()] = '\0';
      noted_names[place].complete = true;
      return place;
    }
  }
  return noted_names.size();
}

}  // namespace

RemovedBySignal::RemovedBySignal(const std::filesystem::path& path) : place_(note(path)) {}

RemovedBySignal::~RemovedBySignal() {
  if (place_ < noted_names.size()) {
    noted_names[place_].complete = false;
    noted_names[place_].taken = false;
  }
}

void remove_temporary_files() noexcept {
  for (const auto& noted : noted_names) {
    if (noted.complete) {
      unlink(noted.name.data());
    }
  }
  for (const auto& noted : noted_names) {
    if (noted.complete) {
      rmdir(noted.name.data());
    }
  }
}

}  // namespace vernier
