#include "reference/schemes/sinusoidal.hpp"

#include <array>

#include <fmt/core.h>

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

std::unique_ptr<Encoding> parse_sinusoidal(ObjectReader& reader) {
  SinusoidalSpec spec;
  spec.d_model = reader.integer("d_model", 1, largest_dimension);
  spec.base = read_base(reader, "base").value_or(spec.base);
  spec.layout = static_cast<Layout>(reader.choice("layout", {layout_names[0], layout_names[1]}, 0));
  spec.order = static_cast<Order>(reader.choice("order", {order_names[0], order_names[1]}, 0));
  spec.frequency =
      static_cast<FrequencyRule>(reader.choice("frequency", {frequency_names[0], frequency_names[1]}, 0));
  const bool tensor2tensor = spec.frequency == FrequencyRule::tensor2tensor;
  spec.odd_width = static_cast<OddWidth>(
      reader.choice("odd_width", {odd_width_names[0], odd_width_names[1]}, tensor2tensor ? 1 : 0));
  spec.first_position =
      reader.optional_integer("first_position", -largest_position, largest_position).value_or(0);
  spec.padding_idx = reader.optional_integer("padding_idx", -largest_position, largest_position);
  spec.scale = read_positive(reader, "scale").value_or(spec.scale);
  if (spec.odd_width == OddWidth::zero && spec.d_model < 2) {
    reader.refuse("d_model", "at least 2, as the last column of an odd width is to be zero");
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
  return {"encoding", spec_.frequencies(), spec_.scale, spec_.columns(), spec_.padding_idx};
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
  if (spec_.odd_width == OddWidth::zero && spec_.frequency == FrequencyRule::paper &&
      spec_.d_model % 2 != 0) {
    text += ", last column zero";
  }
  if (spec_.scale != 1) {
    text += ", scaled by " + to_string(spec_.scale);
  }
  if (spec_.padding_idx) {
    text += fmt::format(", row of position {} zero", *spec_.padding_idx);
  }
  return text;
}

OrderedJson SinusoidalEncoding::spec() const {
  return {{"scheme", "sinusoidal"},
          {"d_model", spec_.d_model},
          {"base", json_number(spec_.base)},
          {"layout", layout_names[static_cast<std::size_t>(spec_.layout)]},
          {"order", order_names[static_cast<std::size_t>(spec_.order)]},
          {"frequency", frequency_names[static_cast<std::size_t>(spec_.frequency)]},
          {"odd_width", odd_width_names[spec_.pads_odd_widths() ? 1 : 0]},
          {"first_position", spec_.first_position},
          {"padding_idx", spec_.padding_idx ? OrderedJson(*spec_.padding_idx) : OrderedJson(nullptr)},
          {"scale", json_number(spec_.scale)}};
}

Scheme sinusoidal_scheme() {
  return {
      "sinusoidal",
      "sines and cosines of the position, added to the embedding (Vaswani et al. 2017)",
      parse_sinusoidal,
      {R"({"scheme":"sinusoidal","d_model":8})",
       R"({"scheme":"sinusoidal","d_model":33,"layout":"halves","frequency":"tensor2tensor","scale":3})"}};
}

}  // namespace vernier
