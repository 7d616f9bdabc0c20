#pragma once

#include <cstdint>
#include <functional>
#include <string>

namespace vernier {

/// Told how far long work is that is done in phases, one after another.
struct PhaseListener {
  /// A phase begins. \param label what is done in it \param steps in all, > 0
  std::function<void(const std::string& label, std::uint64_t steps)> begin = [](const std::string& /*label*/,
                                                                                std::uint64_t /*steps*/) {};
  /// Steps of the phase are done; called by any thread. Zero of them say that it still goes on.
  std::function<void(std::uint64_t steps)> advance = [](std::uint64_t /*steps*/) {};
};

}  // namespace vernier
