#include "numerics/tensors/block_scaled.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

#include "reference/support/input_error.hpp"
#include "reference/support/refusal.hpp"

namespace vernier {
namespace {

constexpr std::array float4_magnitudes{0.0, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 6.0};

/// The elements that have scales, as numbers.
struct ScaledElements {
  FormatTraits type;
  Shape shape;
  std::vector<double> numbers;
};

ScaledElements float4_elements(const NamedTensor& named, std::string_view role) {
  ScaledElements result{float4_e2m1, named.tensor.shape(), {}};
  const auto& tensor = named.tensor;
  if (tensor.type() == ElementType::uint8) {
    result.shape.back() *= 2;
    for (const auto byte : tensor.bytes()) {
      for (const auto code : {std::to_integer<unsigned>(byte) & 15U, std::to_integer<unsigned>(byte) >> 4U}) {
        const double magnitude = float4_magnitudes[code & 7U];
        result.numbers.push_back((code & 8U) != 0 ? -magnitude : magnitude);
      }
    }
    return result;
  }
  for (std::size_t i = 0; tensor.format() && i < tensor.elements(); ++i) {
    result.numbers.push_back(tensor.number(i));
    refuse_if(
        std::ranges::find(float4_magnitudes, std::fabs(result.numbers.back())) == float4_magnitudes.end(),
        "{}: {}: found {} as element {}, expected a number of float4_e2m1", named.source, role,
        result.numbers.back(), i);
  }
  refuse_if(result.numbers.empty(),
            "{}: {}: found {}, expected float4_e2m1 as uint8, two elements a byte, or as numbers",
            named.source, role, traits(tensor.type()).name);
  return result;
}

ScaledElements elements_of(const NamedTensor& named, std::string_view role, const Quantization& quantization,
                           const std::string& source) {
  if (quantization.is_float4) {
    return float4_elements(named, role);
  }
  refuse_if(!named.tensor.format(),
            "{}: {}: found {}, expected a format of eight bits beside block_scales (dtype says it), or "
            "\"elements\": \"float4_e2m1\" in quantization",
            named.source, role, traits(named.tensor.type()).name);
  require_eight_bits(quantization, *named.tensor.format(), source, role);
  ScaledElements result{traits(*named.tensor.format()), named.tensor.shape(),
                        std::vector<double>(named.tensor.elements())};
  named.tensor.numbers(0, result.numbers);
  return result;
}

std::vector<double> scales_of(const NamedTensor& named) {
  const auto& tensor = named.tensor;
  refuse_if(!tensor.format() && tensor.type() != ElementType::uint8,
            "{}: {}: found {}, expected numbers, or uint8 for the exponents of ue8m0", named.source,
            block_scales_role, traits(tensor.type()).name);
  std::vector<double> result(tensor.elements());
  for (std::size_t i = 0; i < result.size(); ++i) {
    const auto exponent = tensor.format() ? std::nullopt : tensor.integer(i);
    result[i] = !exponent          ? tensor.number(i)
                : *exponent == 255 ? std::numeric_limits<double>::quiet_NaN()
                                   : std::ldexp(1.0, static_cast<int>(*exponent) - 127);
  }
  return result;
}

/// The vectors of the case that have scales. \throws InputError for none or several
std::string scaled_role_of(const CaseInput& parts) {
  std::vector<std::string> found;
  for (const auto& vectors : vector_roles()) {
    if (parts.tensors.contains(vectors.role)) {
      found.emplace_back(vectors.role);
    }
  }
  if (found.size() != 1) {
    throw InputError("{}: tensors.{}: found {} beside it, expected one tensor of rotated vectors",
                     parts.source, block_scales_role, found.empty() ? "none" : found[0] + " and " + found[1]);
  }
  return found.front();
}

}  // namespace

CaseInput with_block_scales(CaseInput parts) {
  const auto given = parts.tensors.find(block_scales_role);
  auto quantization = parts.quantization.value_or(Quantization{});
  if (given == parts.tensors.end()) {
    refuse_if(quantization.is_float4 || quantization.rule,
              "{}: tensors.{}: missing, expected the scales that quantization.{} is about", parts.source,
              block_scales_role, quantization.rule ? "rule" : "elements");
    return parts;
  }
  const auto role = scaled_role_of(parts);
  auto& named = parts.tensors.at(role);
  auto elements = elements_of(named, role, quantization, parts.source);
  refuse_if(quantization.overflow == Overflow::nan || quantization.overflow == Overflow::infinite,
            "{}: quantization.overflow: found another value, expected \"saturate\" beside {}", parts.source,
            block_scales_role);
  auto rows = elements.shape;
  const auto columns = rows.back();
  rows.pop_back();
  const auto& shape = given->second.tensor.shape();
  const bool has_blocks = shape.size() == rows.size() + 1 && columns % shape.back() == 0;
  refuse_if(!std::ranges::equal(rows, std::span(shape).first(shape.size() - (has_blocks ? 1 : 0))),
            "{}: {}: found the shape {}, expected {} or that with a number of blocks that divides {}",
            given->second.source, block_scales_role, to_string(shape), to_string(rows), columns);
  const auto format = given->second.tensor.format().value_or(Format::binary32);
  quantization.scales = std::make_shared<const BlockScales>(
      elements.type, format, scales_of(given->second), elements.numbers.size() / columns, columns,
      quantization.is_float4 || quantization.overflow == Overflow::saturate, quantization.rule);
  std::vector<std::byte> bytes(elements.numbers.size() * sizeof(double));
  for (std::size_t i = 0; i < elements.numbers.size(); ++i) {
    const double value = elements.numbers[i] * quantization.scales->scale(i / columns, i % columns);
    std::memcpy(bytes.data() + i * sizeof value, &value, sizeof value);
  }
  named.tensor = Tensor(ElementType::float64, std::move(elements.shape), std::move(bytes));
  parts.quantization = std::move(quantization);
  parts.tensors.erase(given);
  return parts;
}

}  // namespace vernier
