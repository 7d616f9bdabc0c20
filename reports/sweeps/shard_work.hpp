#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>

#include "reports/sweeps/sweep_folder.hpp"

namespace vernier {

/// What a process leaves with that was asked to stop and has saved what it did: try again later
/// (EX_TEMPFAIL of sysexits.h).
inline constexpr int exit_code_of_saved_work = 75;

/// A state that is saved from time to time: at first as soon as there is something, so that a disk that takes
/// nothing is found out early, and then every twenty seconds.
class SavedShard {
 public:
  /// Goes on from what is stored. A file that is damaged or foreign is replaced. \param warn told of that
  SavedShard(const SweepFolder& folder, const Shard& shard,
             const std::function<void(const std::string& sentence)>& warn);

  const ShardState& state() const { return state_; }
  /// Adds what was found, and saves if it is time to.
  void add(const TaskSpan& tasks, const AuditReport& found);
  void save();

 private:
  using Clock = std::chrono::steady_clock;

  const SweepFolder& folder_;
  Shard shard_;
  ShardState state_;
  bool is_saved_ = false;
  std::optional<Clock::time_point> last_;
};

/// Does what is left of a shard. \return false if it was interrupted; what was done is saved
bool finish_shard(const Sweep& sweep, const Shard& shard, SavedShard& saved);

}  // namespace vernier
