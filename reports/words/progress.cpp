#include "reports/words/progress.hpp"

#include <algorithm>
#include <cmath>
#include <iostream>
#include <utility>

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

std::string progress_words(const std::string& label, double share, double elapsed) {
  const auto words = fmt::format("{}: {:.0f} %", label, std::floor(100 * share));
  constexpr double least_share = 0.01;  // from which the rest can be told
  return share < least_share ? words
                             : words + fmt::format(", {} left", duration_words(elapsed * (1 / share - 1)));
}

ProgressPlace progress_place(bool is_quiet) {
  return {.stream = is_quiet ? nullptr : &std::cerr, .is_terminal = isatty(STDERR_FILENO) == 1};
}

Progress::Progress(ProgressPlace place) : place_(std::move(place)), start_(place_.now()), last_(start_) {}

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
  start_ = place_.now();
  if (is_drawn_) {
    show(start_);
  }
}

void Progress::advance(std::uint64_t steps) {
  const std::scoped_lock lock(drawing_);
  done_ = std::min(done_ + steps, total_);
  const auto now = place_.now();
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
  const double share = static_cast<double>(done_) / static_cast<double>(total_);
  const auto words = total_ == 1
                         ? label_
                         : progress_words(label_, share, std::chrono::duration<double>(now - start_).count());
  if (place_.is_terminal) {
    is_drawn_ = true;
    const auto filled = static_cast<std::size_t>(share * static_cast<double>(bar_width));
    *place_.stream << wipe_line << "[" << std::string(filled, '#') << std::string(bar_width - filled, '.')
                   << "] " << words << std::flush;
  } else {
    *place_.stream << "vernier: " << words << "\n";
  }
}

}  // namespace vernier
