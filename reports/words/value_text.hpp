#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "reference/numbers/number_text.hpp"
#include "reference/support/counted.hpp"

namespace vernier {

/// Significant digits of a measured number wherever one is told: nobody compares by more.
inline constexpr int shown_digits = 3;

/// `value` with `digits` significant digits, in plain notation from 0.0001 to a billion: "0.0123", "1.5e-09".
std::string significant_text(double value, int digits);
/// The same of an upper bound, which is rounded up.
std::string bound_text(double value, int digits);
/// "47 %", "0.43 %"; a share that is not zero never reads "0 %", nor does one short of all read "100 %".
std::string percent_text(double share);
/// The same of a part of a whole.
std::string share_text(std::uint64_t part, std::uint64_t whole);
/// How many times a budget is exceeded: "1.41", "58839"; "over 1e6" beyond a million, where the number says
/// no more.
std::string times_text(double budget_ratio);
/// "uses 47 % of its budget", "is off by 1.41 times its budget".
std::string usage_text(double budget_ratio);
/// What is told of results that are within the budget of a contract, and not computed as it says.
std::string narrow_arithmetic_text(std::string_view contract, double budget_ratio);

/// The text on one line, safe to show: a '?' stands for each character that could command a terminal, break
/// the line, reverse the direction of writing or hide itself, and for each byte that is not UTF-8.
std::string one_line(std::string_view text);

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
