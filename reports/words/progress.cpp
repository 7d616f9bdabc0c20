#include "reports/words/progress.hpp"

#include <algorithm>
#include <cmath>
#include <iostream>

#include <fmt/core.h>
#include <unistd.h>

namespace vernier {
namespace {

constexpr std::size_t bar_width = 30;
constexpr auto between_drawings = std::chrono::milliseconds(100);
constexpr auto between_lines = std::chrono::seconds(10);
constexpr auto wipe_line = "\r\x1b[K";

std::string duration_words(double seconds) {
  const auto whole = static_cast<std::int64_t>(std::ceil(seconds));
  if (whole < 60) {
    return fmt::format("{} s", whole);
  }
  return whole < 3600 ? fmt::format("{} min {} s", whole / 60, whole % 60)
                      : fmt::format("{} h {} min", whole / 3600, whole % 3600 / 60);
}

}  // namespace

void TimeLeft::note(double share, double elapsed) {
  constexpr double least_share = 0.01;  // from which the rest can be told
  constexpr double growth = 4.0 / 3;
  if (share >= least_share && (seen_.empty() || share >= growth * seen_.back().share)) {
    seen_.push_back({share, elapsed});
  }
}

std::optional<double> TimeLeft::seconds(double share, double elapsed) const {
  // Steps that cost alike differ by the scatter of a shared machine. If each costs more than the one before,
  // in proportion to its number, half foretells half the time.
  constexpr double agreement = 0.25;
  const auto half =
      std::find_if(seen_.rbegin(), seen_.rend(), [&](const Seen& seen) { return seen.share <= share / 2; });
  if (half == seen_.rend()) {
    return std::nullopt;
  }
  const double whole = elapsed / share;
  const bool is_steady = std::fabs(half->elapsed / half->share - whole) <= agreement * whole;
  return is_steady ? std::optional(whole - elapsed) : std::nullopt;
}

std::string progress_words(const std::string& label, double share, std::optional<double> left) {
  const auto words = fmt::format("{}: {:.0f} %", label, std::floor(100 * share));
  return left ? words + fmt::format(", {} left", duration_words(*left)) : words;
}

ProgressPlace progress_place(bool is_quiet) {
  return {.stream = is_quiet ? nullptr : &std::cerr, .is_terminal = isatty(STDERR_FILENO) == 1};
}

Progress::~Progress() {
  if (is_drawn_) {
    *place_.stream << wipe_line << std::flush;
  }
}

void Progress::begin(const std::string& label, std::uint64_t total) {
  const std::scoped_lock lock(drawing_);
  label_ = label;
  total_ = total;
  done_ = 0;
  left_ = {};
  start_ = place_.now();
  if (is_drawn_) {
    show(start_);
  }
}

void Progress::advance(std::uint64_t steps) {
  const std::scoped_lock lock(drawing_);
  done_ = std::min(done_ + steps, total_);
  const auto now = place_.now();
  left_.note(share(), elapsed(now));
  const auto pause = place_.is_terminal ? Clock::duration(between_drawings) : Clock::duration(between_lines);
  if (place_.stream != nullptr && now - last_ >= pause) {
    show(now);
  }
}

void Progress::say(std::ostream& stream, const std::string& line) {
  const std::scoped_lock lock(drawing_);
  if (is_drawn_) {
    *place_.stream << wipe_line << std::flush;
  }
  stream << line + "\n" << std::flush;  // in one piece: others may write there too
  if (is_drawn_) {
    show(place_.now());
  }
}

PhaseListener Progress::listener() {
  return {.begin = [this](const std::string& label, std::uint64_t steps) { begin(label, steps); },
          .advance = [this](std::uint64_t steps) { advance(steps); }};
}

void Progress::show(Clock::time_point now) {
  last_ = now;
  const auto words =
      total_ == 1 ? label_ : progress_words(label_, share(), left_.seconds(share(), elapsed(now)));
  if (place_.is_terminal) {
    is_drawn_ = true;
    const auto filled = static_cast<std::size_t>(share() * static_cast<double>(bar_width));
    *place_.stream << wipe_line << "[" << std::string(filled, '#') << std::string(bar_width - filled, '.')
                   << "] " << words << std::flush;
  } else {
    *place_.stream << "vernier: " << words << "\n";
  }
}

}  // namespace vernier
