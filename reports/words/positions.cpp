#include "reports/words/positions.hpp"

#include <optional>
#include <ranges>
#include <vector>

#include "reference/numbers/parsed_number.hpp"
#include "reference/support/input_error.hpp"
#include "reference/support/mapped.hpp"
#include "reports/words/value_text.hpp"

namespace vernier {
namespace {

constexpr std::int64_t greatest_exponent = 62;

std::optional<std::int64_t> parsed_position(std::string_view text) {
  const bool negative = text.starts_with("-2^");
  if (!negative && !text.starts_with("2^")) {
    return parsed_number<std::int64_t>(text);
  }
  const auto exponent = parsed_number<int>(text.substr(negative ? 3 : 2));
  if (!exponent || *exponent < 0 || *exponent > greatest_exponent) {
    return std::nullopt;
  }
  const auto power = std::int64_t{1} << *exponent;
  return negative ? -power : power;
}

std::vector<std::optional<std::int64_t>> numbers(std::string_view text) {
  return mapped(std::views::split(text, ':'), [](const auto& part) {
    return parsed_position({part.begin(), part.end()});
  });
}

bool in_range(std::int64_t position) {
  return position >= -largest_position && position <= largest_position;
}

[[noreturn]] void refuse_positions(std::string_view text, std::string_view option,
                                   std::string_view expected) {
  throw InputError("{}: found \"{}\", expected {}", option, one_line(text), expected);
}

}  // namespace

std::int64_t parse_position(std::string_view text, std::string_view option) {
  const auto position = parsed_position(text);
  if (!position || !in_range(*position)) {
    refuse_positions(text, option, "a position from -2^31 to 2^31, such as 4095 or 2^20");
  }
  return *position;
}

PositionRange parse_positions(std::string_view text, std::string_view option) {
  const auto parts = numbers(text);
  if (parts.size() < 2 || parts.size() > 3 || !parts[0] || !parts[1] || !parts.back()) {
    refuse_positions(text, option, "A:B or A:B:STEP, such as 0:4096 or 0:2^24:1000");
  }
  const auto first = *parts[0];
  const auto end = *parts[1];
  const auto step = parts.size() == 3 ? *parts[2] : 1;
  if (step == 0 || !in_range(first) || end < -largest_position - 1 || end > largest_position + 1 ||
      step > 2 * largest_position || step < -2 * largest_position) {
    refuse_positions(text, option, "positions from -2^31 to 2^31 and a step that is not 0");
  }
  const auto span = step > 0 ? end - first : first - end;
  const auto stride = step > 0 ? step : -step;
  const PositionRange range{first, step, (span + stride - 1) / stride};
  if (span <= 0) {
    refuse_positions(text, option, "at least one position (B is not included)");
  }
  return range;
}

}  // namespace vernier
