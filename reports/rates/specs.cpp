#include "reports/rates/specs.hpp"

#include <algorithm>
#include <cmath>

namespace vernier::rates {
namespace {

/// The bases of real configurations, and others.
OrderedJson draw_base(Draw& draw) {
  if (draw.chance(0.6)) {
    return draw.one_of<std::int64_t>({10000, 10000, 10000, 500000, 1000000, 100000, 160000, 5000000});
  }
  return draw.spread_integer(100, 20000000);
}

/// A usual width, or as much of it as leaves an even one within the size.
std::int64_t draw_width(Draw& draw, const Size& size, std::initializer_list<std::int64_t> usual) {
  const auto most = std::max<std::int64_t>(8, size.elements / size.length);
  return std::min(draw.one_of(usual), most / 2 * 2);
}

void scale_rope(Draw& draw, OrderedJson& spec, std::int64_t length) {
  const auto pairs = spec["head_dim"].get<std::int64_t>() / 2;
  const auto factor = static_cast<double>(draw.between(2, 64)) / 2;
  const auto original = std::max<std::int64_t>(8, std::llround(static_cast<double>(length) / factor));
  OrderedJson scaling;
  const auto type = draw.one_of<const char*>(
      {"linear", "dynamic", "ntk", "yarn", "yarn", "longrope", "llama3", "llama3", "dynamic_qwen"});
  scaling["rope_type"] = type;
  const std::string name(type);
  if (name == "ntk") {
    scaling["alpha"] = factor;
    return void(spec["rope_scaling"] = scaling);
  }
  if (name == "linear") {
    scaling["factor"] = factor;
    return void(spec["rope_scaling"] = scaling);
  }
  scaling["original_max_position_embeddings"] = original;
  if (name == "llama3") {
    scaling["factor"] = factor;
    scaling["low_freq_factor"] = 1;
    scaling["high_freq_factor"] = draw.between(2, 8);
  } else if (name == "yarn") {
    scaling["factor"] = factor;
    if (draw.chance(0.3)) {
      scaling["truncate"] = false;
    }
    if (draw.chance(0.3)) {
      scaling["mscale"] = 1;
      scaling["mscale_all_dim"] = draw.one_of({0.707, 1.0, 0.5});
    }
  } else if (name == "longrope") {
    for (const auto* key : {"short_factor", "long_factor"}) {
      double divisor = 1;
      for (std::int64_t pair = 0; pair < pairs; ++pair) {
        divisor *= 1 + draw.share() * 0.1;
        scaling[key].push_back(std::round(divisor * 100) / 100);
      }
    }
    spec["sequence_length"] = draw.chance(0.7) ? length : std::max<std::int64_t>(1, original / 2);
  } else {
    if (name == "dynamic") {
      scaling["factor"] = factor;
    }
    spec["sequence_length"] = length;
  }
  spec["rope_scaling"] = scaling;
}

OrderedJson draw_rope(Draw& draw, const Size& size) {
  const auto length = size.length;
  OrderedJson spec{{"scheme", "rope"},
                   {"head_dim", draw_width(draw, size, {8, 16, 32, 64, 64, 80, 96, 128, 128, 128, 256})},
                   {"rope_theta", draw_base(draw)},
                   {"layout", draw.chance(0.6) ? "half" : "interleaved"},
                   {"max_position_embeddings", length}};
  if (draw.chance(0.15)) {
    spec["direction"] = "clockwise";
  }
  const auto head = spec["head_dim"].get<std::int64_t>();
  if (draw.chance(0.45) && head >= 16) {
    // The laws of scaled frequencies cost much more.
    spec["head_dim"] = std::min<std::int64_t>(head, draw.one_of({16, 32, 64, 128}));
    scale_rope(draw, spec, length);
  } else if (draw.chance(0.25) && head >= 16) {
    spec["partial_rotary_factor"] = head % 8 == 0 ? draw.one_of({0.25, 0.5, 0.75}) : 0.5;
  }
  return spec;
}

OrderedJson draw_sinusoidal(Draw& draw, const Size& size) {
  OrderedJson spec{{"scheme", "sinusoidal"},
                   {"d_model", draw_width(draw, size, {8, 16, 20, 33, 64, 128, 130, 256, 512})},
                   {"base", draw_base(draw)},
                   {"layout", draw.chance(0.6) ? "interleaved" : "halves"},
                   {"order", draw.chance(0.75) ? "sin_cos" : "cos_sin"}};
  if (draw.chance(0.3) && (spec["layout"] == "halves" || spec["d_model"].get<std::int64_t>() % 2 == 0)) {
    spec["frequency"] = "tensor2tensor";
  }
  if (draw.chance(0.2)) {
    spec["first_position"] = draw.between(1, 3);
  }
  if (draw.chance(0.15)) {
    spec["padding_idx"] = spec.value("first_position", std::int64_t{0}) + draw.between(0, 1);
  }
  if (draw.chance(0.15)) {
    spec["scale"] = draw.one_of({0.5, 2.0, 0.1});
  }
  return spec;
}

/// Two or three axes, as models of images and of video have them.
OrderedJson draw_axes(Draw& draw) {
  const auto each = draw.one_of<std::int64_t>({8, 16, 24});
  const bool alternate = draw.chance(0.3);
  OrderedJson axes = OrderedJson::array();
  for (auto left = draw.between(2, 3); left > 0; --left) {
    axes.push_back({{"dims", each + (alternate || left > 2 ? 0 : 4)}});
  }
  return {{"scheme", "axial_rope"},
          {"head_dim", 3 * (each + 4)},
          {"rope_theta", draw_base(draw)},
          {"axes", axes},
          {"arrangement", alternate ? "alternating" : "blocks"},
          {"layout", alternate || draw.chance(0.5) ? "interleaved"
                     : draw.chance(0.5)            ? "half"
                                                   : "half_per_axis"}};
}

OrderedJson draw_streams(Draw& draw, std::int64_t length) {
  if (draw.chance(0.5)) {
    const auto pairs = draw.one_of<std::int64_t>({16, 32, 64});
    const auto side = pairs / 4 - draw.between(0, 1);
    const bool interleaved = draw.chance(0.4);
    return {{"scheme", "rope"},
            {"head_dim", 2 * pairs},
            {"rope_theta", draw_base(draw)},
            {"max_position_embeddings", std::min<std::int64_t>(length, 4096)},
            {"rope_scaling",
             {{"rope_type", "default"},
              {"mrope_section", {pairs - 2 * side, side, side}},
              {"mrope_interleaved", interleaved}}}};
  }
  if (draw.chance(0.5)) {
    return draw_axes(draw);
  }
  return {{"scheme", "axial_rope"},
          {"head_dim", draw.one_of<std::int64_t>({16, 32, 64})},
          {"rope_theta", draw_base(draw)},
          {"grid_width", draw.between(3, 40)},
          {"reading", draw.one_of<const char*>({"pixtral", "llama4_vision", "ggml_vision"})}};
}

OrderedJson draw_other(Draw& draw, const Size& size) {
  const auto length = size.length;
  const auto width = draw_width(draw, size, {8, 16, 32, 64, 128});
  switch (draw.between(0, 11)) {
    case 0:
      return {{"scheme", "transformer_xl"}, {"d_model", width}, {"base", draw_base(draw)}};
    case 1:
      return {{"scheme", "transformer_xl"},
              {"d_model", width},
              {"clamp_len", std::max<std::int64_t>(1, length / draw.between(2, 4))}};
    case 2:
      return {{"scheme", "frequency_family"},
              {"d_model", width},
              {"family", "exponential"},
              {"base", draw_base(draw)}};
    case 3: {
      OrderedJson spec{{"scheme", "frequency_list"}};
      for (std::int64_t i = 0; i < width / 2; ++i) {
        spec["frequencies"].push_back("1/" + std::to_string(draw.spread_integer(1, 10000)));
      }
      return spec;
    }
    case 4:
      return {{"scheme", "scaled_sinusoid"}, {"d_model", width}, {"divisor", draw.between(2, 1000)}};
    case 5:
      return {
          {"scheme", "normalised"},
          {"length", length},
          {"reading", draw.one_of<const char*>({"zero_to_one", "zero_to_below_one", "above_zero_to_one"})}};
    case 6:
      return {{"scheme", "binary"}, {"bits", 17}};
    case 7: {
      OrderedJson spec{{"scheme", "learned"}};
      for (std::int64_t row = 0; row < std::min<std::int64_t>(length, 64); ++row) {
        OrderedJson values;
        for (int column = 0; column < 8; ++column) {
          values.push_back(static_cast<double>(draw.between(-2000, 2000)) / 1000);
        }
        spec["values"].push_back(values);
      }
      return spec;
    }
    case 8:
      return {{"scheme", "integer_index"}, {"first_index", draw.between(0, 1)}};
    case 9:
    case 10:
      return {{"scheme", "alibi"},
              {"num_heads", draw.one_of<std::int64_t>({4, 8, 12, 16, 20, 32})},
              {"bias", draw.one_of<const char*>({"key_position", "distance_to_last", "distance"})}};
    default:
      return {{"scheme", "sine_only"},
              {"d_model", width},
              {"base", draw.between(4, 40)},
              {"reading", draw.one_of<const char*>({"descending", "ascending_to_one", "ascending_from_one",
                                                    "descending_to_one"})}};
  }
}

OrderedJson draw_xpos(Draw& draw, const Size& size) {
  return {{"scheme", "xpos"},
          {"head_dim", draw_width(draw, size, {8, 16, 32, 64, 128})},
          {"rope_theta", draw_base(draw)},
          {"scale_base", draw.one_of({512, 512, 256, 1000})},
          {"centre", draw.one_of<const char*>({"torchscale", "flash_attn", "x_transformers"})},
          {"sequence_length", size.length}};
}

OrderedJson draw_buckets(Draw& draw) {
  if (draw.chance(0.55)) {
    return {{"scheme", "t5_bucket"},
            {"num_buckets", draw.one_of<std::int64_t>({16, 32, 64})},
            {"max_distance", draw.one_of<std::int64_t>({128, 128, 256, 1000})},
            {"bidirectional", draw.chance(0.5)}};
  }
  if (draw.chance(0.6)) {
    return {{"scheme", "deberta_bucket"},
            {"bucket_size", draw.one_of<std::int64_t>({32, 128, 256})},
            {"max_position", draw.one_of<std::int64_t>({512, 512, 1024})},
            {"clamp", draw.chance(0.3)}};
  }
  return draw.chance(0.5) ? OrderedJson{{"scheme", "shaw"}, {"max_relative_position", draw.between(4, 64)}}
                          : OrderedJson{{"scheme", "deberta_span"},
                                        {"max_relative_positions", draw.one_of<std::int64_t>({128, 512})}};
}

}  // namespace

bool is_of(const OrderedJson& spec, std::string_view wanted) {
  const auto scheme = spec["scheme"].get<std::string>();
  const auto scaling = spec.value("rope_scaling", OrderedJson::object());
  const bool has_axes = scheme == "axial_rope" || scaling.contains("mrope_section");
  if (wanted == "axes") {
    return has_axes;
  }
  if (wanted == "scaling") {
    return spec.contains("rope_scaling") && !has_axes;
  }
  if (wanted == "partial") {
    return spec.contains("partial_rotary_factor");
  }
  return scheme.ends_with(wanted) || scaling.value("rope_type", std::string()).starts_with(wanted);
}

OrderedJson draw_spec(Draw& draw, const Size& size) {
  const double share = draw.share();
  if (share < 0.55) {
    return draw_rope(draw, size);
  }
  if (share < 0.77) {
    return draw_sinusoidal(draw, size);
  }
  if (share < 0.81) {
    return draw_streams(draw, size.length);
  }
  if (share < 0.92) {
    return draw_other(draw, size);
  }
  return share < 0.94 ? draw_xpos(draw, size) : draw_buckets(draw);
}

}  // namespace vernier::rates
