#include "reference/schemes/sinusoidal.hpp"

#include <array>

#include <fmt/core.h>

#include "reference/keys/parameters.hpp"
#include "reference/schemes/axial/sinusoid_axes.hpp"
#include "reference/schemes/encoding_of.hpp"
#include "reference/schemes/schemes.hpp"
#include "reference/schemes/sinusoid_keys.hpp"

namespace vernier {
namespace {

constexpr std::array<std::string_view, 2> sinusoid_layout_names{"interleaved", "halves"};
constexpr std::array<std::string_view, 2> sinusoid_order_names{"sin_cos", "cos_sin"};
constexpr std::array<std::string_view, 4> frequency_names{"paper", "tensor2tensor", "geometric", "linear"};
constexpr std::array<std::string_view, 2> odd_width_names{"lone", "zero"};

constexpr std::string_view shift_key = "downscale_freq_shift";

}  // namespace

void SinusoidalSpec::keys(KeyVisitor& visit) {
  const auto positions_from_to = integer(-largest_position, largest_position);
  visit_sinusoid(visit, "d_model");
  require_divisor(visit);
  visit.defaulted("first_position", first_position, positions_from_to);
  visit.defaulted("padding_idx", padding_idx, positions_from_to);
  visit.defaulted("scale", scale, number(positive_range()));
  positions.keys(visit);
}

void SinusoidalSpec::visit_style(KeyVisitor& visit, bool is_common, std::string_view no_layout) {
  const auto visit_one = [&](std::string_view key, auto& member, const KeyDomain& domain) {
    if (is_common) {
      visit.optional(key, member, domain, member);
    } else {
      visit.defaulted(key, member, domain);
    }
  };
  if (visit.fills() || !bounds) {
    visit_one("base", base, number(base_range()));
  }
  if (no_layout.empty()) {
    visit_one("layout", layout, one_of(sinusoid_layout_names));
  } else {
    visit.forbidden("layout", no_layout);
  }
  visit_one("order", order, one_of(sinusoid_order_names));
}

void SinusoidalSpec::visit_sinusoid(KeyVisitor& visit, std::string_view width_key,
                                    std::string_view no_layout) {
  using Spacing = BoundedFrequencies::Spacing;
  visit.required(width_key, d_model, integer(1, largest_dimension));
  visit_style(visit, false, no_layout);
  visit.defaulted("frequency", frequency, one_of(frequency_names));
  const bool is_linear = frequency == FrequencyRule::linear;
  const bool is_bounded = is_linear || frequency == FrequencyRule::geometric;
  visit.require(!is_bounded || !visit.has("base"), "base",
                "none, as frequencies lie between \"first\" and \"last\"");
  visit_shift(visit, width_key);
  auto ends_in = pads_odd_widths() ? OddWidth::zero : OddWidth::lone;
  visit.defaulted("odd_width", ends_in, one_of(odd_width_names));
  visit.fallback(odd_width, ends_in);
  require_width(visit, width_key);
  visit_bounds(visit, bounds,
               is_bounded ? std::optional(is_linear ? Spacing::linear : Spacing::geometric) : std::nullopt,
               pairs());
}

void SinusoidalSpec::visit_shift(KeyVisitor& visit, std::string_view width_key) {
  const NumberRange shifts{-largest_dimension, largest_dimension,
                           fmt::format("a number less than half of {}, such as 0 or 1", width_key)};
  visit.optional(shift_key, downscale_freq_shift, quotient(shifts));
  if (downscale_freq_shift) {
    visit.require(frequency == FrequencyRule::paper, shift_key,
                  "none, as \"frequency\" already says how the exponent is divided");
    visit.require(*downscale_freq_shift <= d_model / 2, shift_key,
                  fmt::format("a number less than {}, the number of pairs", d_model / 2));
  }
}

void SinusoidalSpec::require_divisor(KeyVisitor& visit) const {
  const auto pairs = d_model / 2;
  visit.require_all(
      !downscale_freq_shift || *downscale_freq_shift != pairs,
      fmt::format("downscale_freq_shift {} with {} pairs divides by zero, expected a smaller one",
                  to_string(downscale_freq_shift.value_or(0)), pairs));
}

/// Refuses an odd width that the rule of frequencies does not define.
void SinusoidalSpec::require_width(KeyVisitor& visit, std::string_view width_key) const {
  const bool is_lone = odd_width == OddWidth::lone;
  visit.require(is_lone || d_model >= 2, width_key,
                "at least 2, as the last column of an odd width is to be zero");
  visit.require(!downscale_freq_shift || !is_lone, "odd_width",
                "\"zero\", as downscale_freq_shift leaves the last column of an odd width so");
  if (frequency == FrequencyRule::tensor2tensor) {
    visit.require(!is_lone, "odd_width",
                  "\"zero\", as tensor2tensor leaves the last column of an odd width so");
    visit.require(d_model >= 4, width_key,
                  fmt::format("at least 4, as the tensor2tensor frequencies divide by {}/2 - 1", width_key));
    visit.require(d_model % 2 == 0 || layout == Layout::halves, width_key,
                  "an even number: tensor2tensor defines odd ones for the \"halves\" layout only");
  }
}

GeometricFrequencies SinusoidalSpec::frequencies() const {
  const auto d = static_cast<int>(d_model);
  if (frequency == FrequencyRule::tensor2tensor) {
    return {base, Rational(1, d / 2 - 1), d / 2};
  }
  if (downscale_freq_shift) {
    return {base, Rational(1 / (d / 2 - *downscale_freq_shift)), d / 2};
  }
  return {base, Rational(2, d), pairs()};
}

std::string SinusoidalSpec::summary_of_sinusoid() const {
  std::string text =
      fmt::format("{}, {}", bounds ? "frequencies " + summary_of(*bounds) : "base " + to_string(base),
                  sinusoid_layout_names[static_cast<std::size_t>(layout)]);
  if (order == Order::cos_sin) {
    text += ", cosine first";
  }
  if (frequency == FrequencyRule::tensor2tensor) {
    text += ", tensor2tensor frequencies";
  }
  if (downscale_freq_shift) {
    text += ", exponents over half of d_model less " + to_string(*downscale_freq_shift);
  }
  if (odd_width == OddWidth::zero && frequency != FrequencyRule::tensor2tensor && d_model % 2 != 0) {
    text += ", last column zero";
  }
  return text;
}

std::vector<Column> SinusoidalSpec::columns() const {
  const auto d = static_cast<int>(d_model);
  const std::array components = order == Order::sin_cos ? std::array{Component::sine, Component::cosine}
                                                        : std::array{Component::cosine, Component::sine};
  // The formula's column index c holds component c mod 2 of pair floor(c / 2); "halves" moves the odd ones to
  // the back.
  std::vector<Column> result;
  const int defined = pads_odd_widths() ? d / 2 * 2 : d;
  const auto add = [&](int c) { result.push_back({c / 2, components[static_cast<std::size_t>(c % 2)]}); };
  if (layout == Layout::interleaved) {
    for (int c = 0; c < defined; ++c) {
      add(c);
    }
  } else {
    for (const int first : {0, 1}) {
      for (int c = first; c < defined; c += 2) {
        add(c);
      }
    }
  }
  result.resize(static_cast<std::size_t>(d));
  return result;
}

TrigTable SinusoidalSpec::table() const {
  const auto& map = positions.map;
  const auto padding =
      padding_idx ? as_integer(*padding_idx / map.unit() * map.stride() + map.shift()) : std::nullopt;
  const bool can_have_row = padding && *padding >= -largest_place && *padding <= largest_place;
  return {"encoding", positions.of(family()), scale, columns(), can_have_row ? padding : std::nullopt, map};
}

std::string SinusoidalSpec::summary() const {
  std::string text = fmt::format("sinusoidal, d_model {}, {}", d_model, summary_of_sinusoid());
  if (scale != 1) {
    text += ", scaled by " + to_string(scale);
  }
  text += positions.summary();
  if (padding_idx) {
    text += fmt::format(", row of position {} zero", *padding_idx);
  }
  return text;
}

std::vector<Scheme> sinusoidal_schemes() {
  return {scheme_of<SinusoidalSpec>({form_of<SinusoidAxesSpec>("axes"), form_of<SinusoidalSpec>()})};
}

}  // namespace vernier
