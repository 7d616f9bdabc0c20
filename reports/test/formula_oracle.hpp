#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numbers>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "reference/json/json.hpp"

namespace vernier {

/// What elements are by a formula of the scheme that is written here in long doubles and shares no code with
/// it: of plain RoPE, sinusoids along one axis or several, ALiBi and indices. Nothing of others.
class FormulaOracle {
 public:
  struct Expected {
    long double value = 0;
    /// Beyond roundings of the value: keys that are no doubles, and phases, are off by some roundings.
    double error = 0;
  };

  /// \param spec as Encoding::spec() has it
  explicit FormulaOracle(OrderedJson spec)
      : spec_(std::move(spec)), scheme_(spec_.at("scheme").get<std::string>()) {}

  /// \param row, column of the tensor of this width \param position of the row, of a bias that of the key
  std::optional<Expected> operator()(std::string_view role, std::size_t columns, std::size_t row,
                                     std::size_t column, std::int64_t position) const {
    if (scheme_ == "integer_index") {
      return Expected{static_cast<long double>(position + spec_.at("first_index").get<int>())};
    }
    if (scheme_ == "one_hot") {
      return Expected{static_cast<std::int64_t>(column) == position ? 1.0L : 0.0L};
    }
    if (scheme_ == "binary") {
      return bit(column, position);
    }
    if (scheme_ == "alibi" && role == "slopes") {
      return slope(row);
    }
    if (scheme_ == "sinusoidal" && spec_.contains("axes")) {
      return sinusoid_of_axes(column, position);
    }
    if (scheme_ == "sinusoidal" && turns_plainly(spec_) && spec_.at("padding_idx").is_null()) {
      return sinusoid(spec_, spec_.at("d_model").get<int>(), column, {static_cast<long double>(position), 0});
    }
    if (scheme_ == "rope" && !spec_.contains("axes") && !spec_.contains("rope_scaling") && !moves(spec_) &&
        (role == "cos" || role == "sin")) {
      return rotation(role == "sin", columns, column, static_cast<long double>(position));
    }
    return std::nullopt;
  }

 private:
  struct Place {
    long double scaled = 0;
    long double offset = 0;
  };

  static long double number(const OrderedJson& value) {
    if (!value.is_string()) {
      return value.get<double>();
    }
    const auto text = value.get<std::string>();
    const auto bar = text.find('/');
    const auto pi = text.find("pi");
    const auto factor = text.substr(0, std::min(bar, pi));
    return (factor.empty()  ? 1
            : factor == "-" ? -1
                            : std::stold(factor)) *
           (pi == std::string::npos ? 1 : std::numbers::pi_v<long double>) /
           (bar == std::string::npos ? 1 : std::stold(text.substr(bar + 1)));
  }

  static long double number(const OrderedJson& in, const char* key, int usual) {
    return in.contains(key) ? number(in.at(key)) : usual;
  }

  static bool moves(const OrderedJson& spec) {
    return spec.contains("position_scale") || spec.contains("position_offset") ||
           spec.contains("position_unit") || spec.contains("frequency_scale");
  }

  /// Whether a sinusoid is that of the paper, its columns interleaved.
  static bool is_of_the_paper(const OrderedJson& style) {
    return style.at("frequency") == "paper" && style.at("odd_width") == "lone" &&
           style.at("layout") == "interleaved" && !style.contains("downscale_freq_shift") &&
           !style.contains("frequency_scale");
  }

  static bool turns_plainly(const OrderedJson& spec) { return is_of_the_paper(spec) && !moves(spec); }

  /// The base, the scale of positions and the offset are read as doubles, each off by a rounding, 2^-53; the
  /// phase moves by that, as exponents are below 1. What long doubles do is less. Where the phase is off by
  /// more than 2^-30, nothing.
  static std::optional<Expected> wave(const Place& at, long double base, long double exponent, bool is_sine) {
    const auto frequency = std::pow(base, -exponent);
    const auto phase = (at.scaled + at.offset) * frequency;
    const auto off =
        static_cast<double>((std::fabs(at.scaled) + std::fabs(at.offset)) * frequency * 0x1p-51L);
    return off > 0x1p-30 ? std::nullopt
                         : std::optional(Expected{is_sine ? std::sin(phase) : std::cos(phase), off});
  }

