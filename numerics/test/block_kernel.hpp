#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "numerics/tensors/case.hpp"
#include "numerics/test/made_tensors.hpp"
#include "reference/numbers/constant.hpp"
#include "reference/test/parsed.hpp"

namespace vernier {

inline constexpr std::size_t scaled_rows = 96;
inline constexpr std::size_t scaled_head = 64;

/// The number of the grid that is nearest, by trying all; ties go to the even code.
inline double nearest_of(const std::vector<double>& codes, double value) {
  std::size_t best = 0;
  for (std::size_t i = 0; i < codes.size(); ++i) {
    const double off = std::fabs(codes[i] - std::fabs(value));
    const double least = std::fabs(codes[best] - std::fabs(value));
    best = off < least || (off == least && i % 2 == 0) ? i : best;
  }
  return std::copysign(codes[best], value);
}

/// The magnitudes of a format in the order of their codes.
inline std::vector<double> codes_of(std::optional<Format> format) {
  if (!format) {
    return {0, 0.5, 1, 1.5, 2, 3, 4, 6};
  }
  std::vector<double> result{0};
  while (result.back() < traits(*format).largest()) {
    result.push_back(next_up(*format, result.back()));
  }
  return result;
}

inline float rounded_up_to_power(float value) {
  return std::exp2(std::ceil(std::log2(value)));
}

/// A kernel that rotates in float32 and stores elements and scales.
struct BlockKernel {
  std::optional<Format> format = Format::float8_e4m3fn;  ///< nothing for float4_e2m1
  std::size_t width = scaled_head;                       ///< of a block
  std::string rule = "amax";
  Format scale_format = Format::binary32;
  bool is_packed = false;
  bool states_rule = true;
  float factor = 1;                                              ///< of the tensor
  std::function<void(std::vector<double>& scales)> spoils = {};  ///< the scales that are told
  std::function<double(std::size_t index, float value)> rotates = {};
  std::function<float(float scale)> chooses = {};  ///< another scale than the rule's

  float scale_of(float greatest) const {
    const auto codes = codes_of(format);
    const float largest = static_cast<float>(codes.back());
    if (rule == "ue8m0") {
      return rounded_up_to_power(greatest / largest);
    }
    if (rule == "mx") {
      return std::exp2(static_cast<float>(std::ilogb(greatest) - std::ilogb(largest)));
    }
    return static_cast<float>(round_to(scale_format, static_cast<double>(greatest / largest)));
  }

