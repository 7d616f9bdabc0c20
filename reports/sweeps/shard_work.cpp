#include "reports/sweeps/shard_work.hpp"

#include <algorithm>

#include "reference/input_error.hpp"
#include "reports/interrupt.hpp"

namespace vernier {
namespace {

/// Between two savings, of the thirty that are promised: what is under way is finished first.
constexpr auto between_shard_savings = std::chrono::seconds(20);
/// That tasks are begun for together: that much work is lost in an interrupt.
constexpr double batch_seconds = 2;
/// A shard's last tasks are dropped and its state is written.

}  // namespace

SavedShard::SavedShard(const SweepFolder& folder, const Shard& shard,
                       const std::function<void(const std::string& sentence)>& warn)
    : folder_(folder), shard_(shard) {
  try {
    if (auto stored = folder.read(shard)) {
      state_ = *std::move(stored);
      is_saved_ = true;
    }
  } catch (const InputError& error) {
    warn(std::string(error.what()) + "; its work is done anew");
  }
}

void SavedShard::add(const TaskSpan& tasks, const AuditReport& found) {
  state_.add(tasks, found);
  is_saved_ = false;
  if (!last_ || Clock::now() - *last_ >= between_shard_savings) {
    save();
  }
}

void SavedShard::save() {
  if (!is_saved_) {
    folder_.write(shard_, state_);
    is_saved_ = true;
  }
  last_ = Clock::now();
}

bool finish_shard(const Sweep& sweep, const Shard& shard, SavedShard& saved) {
  const NotedInterrupts noted(seconds_to_save);
  try {
    double batch = 1;
    for (const auto& span : saved.state().left(tasks_of(shard, sweep.tasks()))) {
      for (auto first = span.first; first < span.last;) {
        const auto last = std::min(first + static_cast<std::int64_t>(batch), span.last);
        const auto start = std::chrono::steady_clock::now();
        saved.add({first, last}, sweep.run(first, last));
        const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
        batch = std::clamp(batch * batch_seconds / taken.count(), 1.0, 2 * batch);
        first = last;
        stop_if_interrupted();
      }
    }
  } catch (const Interrupted&) {
    saved.save();
    return false;
  }
  saved.save();
  return true;
}

}  // namespace vernier
