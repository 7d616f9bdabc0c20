#pragma once

#include <chrono>
#include <cstdint>
#include <string>

namespace vernier {

/// A bar on standard error while long work runs, if that is a terminal; nothing in a log.
class Progress {
 public:
  /// \param label what is being done \param total steps in all, > 0
  Progress(std::string label, std::uint64_t total);
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  /// Wipes the bar.
  ~Progress();

  /// \param done steps, at most the total
  void show(std::uint64_t done);

 private:
  std::string label_;
  std::uint64_t total_;
  bool terminal_;
  bool drawn_ = false;
  std::chrono::steady_clock::time_point last_;
};

}  // namespace vernier