  CaseInput parts() const {
    std::mt19937_64 random(11);
    std::vector<double> input;
    for (std::size_t i = 0; i < scaled_rows * scaled_head; ++i) {
      const double row_size = std::exp2(static_cast<double>(i / scaled_head % 9) - 4);
      input.push_back(
          round_to(Format::bfloat16, row_size * (static_cast<double>(random() >> 40) * 0x1p-23 - 1)));
    }
    std::vector<float> rotated(input.size());
    for (std::size_t i = 0; i < rotated.size(); ++i) {
      const auto dimension = i % scaled_head;
      const auto pair = dimension % (scaled_head / 2);
      const float phase =
          static_cast<float>(i / scaled_head) *
          (1 / std::pow(10000.0F, static_cast<float>(2 * pair) / static_cast<float>(scaled_head)));
      const auto own = static_cast<float>(input[i]);
      const bool is_first = dimension == pair;
      const auto other =
          static_cast<float>(is_first ? input[i + scaled_head / 2] : input[i - scaled_head / 2]);
      const float turned = is_first ? own * std::cos(phase) - other * std::sin(phase)
                                    : own * std::cos(phase) + other * std::sin(phase);
      rotated[i] = (rotates ? static_cast<float>(rotates(i, turned)) : turned) * factor;
    }
    const auto codes = codes_of(format);
    std::vector<double> scales;
    std::vector<double> elements;
    for (std::size_t first = 0; first < rotated.size(); first += width) {
      float greatest = 0;
      for (auto i = first; i < first + width; ++i) {
        greatest = std::max(greatest, std::fabs(rotated[i]));
      }
      const float scale = chooses ? chooses(scale_of(greatest)) : scale_of(greatest);
      scales.push_back(static_cast<double>(scale));
      for (auto i = first; i < first + width; ++i) {
        elements.push_back(nearest_of(codes, static_cast<double>(rotated[i] / scale)));
      }
    }
    if (spoils) {
      spoils(scales);
    }
    CaseInput result{"made.json", "made", "", {}, std::nullopt};
    const Shape shape{scaled_rows, scaled_head};
    result.tensors.emplace("input", NamedTensor{"made", tensor_of(Format::bfloat16, shape, input)});
    result.tensors.emplace(
        "rotated",
        NamedTensor{"made", is_packed ? packed(elements)
                                      : tensor_of(format.value_or(Format::binary32), shape, elements)});
    const auto blocks = scaled_head / width;
    const Shape of_scales = blocks == 1 ? Shape{scaled_rows} : Shape{scaled_rows, blocks};
    result.tensors.emplace("block_scales", NamedTensor{"made", told_scales(of_scales, scales)});
    result.quantization = Quantization{exact_rational(static_cast<double>(factor)), Overflow::saturate};
    result.quantization->is_float4 = !format;
    if (states_rule) {
      result.quantization->rule = rule == "amax"    ? ScaleRule::amax
                                  : rule == "ue8m0" ? ScaleRule::ue8m0
                                                    : ScaleRule::mx;
    }
    return result;
  }

  Case subject() const { return assemble_case(parts(), parsed(R"({"scheme": "rope", "head_dim": 64})")); }

 private:
  /// Powers of two as bytes of ue8m0, others in the format of the scales.
  Tensor told_scales(const Shape& shape, const std::vector<double>& scales) const {
    if (rule == "amax" || spoils) {
      return tensor_of(scale_format, shape, scales);
    }
    std::vector<std::byte> bytes;
    for (const double scale : scales) {
      bytes.push_back(static_cast<std::byte>(std::ilogb(scale) + 127));
    }
    return {ElementType::uint8, shape, std::move(bytes)};
  }

  static Tensor packed(const std::vector<double>& elements) {
    const auto codes = codes_of(std::nullopt);
    const auto code = [&](double value) {
      const auto found = std::ranges::find(codes, std::fabs(value)) - codes.begin();
      return static_cast<unsigned>(found) | (std::signbit(value) ? 8U : 0U);
    };
    std::vector<std::byte> bytes;
    for (std::size_t i = 0; i < elements.size(); i += 2) {
      bytes.push_back(static_cast<std::byte>(code(elements[i]) | code(elements[i + 1]) << 4U));
    }
    return {ElementType::uint8, {scaled_rows, scaled_head / 2}, std::move(bytes)};
  }
};

/// By name, what engines store.
inline const std::vector<std::pair<std::string, BlockKernel>>& block_engines() {
  static const std::vector<std::pair<std::string, BlockKernel>> all{
      {"a scale a token", {}},
      {"a scale a token, fnuz", {.format = Format::float8_e4m3fnuz}},
      {"blocks of 16, e5m2", {.format = Format::float8_e5m2, .width = 16}},
      {"blocks of 32, powers of two", {.width = 32, .rule = "ue8m0"}},
      {"mxfp8", {.width = 32, .rule = "mx"}},
      {"mxfp4", {.format = std::nullopt, .width = 32, .rule = "mx", .is_packed = true}},
      {"mxfp4 as numbers", {.format = std::nullopt, .width = 32, .rule = "ue8m0"}},
      {"nvfp4",
       {.format = std::nullopt,
        .width = 16,
        .scale_format = Format::float8_e4m3fn,
        .is_packed = true,
        .factor = 24}}};
  return all;
}

}  // namespace vernier
