#pragma once

#include <chrono>
#include <cstdint>
#include <mutex>
#include <string>

namespace vernier {

/// How long work shows itself on standard error: as a bar on a terminal, as a line now and then in a log.
class Progress {
 public:
  /// \param label what is being done \param total steps in all, > 0
  Progress(std::string label, std::uint64_t total);
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  /// Wipes the bar.
  ~Progress();

  /// Called by any thread. \param steps that were done since the last call
  void advance(std::uint64_t steps);

 private:
  using Clock = std::chrono::steady_clock;

  std::string label_;
  std::uint64_t total_;
  std::uint64_t done_ = 0;
  bool is_terminal_;
  bool is_drawn_ = false;
  Clock::time_point start_ = Clock::now();
  Clock::time_point last_ = start_;
  std::mutex drawing_;
};

/// "work: 43 %, 2 min 10 s left"; without the time as long as there is too little to tell it from.
/// \param share in [0, 1] \param elapsed seconds
std::string progress_words(const std::string& label, double share, double elapsed);

}  // namespace vernier
