#pragma once

#include <cmath>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace vernier {

/// xPos in float32, operation by operation as three codes compute it, and ways to get it wrong.
struct XposCode {
  /// torchscale (component/xpos_relative_position.py), x-transformers (RotaryEmbedding), flash-attn
  /// (layers/rotary.py), by the names of their centres in specs.
  std::string_view style;
  int head_dim = 16;
  std::int64_t length = 64;
  float scale_base = 512;
  float first_ratio = 0.4F;        ///< another than 0.4 is a fault
  std::int64_t centre_shift = 0;   ///< a fault
  bool keys_like_queries = false;  ///< a fault
  bool turns_backwards = false;    ///< a fault

  int pairs() const { return head_dim / 2; }
  bool is_interleaved() const { return style != "flash_attn"; }
  std::string spec() const {
    return R"({"scheme": "xpos", "head_dim": )" + std::to_string(head_dim) + R"(, "sequence_length": )" +
           std::to_string(length) + R"(, "centre": ")" + std::string(style) + "\"}";
  }

  float phase(std::int64_t position, int pair) const {
    // torchscale divides the index by half the width.
    const float exponent = style == "torchscale"
                               ? static_cast<float>(pair) / static_cast<float>(pairs())
                               : static_cast<float>(2 * pair) / static_cast<float>(head_dim);
    return static_cast<float>(position) * (1.0F / std::pow(10000.0F, exponent));
  }
  float cosine(std::int64_t position, int pair) const { return std::cos(phase(position, pair)); }
  float sine(std::int64_t position, int pair) const {
    return turns_backwards ? -std::sin(phase(position, pair)) : std::sin(phase(position, pair));
  }
  /// Of queries.
  float scale(std::int64_t position, int pair) const {
    const auto dim = static_cast<float>(head_dim);
    const float ratio = (static_cast<float>(2 * pair) + first_ratio * dim) / ((1 + first_ratio) * dim);
    const auto centre = (style == "torchscale" ? (length + 1) / 2 : length / 2) + centre_shift;
    return std::pow(ratio, static_cast<float>(position - centre) / scale_base);
  }
  float scaled(float trig, std::int64_t position, int pair, bool of_keys) const {
    const float factor = scale(position, pair);
    if (!of_keys || keys_like_queries) {
      return trig * factor;
    }
    return style == "flash_attn" ? trig / factor : trig * (1 / factor);
  }

  /// One column a pair. \param role cos, sin, cos_k, sin_k or scale
  std::vector<double> table(std::string_view role, std::span<const std::int64_t> positions) const {
    std::vector<double> values;
    for (const auto position : positions) {
      for (int pair = 0; pair < pairs(); ++pair) {
        const float trig = role.starts_with("cos") ? cosine(position, pair) : sine(position, pair);
        const float value =
            role == "scale" ? scale(position, pair) : scaled(trig, position, pair, role.ends_with("_k"));
        values.push_back(static_cast<double>(value));
      }
    }
    return values;
  }

  /// Vectors of one position each. \param input numbers of float32
  std::vector<double> rotated(std::span<const double> input, std::span<const std::int64_t> positions,
                              bool of_keys) const {
    std::vector<double> values(input.size());
    for (std::size_t row = 0; row < positions.size(); ++row) {
      for (int pair = 0; pair < pairs(); ++pair) {
        const auto first = row * static_cast<std::size_t>(head_dim) +
                           static_cast<std::size_t>(is_interleaved() ? 2 * pair : pair);
        const auto second = first + static_cast<std::size_t>(is_interleaved() ? 1 : pairs());
        const auto a = static_cast<float>(input[first]);
        const auto b = static_cast<float>(input[second]);
        const auto term = [&](float x, float trig) {
          // x-transformers multiplies by the scale last.
          return style == "x_transformers" ? scaled(x * trig, positions[row], pair, of_keys)
                                           : x * scaled(trig, positions[row], pair, of_keys);
        };
        const float c = cosine(positions[row], pair);
        const float s = sine(positions[row], pair);
        values[first] = static_cast<double>(term(a, c) - term(b, s));
        values[second] = static_cast<double>(term(a, s) + term(b, c));
      }
    }
    return values;
  }
};

}  // namespace vernier