  std::optional<Expected> rotation(bool is_sine, std::size_t columns, std::size_t column,
                                   long double position) const {
    const auto rotating = static_cast<std::size_t>(
        spec_.contains("rotary_dim") ? spec_.at("rotary_dim").get<double>()
                                     : std::floor(spec_.at("head_dim").get<double>() *
                                                      spec_.at("partial_rotary_factor").get<double>() +
                                                  1e-9));
    const auto pair = columns == rotating / 2        ? column
                      : spec_.at("layout") == "half" ? column % (rotating / 2)
                                                     : column / 2;
    return wave({position, 0}, spec_.at("rope_theta").get<double>(), 2.0L * pair / rotating, is_sine);
  }

  /// \param style of the axis \param width of its columns
  std::optional<Expected> sinusoid(const OrderedJson& style, int width, std::size_t column,
                                   const Place& at) const {
    const bool is_first = column % 2 == 0;
    auto result = wave(at, style.at("base").get<double>(), static_cast<long double>(column / 2 * 2) / width,
                       is_first == (style.at("order") == "sin_cos"));
    if (result) {
      const auto scale = number(spec_.at("scale"));
      result->value *= scale;
      result->error *= static_cast<double>(scale);
    }
    return result;
  }

  /// Of axes side by side: the row of zeros, or the sinusoid of the axis that has the column.
  std::optional<Expected> sinusoid_of_axes(std::size_t column, std::int64_t position) const {
    if (spec_.at("axes_layout") != "per_axis" || spec_.contains("position_unit")) {
      return std::nullopt;
    }
    if (position < 0) {
      const auto zeros = spec_.at("zero_prefix").get<std::int64_t>();
      return position >= -zeros ? std::optional(Expected{}) : std::nullopt;
    }
    for (const auto& block : spec_.at("block_order")) {
      const auto index = block.get<std::size_t>();
      const auto& axis = spec_.at("axes").at(index);
      const auto dims = axis.at("dims").get<std::size_t>();
      if (column < dims) {
        const Place at{static_cast<long double>(along(index, position)) * number(axis, "position_scale", 1),
                       number(axis, "position_offset", 0)};
        return is_of_the_paper(axis) ? sinusoid(axis, static_cast<int>(dims), column, at) : std::nullopt;
      }
      column -= dims;
    }
    return std::nullopt;
  }

  /// The position along an axis: the digits of a token's number, by the lengths of all axes but the first.
  std::int64_t along(std::size_t axis, std::int64_t position) const {
    if (!spec_.contains("grid")) {
      return position;
    }
    const auto& lengths = spec_.at("grid");
    for (auto later = lengths.size(); later > axis; --later) {
      position /= lengths.at(later - 1).get<std::int64_t>();
    }
    return axis == 0 ? position : position % lengths.at(axis - 1).get<std::int64_t>();
  }

  Expected bit(std::size_t column, std::int64_t position) const {
    const auto bits = spec_.at("bits").get<std::size_t>();
    const auto at = spec_.at("bit_order") == "most_significant_first" ? bits - 1 - column : column;
    return {at < 40 && (position >> at) % 2 != 0 ? 1.0L : 0.0L};
  }

  Expected slope(std::size_t head) const {
    const auto heads = spec_.at("num_heads").get<std::size_t>();
    const auto most = static_cast<long double>(spec_.at("max_bias").get<double>());
    std::size_t whole = 1;
    while (2 * whole <= heads) {
      whole *= 2;
    }
    const auto exponent =
        head < whole ? most * (head + 1) / whole : most * (2 * (head - whole) + 1) / (2 * whole);
    const auto value = std::exp2(-exponent);
    return {value, static_cast<double>(value * exponent * 0x1p-53L)};  // of max_bias, as a double
  }

  OrderedJson spec_;
  std::string scheme_;
};

}  // namespace vernier
