#include "reports/words/value_text.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include <boost/locale/utf.hpp>
#include <fmt/core.h>

namespace vernier {
namespace {

/// Whether a character shows itself and does nothing else.
bool is_shown(char32_t code) {
  struct Range {
    char32_t first;
    char32_t last;
  };
  // Unicode's controls (Cc), format characters (Cf) that act on other text, line separators, noncharacters.
  static constexpr std::array<Range, 12> hidden{{{0x00, 0x1f},
                                                 {0x7f, 0x9f},
                                                 {0xad, 0xad},
                                                 {0x61c, 0x61c},
                                                 {0x180e, 0x180e},
                                                 {0x200b, 0x200f},
                                                 {0x2028, 0x202e},
                                                 {0x2060, 0x206f},
                                                 {0xfdd0, 0xfdef},
                                                 {0xfeff, 0xfeff},
                                                 {0xfff0, 0xfffb},
                                                 {0xe0000, 0xe0fff}}};
  const bool is_hidden = std::ranges::any_of(
      hidden, [code](const Range& range) { return range.first <= code && code <= range.last; });
  return !is_hidden && (code & 0xfffe) != 0xfffe;
}

}  // namespace

std::string significant_text(double value, int digits) {
  const double magnitude = std::fabs(value);
  if (!std::isfinite(value) || value == 0) {
    return fmt::format("{}", value);
  }
  if (magnitude < 1e-4 || magnitude >= 1e9) {
    return fmt::format("{:.{}e}", value, digits - 1);
  }
  const int leading = static_cast<int>(std::floor(std::log10(magnitude)));
  return fmt::format("{:.{}f}", value, std::max(0, digits - 1 - leading));
}

std::string bound_text(double value, int digits) {
  if (!std::isfinite(value) || value <= 0) {
    return significant_text(value, digits);
  }
  // A unit of the last digit; the slack keeps decimals that are exact up to their own rounding.
  const double unit = std::pow(10, std::floor(std::log10(value)) - digits + 1);
  return significant_text(std::ceil(value / unit * (1 - 1e-12)) * unit, digits);
}

std::string percent_text(double share) {
  if (share > 0.999 && share < 1) {
    return "more than 99.9 %";
  }
  return significant_text(100 * share, share >= 0.1 ? 3 : 2) + " %";
}

std::string share_text(std::uint64_t part, std::uint64_t whole) {
  return percent_text(static_cast<double>(part) / static_cast<double>(whole));
}

std::string times_text(double budget_ratio) {
  return budget_ratio <= 1e6 ? significant_text(budget_ratio, 3) : "over 1e6";
}

std::string usage_text(double budget_ratio) {
  if (!std::isfinite(budget_ratio)) {
    return "breaks every budget";
  }
  return budget_ratio <= 1 ? fmt::format("uses {} of its budget", percent_text(budget_ratio))
                           : fmt::format("is off by {} times its budget", times_text(budget_ratio));
}

std::string narrow_arithmetic_text(std::string_view contract, double budget_ratio) {
  return fmt::format(
      "the arithmetic, or the rounding of its results, is coarser than the contract {} promises, and {}",
      contract, usage_text(budget_ratio));
}

std::string one_line(std::string_view text) {
  using Utf8 = boost::locale::utf::utf_traits<char>;
  std::string result;
  const auto* const end = text.data() + text.size();
  for (const auto* at = text.data(); at != end;) {
    const auto* next = at;
    const auto code = Utf8::decode(next, end);
    const bool is_character = code != boost::locale::utf::illegal && code != boost::locale::utf::incomplete;
    next = is_character ? next : at + 1;
    result += is_character && is_shown(code) ? std::string(at, next) : "?";
    at = next;
  }
  return result;
}

double CountedShare::bound(int side) const {
  constexpr double z = 1.959963984540054;  // the normal distribution has 2.5 % beyond it
  const auto n = static_cast<double>(all);
  const double spread = z * std::sqrt(share() * (1 - share()) / n + z * z / (4 * n * n));
  return std::clamp((share() + z * z / (2 * n) + side * spread) / (1 + z * z / n), 0.0, 1.0);
}

std::string interval_text(const CountedShare& share) {
  return fmt::format("{:.1f} to {:.1f} %", 100 * share.least(), 100 * share.greatest());
}

}  // namespace vernier
