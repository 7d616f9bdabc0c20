#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "reference/tables/phases.hpp"

namespace vernier {

/// Where work shows itself, and by which clock.
struct ProgressPlace {
  using Clock = std::chrono::steady_clock;

  std::ostream* stream = nullptr;  ///< null: nowhere
  bool is_terminal = false;
  std::function<Clock::time_point()> now = Clock::now;
};

/// How long work will still take, if its past says so. Steps need not be equally long: if they became dearer
/// or cheaper, the time that they took says nothing about the rest, and no time is told.
class TimeLeft {
 public:
  /// \param share that is done, in [0, 1], no less than before \param elapsed seconds
  void note(double share, double elapsed);
  /// In seconds, if half of what is done foretold the time of the whole as all of it does, within a quarter.
  std::optional<double> seconds(double share, double elapsed) const;

 private:
  struct Seen {
    double share;
    double elapsed;
  };
  std::vector<Seen> seen_;  ///< each a third more than the one before
};

/// Standard error. \param is_quiet nowhere instead
ProgressPlace progress_place(bool is_quiet);

/// How long work shows itself: as a bar on a terminal, as a line every ten seconds in a log. Work of several
/// phases shows one after another; what takes less than ten seconds in all leaves no line.
class Progress {
 public:
  explicit Progress(ProgressPlace place) : place_(std::move(place)), start_(place_.now()), last_(start_) {}
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  /// Wipes the bar.
  ~Progress();

  /// The next phase. \param label what is being done \param total steps in all, > 0; of a single one no
  /// share is told
  void begin(const std::string& label, std::uint64_t total);
  /// Called by any thread. \param steps that were done since the last call
  void advance(std::uint64_t steps);
  /// A line of its own on another stream, which the bar gives way to.
  void say(std::ostream& stream, const std::string& line);
  /// One that shows here how far work is; this outlives it.
  PhaseListener listener();

 private:
  using Clock = ProgressPlace::Clock;

  void show(Clock::time_point now);
  double share() const { return static_cast<double>(done_) / static_cast<double>(total_); }
  double elapsed(Clock::time_point now) const { return std::chrono::duration<double>(now - start_).count(); }

  ProgressPlace place_;
  std::string label_;
  std::uint64_t total_ = 1;
  std::uint64_t done_ = 0;
  TimeLeft left_;
  bool is_drawn_ = false;
  Clock::time_point start_;  ///< of the phase
  Clock::time_point last_;   ///< that something was shown
  std::mutex drawing_;
};

/// "work: 43 %, 2 min 10 s left"; without the time if it is not known. \param share in [0, 1] \param left
/// seconds
std::string progress_words(const std::string& label, double share, std::optional<double> left);

}  // namespace vernier
