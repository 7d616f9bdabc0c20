#include "reports/words/value_text.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/core.h>

namespace vernier {
namespace {

/// A character of a text in UTF-8.
struct Character {
  char32_t code;
  std::size_t bytes;
};

constexpr char32_t no_character = 0xffffffff;

/// The first character of a text that is not empty; `no_character` of one byte where it is not UTF-8 (RFC
/// 3629).
Character first_character(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned lead = byte(0);
  if (lead < 0x80) {
    return {lead, 1};
  }
  const std::size_t bytes = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
  constexpr std::array<char32_t, 5> least{0, 0, 0x80, 0x800, 0x10000};
  if (lead < 0xc0 || lead > 0xf4 || text.size() < bytes) {
    return {no_character, 1};
  }
  char32_t code = lead & (0xffU >> (bytes + 1));
  for (std::size_t i = 1; i < bytes; ++i) {
    if ((byte(i) & 0xc0U) != 0x80) {
      return {no_character, 1};
    }
    code = code << 6 | (byte(i) & 0x3fU);
  }
  const bool surrogate = code >= 0xd800 && code <= 0xdfff;
  return code < least[bytes] || code > 0x10ffff || surrogate ? Character{no_character, 1}
                                                             : Character{code, bytes};
}

/// Whether a character shows itself and does nothing else.
bool is_shown(char32_t code) {
  struct Range {
    char32_t first;
    char32_t last;
  };
  // Unicode's controls (Cc), format characters (Cf) that act on other text, line separators, noncharacters.
  static constexpr std::array<Range, 13> hidden{{{0x00, 0x1f},
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
                                                 {0xe0000, 0xe0fff},
                                                 {no_character, no_character}}};
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
  std::string result;
  while (!text.empty()) {
    const auto character = first_character(text);
    result += is_shown(character.code) ? std::string(text.substr(0, character.bytes)) : "?";
    text.remove_prefix(character.bytes);
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
