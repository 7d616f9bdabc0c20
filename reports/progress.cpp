#include "reports/progress.hpp"

#include <iostream>

#include <unistd.h>

namespace vernier {
namespace {

constexpr std::uint64_t bar_width = 30;
constexpr auto between_drawings = std::chrono::milliseconds(100);
constexpr auto wipe_line = "\r\x1b[K";

}  // namespace

Progress::Progress(std::string label, std::uint64_t total)
    : label_(std::move(label)),
      total_(total),
      terminal_(isatty(STDERR_FILENO) == 1),
      last_(std::chrono::steady_clock::now()) {}

Progress::~Progress() {
  if (drawn_) {
    std::cerr << wipe_line << std::flush;
  }
}

void Progress::show(std::uint64_t done) {
  const auto now = std::chrono::steady_clock::now();
  if (!terminal_ || now - last_ < between_drawings) {
    return;
  }
  last_ = now;
  drawn_ = true;
  const double share = static_cast<double>(done) / static_cast<double>(total_);
  const auto filled = static_cast<std::uint64_t>(share * static_cast<double>(bar_width));
  std::cerr << wipe_line << label_ << " [" << std::string(filled, '#') << std::string(bar_width - filled, '.')
            << "] " << static_cast<int>(100 * share) << " %" << std::flush;
}

}  // namespace vernier
