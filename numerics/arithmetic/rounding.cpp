#include "numerics/arithmetic/rounding.hpp"

#include <algorithm>
#include <array>
#include <optional>

#include "numerics/program/narrowing.hpp"
#include "reference/numbers/double_double.hpp"

namespace vernier {
namespace {

double cut_to(Format format, double value) {
  return Narrowing{{}, format, traits(format).precision, true}(value);
}

/// Ties away from zero.
double half_up_to(Format format, double value) {
  if (!std::isfinite(value)) {
    return value;
  }
  const double inner = cut_to(format, value);
  const double outer = value > 0 ? next_up(format, inner) : next_down(format, inner);
  return inner == value || std::fabs(value) - std::fabs(inner) < std::fabs(outer) - std::fabs(value) ? inner
                                                                                                     : outer;
}

double flushed_to(Format format, double value) {
  const double nearest = round_to(format, value);
  return std::fabs(nearest) < traits(format).smallest_normal() ? std::copysign(0.0, nearest) : nearest;
}

/// a + b rounded to odd: the last bit of an inexact sum is 1, so that rounding it again, to a format of at
/// most 51 bits, is rounding once (Boldo and Melquiond 2008).
double odd_sum(double a, double b) {
  const auto [sum, error] = two_sum(a, b);
  if (error == 0 || !std::isfinite(sum) || (std::bit_cast<std::uint64_t>(sum) & 1) != 0) {
    return sum;
  }
  return (error > 0) == (sum > 0) ? std::bit_cast<double>(std::bit_cast<std::uint64_t>(sum) + 1)
                                  : std::bit_cast<double>(std::bit_cast<std::uint64_t>(sum) - 1);
}

}  // namespace

double fused_in(Format format, double a, double b, double c) {
  return format == Format::binary64 ? std::fma(a, b, c) : round_to(format, odd_sum(a * b, c));
}

double stored_as(StoreMode mode, Format format, double value) {
  /// What the number is rounded to on its way, and how it is stored then.
  struct Row {
    std::optional<Format> first;
    double (*stored)(Format format, double value);
  };
  static constexpr std::array<Row, 9> rows{{{std::nullopt, round_to},
                                            {std::nullopt, cut_to},
                                            {std::nullopt, half_up_to},
                                            {Format::binary32, round_to},
                                            {Format::binary32, cut_to},
                                            {Format::binary32, half_up_to},
                                            {Format::bfloat16, round_to},
                                            {Format::binary16, round_to},
                                            {std::nullopt, flushed_to}}};
  const auto& [first, stored] = rows[static_cast<std::size_t>(mode)];
  return stored(format, first ? round_to(*first, value) : value);
}

double to_tf32(double value) {
  static const auto& tf32 = *std::ranges::find(narrowings(), "TF32", &Narrowing::name);
  return tf32(value);
}

}  // namespace vernier
