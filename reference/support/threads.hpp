#pragma once

#include <algorithm>
#include <optional>

#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/info.h>
#include <oneapi/tbb/task_arena.h>

namespace vernier {

/// How many threads this process can run at once: a processor each of those that it may use, which on a
/// shared machine are fewer than there are.
inline unsigned available_threads() {
  return static_cast<unsigned>(std::max(1, oneapi::tbb::info::default_concurrency()));
}

/// Runs `work` where oneTBB's algorithms use up to so many threads, more than there are processors if that is
/// asked for: of itself oneTBB never does. Returns what `work` returns.
template <class Work>
auto with_threads(unsigned threads, const Work& work) {
  std::optional<oneapi::tbb::global_control> allowed;
  if (threads > available_threads()) {
    allowed.emplace(oneapi::tbb::global_control::max_allowed_parallelism, threads);
  }
  oneapi::tbb::task_arena arena(static_cast<int>(threads));
  return arena.execute(work);
}

}  // namespace vernier
