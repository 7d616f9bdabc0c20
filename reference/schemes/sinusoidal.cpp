#include "reference/schemes/sinusoidal.hpp"

#include <array>

#include <fmt/core.h>

#include "reference/input_error.hpp"
#include "reference/schemes/axial/sinusoid_axes.hpp"
#include "reference/schemes/frequency_bounds.hpp"
#include "reference/schemes/parameters.hpp"
#include "reference/schemes/schemes.hpp"

namespace vernier {
namespace {

using FrequencyRule = SinusoidalSpec::FrequencyRule;
using OddWidth = SinusoidalSpec::OddWidth;

constexpr std::array<std::string_view, 2> layout_names{"interleaved", "halves"};
constexpr std::array<std::string_view, 2> order_names{"sin_cos", "cos_sin"};
constexpr std::array<std::string_view, 4> frequency_names{"paper", "tensor2tensor", "geometric", "linear"};
constexpr std::array<std::string_view, 2> odd_width_names{"lone", "zero"};

constexpr std::string_view shift_key = "downscale_freq_shift";

/// \throws InputError unless the shift leaves something to divide by
void read_shift(ObjectReader& reader, std::string_view width_key, SinusoidalSpec& spec) {
  const auto shift = reader.optional_constant(
      shift_key,
      [](const Constant& value) { return value.power_of_pi == 0 && abs(value.factor) <= largest_dimension; },
      fmt::format("a number less than half of {}, such as 0 or 1", width_key));
  if (!shift) {
    return;
  }
  spec.downscale_freq_shift = shift->factor;
  if (spec.frequency != FrequencyRule::paper) {
    reader.refuse(shift_key, "none, as \"frequency\" already says how the exponent is divided");
  }
  const auto pairs = spec.d_model / 2;
  if (shift->factor == pairs) {
    throw InputError("{}: downscale_freq_shift {} with {} pairs divides by zero, expected a smaller one",
                     reader.source(), to_string(shift->factor), pairs);
  }
  if (shift->factor > pairs) {
    reader.refuse(shift_key, fmt::format("a number less than {}, the number of pairs", pairs));
  }
}

bool has_bounds(FrequencyRule rule) {
  return rule == FrequencyRule::geometric || rule == FrequencyRule::linear;
}

/// \throws InputError for an odd width that the rule of frequencies does not define
void check_width(const ObjectReader& reader, std::string_view width_key, const SinusoidalSpec& spec) {
  if (spec.odd_width == OddWidth::zero && spec.d_model < 2) {
    reader.refuse(width_key, "at least 2, as the last column of an odd width is to be zero");
  }
  if (spec.downscale_freq_shift && spec.odd_width == OddWidth::lone) {
    reader.refuse("odd_width", "\"zero\", as downscale_freq_shift leaves the last column of an odd width so");
  }
  if (spec.frequency == FrequencyRule::tensor2tensor) {
    if (spec.odd_width == OddWidth::lone) {
      reader.refuse("odd_width", "\"zero\", as tensor2tensor leaves the last column of an odd width so");
    }
    if (spec.d_model < 4) {
      reader.refuse(width_key, fmt::format("at least 4, as the tensor2tensor frequencies divide by {}/2 - 1",
                                           width_key));
    }
    if (spec.d_model % 2 != 0 && spec.layout != SinusoidalSpec::Layout::halves) {
      reader.refuse(width_key,
                    "an even number: tensor2tensor defines odd ones for the \"halves\" layout only");
    }
  }
}

void read_frequencies(ObjectReader& reader, std::string_view width_key, SinusoidalSpec& spec) {
  spec.frequency = static_cast<FrequencyRule>(reader.choice(
      "frequency", {frequency_names[0], frequency_names[1], frequency_names[2], frequency_names[3]},
      static_cast<std::size_t>(spec.frequency)));
  if (has_bounds(spec.frequency) && reader.has("base")) {
    reader.refuse("base", "none, as frequencies lie between \"first\" and \"last\"");
  }
  read_shift(reader, width_key, spec);
}

std::unique_ptr<Encoding> parse_sinusoidal(ObjectReader& reader) {
  if (reader.has("axes")) {
    return parse_sinusoid_axes(reader);
  }
  auto spec = SinusoidalSpec::read(reader, "d_model", {});
  spec.first_position =
      reader.optional_integer("first_position", -largest_position, largest_position).value_or(0);
  spec.padding_idx = reader.optional_integer("padding_idx", -largest_position, largest_position);
  spec.scale = read_positive(reader, "scale").value_or(spec.scale);
  spec.positions = RealPositions::read(reader);
  return std::make_unique<SinusoidalEncoding>(spec);
}

}  // namespace

SinusoidalSpec SinusoidalSpec::read(ObjectReader& reader, std::string_view width_key,
                                    const SinusoidalSpec& fallback) {
  auto spec = fallback;
  spec.d_model = reader.integer(width_key, 1, largest_dimension);
  spec.read_style(reader);
  read_frequencies(reader, width_key, spec);
  spec.odd_width = static_cast<OddWidth>(
      reader.choice("odd_width", {odd_width_names[0], odd_width_names[1]}, spec.pads_odd_widths() ? 1 : 0));
  check_width(reader, width_key, spec);
  if (has_bounds(spec.frequency)) {
    spec.bounds =
        read_bounds(reader,
                    spec.frequency == FrequencyRule::linear ? BoundedFrequencies::Spacing::linear
                                                            : BoundedFrequencies::Spacing::geometric,
                    spec.pairs());
  } else {
    refuse_bounds(reader);
  }
  return spec;
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

void SinusoidalSpec::read_style(ObjectReader& reader) {
  base = read_base(reader, "base").value_or(base);
  layout = static_cast<SinusoidalSpec::Layout>(
      reader.choice("layout", {layout_names[0], layout_names[1]}, static_cast<std::size_t>(layout)));
  order = static_cast<SinusoidalSpec::Order>(
      reader.choice("order", {order_names[0], order_names[1]}, static_cast<std::size_t>(order)));
}

std::string SinusoidalSpec::summary() const {
  std::string text =
      fmt::format("{}, {}", bounds ? "frequencies " + summary_of(*bounds) : "base " + to_string(base),
                  layout_names[static_cast<std::size_t>(layout)]);
  if (order == SinusoidalSpec::Order::cos_sin) {
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

Frequencies::Family SinusoidalSpec::family() const {
  return bounds ? Frequencies::Family(*bounds) : Frequencies::Family(frequencies());
}

void SinusoidalSpec::write(OrderedJson& to, std::string_view width_key) const {
  to[width_key] = d_model;
  if (!bounds) {
    to["base"] = json_number(base);
  }
  to["layout"] = layout_names[static_cast<std::size_t>(layout)];
  to["order"] = order_names[static_cast<std::size_t>(order)];
  to["frequency"] = frequency_names[static_cast<std::size_t>(frequency)];
  if (bounds) {
    write_bounds(*bounds, to);
  }
  to["odd_width"] = odd_width_names[pads_odd_widths() ? 1 : 0];
}

void SinusoidalSpec::write_shift(OrderedJson& to) const {
  if (downscale_freq_shift) {
    to[shift_key] = exact_json_number(*downscale_freq_shift);
  }
}

std::vector<Column> SinusoidalSpec::columns() const {
  const auto d = static_cast<int>(d_model);
  const std::array components = order == SinusoidalSpec::Order::sin_cos
                                    ? std::array{Component::sine, Component::cosine}
                                    : std::array{Component::cosine, Component::sine};
  // The formula's column index c holds component c mod 2 of pair floor(c / 2); "halves" moves the odd ones to
  // the back.
  std::vector<Column> result;
  const int defined = pads_odd_widths() ? d / 2 * 2 : d;
  const auto add = [&](int c) { result.push_back({c / 2, components[static_cast<std::size_t>(c % 2)]}); };
  if (layout == SinusoidalSpec::Layout::interleaved) {
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

TrigTable SinusoidalEncoding::table() const {
  const auto& map = spec_.positions.map;
  const auto padding = spec_.padding_idx
                           ? as_integer(*spec_.padding_idx / map.unit() * map.stride() + map.shift())
                           : std::nullopt;
  const bool can_have_row = padding && *padding >= -largest_place && *padding <= largest_place;
  return {"encoding",      spec_.positions.of(spec_.family()),    spec_.scale,
          spec_.columns(), can_have_row ? padding : std::nullopt, map};
}

std::string SinusoidalEncoding::summary() const {
  std::string text = fmt::format("sinusoidal, d_model {}, {}", spec_.d_model, spec_.summary());
  if (spec_.scale != 1) {
    text += ", scaled by " + to_string(spec_.scale);
  }
  text += spec_.positions.summary();
  if (spec_.padding_idx) {
    text += fmt::format(", row of position {} zero", *spec_.padding_idx);
  }
  return text;
}

OrderedJson SinusoidalEncoding::spec() const {
  OrderedJson result{{"scheme", "sinusoidal"}};
  spec_.write(result, "d_model");
  result["first_position"] = spec_.first_position;
  result["padding_idx"] = spec_.padding_idx ? OrderedJson(*spec_.padding_idx) : OrderedJson(nullptr);
  result["scale"] = json_number(spec_.scale);
  spec_.write_shift(result);
  spec_.positions.write(result);
  return result;
}

Scheme sinusoidal_scheme() {
  return {
      "sinusoidal",
      "sines and cosines of the position, or of several along axes that the spec lists, added to the "
      "embedding (Vaswani et al. 2017)",
      parse_sinusoidal,
      {R"({"scheme":"sinusoidal","d_model":8})",
       R"({"scheme":"sinusoidal","d_model":33,"layout":"halves","frequency":"tensor2tensor","scale":3})",
       R"({"scheme":"sinusoidal","d_model":16,"layout":"halves","order":"cos_sin","downscale_freq_shift":1,"position_scale":"1000/7"})",
       R"({"scheme":"sinusoidal","d_model":12,"frequency":"geometric","first":"pi/2","last":"64pi"})",
       R"({"scheme":"sinusoidal","layout":"halves","axes":[{"dims":12},{"dims":8,"position_scale":"1/7","position_offset":"1/14"}],"block_order":[1,0],"grid":[6],"zero_prefix":1})"}};
}

}  // namespace vernier
