#pragma once

#include <cstdint>
#include <string>

namespace vernier {

/// So many of all, with the 95 % interval of their share.
struct CountedShare {
  std::uint64_t count = 0;
  std::uint64_t all = 1;  ///< at least 1

  double share() const { return static_cast<double>(count) / static_cast<double>(all); }
  /// \name Ends of the interval, from 0 to 1: the shares p of which `count` lies z = 1.96 standard deviations
  /// sqrt(all p (1 - p)) from all p. They solve a quadratic equation (E. B. Wilson, "Probable inference, the
  /// law of succession, and statistical inference", Journal of the American Statistical Association 22,
  /// 1927).
  /// @{
  double least() const { return bound(-1); }
  double greatest() const { return bound(1); }
  /// @}

 private:
  double bound(int side) const;
};

/// "20.7 to 63.6 %": the interval.
std::string interval_text(const CountedShare& share);

}  // namespace vernier
