#include "reference/schemes/sinusoidal.hpp"

#include <array>

#include <fmt/core.h>

#include "reference/input_error.hpp"
#include "reference/schemes/parameters.hpp"
#include "reference/schemes/schemes.hpp"

namespace vernier {
namespace {

using Layout = SinusoidalSpec::Layout;
using Order = SinusoidalSpec::Order;
using FrequencyRule = SinusoidalSpec::FrequencyRule;
using OddWidth = SinusoidalSpec::OddWidth;

constexpr std::array<std::string_view, 2> layout_names{"interleaved", "halves"};
constexpr std::array<std::string_view, 2> order_names{"sin_cos", "cos_sin"};
constexpr std::array<std::string_view, 2> frequency_names{"paper", "tensor2tensor"};
constexpr std::array<std::string_view, 2> odd_width_names{"lone", "zero"};

constexpr std::string_view shift_key = "downscale_freq_shift";

/// \throws InputError unless the shift leaves something to divide by
void read_shift(ObjectReader& reader, SinusoidalSpec& spec) {
  const auto shift = reader.optional_constant(
      shift_key,
      [](const Constant& value) { return value.power_of_pi == 0 && abs(value.factor) <= largest_dimension; },
      "a number less than half of d_model, such as 0 or 1");
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

std::unique_ptr<Encoding> parse_sinusoidal(ObjectReader& reader) {
  SinusoidalSpec spec;
  spec.d_model = reader.integer("d_model", 1, largest_dimension);
  spec.base = read_base(reader, "base").value_or(spec.base);
  spec.layout = static_cast<Layout>(reader.choice("layout", {layout_names[0], layout_names[1]}, 0));
  spec.order = static_cast<Order>(reader.choice("order", {order_names[0], order_names[1]}, 0));
  spec.frequency =
      static_cast<FrequencyRule>(reader.choice("frequency", {frequency_names[0], frequency_names[1]}, 0));
  read_shift(reader, spec);
  const bool tensor2tensor = spec.frequency == FrequencyRule::tensor2tensor;
  spec.odd_width = static_cast<OddWidth>(
      reader.choice("odd_width", {odd_width_names[0], odd_width_names[1]}, spec.pads_odd_widths() ? 1 : 0));
  spec.first_position =
      reader.optional_integer("first_position", -largest_position, largest_position).value_or(0);
  spec.padding_idx = reader.optional_integer("padding_idx", -largest_position, largest_position);
  spec.scale = read_positive(reader, "scale").value_or(spec.scale);
  spec.positions = RealPositions::read(reader);
  if (spec.odd_width == OddWidth::zero && spec.d_model < 2) {
    reader.refuse("d_model", "at least 2, as the last column of an odd width is to be zero");
  }
  if (spec.downscale_freq_shift && spec.odd_width == OddWidth::lone) {
    reader.refuse("odd_width", "\"zero\", as downscale_freq_shift leaves the last column of an odd width so");
  }
  if (tensor2tensor) {
    if (spec.odd_width == OddWidth::lone) {
      reader.refuse("odd_width", "\"zero\", as tensor2tensor leaves the last column of an odd width so");
    }
    if (spec.d_model < 4) {
      reader.refuse("d_model", "at least 4, as the tensor2tensor frequencies divide by d_model/2 - 1");
    }
    if (spec.d_model % 2 != 0 && spec.layout != Layout::halves) {
      reader.refuse("d_model",
                    "an even number: tensor2tensor defines odd ones for the \"halves\" layout only");
    }
  }
  return std::make_unique<SinusoidalEncoding>(spec);
}

}  // namespace

GeometricFrequencies SinusoidalSpec::frequencies() const {
  const auto d = static_cast<int>(d_model);
  if (frequency == FrequencyRule::tensor2tensor) {
    return {base, Rational(1, d / 2 - 1), d / 2};
  }
  if (downscale_freq_shift) {
    return {base, Rational(1 / (d / 2 - *downscale_freq_shift)), d / 2};
  }
  return {base, Rational(2, d), pads_odd_widths() ? d / 2 : (d + 1) / 2};
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

TrigTable SinusoidalEncoding::table() const {
  const auto& map = spec_.positions.map;
  return {"encoding",
          spec_.positions.of(spec_.frequencies()),
          spec_.scale,
          spec_.columns(),
          spec_.padding_idx ? std::optional(map.place(*spec_.padding_idx)) : std::nullopt,
          map};
}

std::string SinusoidalEncoding::summary() const {
  std::string text = fmt::format("sinusoidal, d_model {}, base {}, {}", spec_.d_model, to_string(spec_.base),
                                 layout_names[static_cast<std::size_t>(spec_.layout)]);
  if (spec_.order == Order::cos_sin) {
    text += ", cosine first";
  }
  if (spec_.frequency == FrequencyRule::tensor2tensor) {
    text += ", tensor2tensor frequencies";
  }
  if (spec_.downscale_freq_shift) {
    text += ", exponents over half of d_model less " + to_string(*spec_.downscale_freq_shift);
  }
  if (spec_.odd_width == OddWidth::zero && spec_.frequency == FrequencyRule::paper &&
      spec_.d_model % 2 != 0) {
    text += ", last column zero";
  }
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
  OrderedJson result{
      {"scheme", "sinusoidal"},
      {"d_model", spec_.d_model},
      {"base", json_number(spec_.base)},
      {"layout", layout_names[static_cast<std::size_t>(spec_.layout)]},
      {"order", order_names[static_cast<std::size_t>(spec_.order)]},
      {"frequency", frequency_names[static_cast<std::size_t>(spec_.frequency)]},
      {"odd_width", odd_width_names[spec_.pads_odd_widths() ? 1 : 0]},
      {"first_position", spec_.first_position},
      {"padding_idx", spec_.padding_idx ? OrderedJson(*spec_.padding_idx) : OrderedJson(nullptr)},
      {"scale", json_number(spec_.scale)}};
  if (spec_.downscale_freq_shift) {
    result[shift_key] = exact_json_number(*spec_.downscale_freq_shift);
  }
  spec_.positions.write(result);
  return result;
}

Scheme sinusoidal_scheme() {
  return {
      "sinusoidal",
      "sines and cosines of the position, added to the embedding (Vaswani et al. 2017)",
      parse_sinusoidal,
      {R"({"scheme":"sinusoidal","d_model":8})",
       R"({"scheme":"sinusoidal","d_model":33,"layout":"halves","frequency":"tensor2tensor","scale":3})",
       R"({"scheme":"sinusoidal","d_model":16,"layout":"halves","order":"cos_sin","downscale_freq_shift":1,"position_scale":"1000/7"})"}};
}

}  // namespace vernier
