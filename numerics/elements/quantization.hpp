#pragma once

#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "numerics/elements/block_scales.hpp"
#include "reference/numbers/format.hpp"
#include "reference/numbers/rational.hpp"
#include "reference/tables/tensor_definition.hpp"

namespace vernier {

class KeyVisitor;
class ObjectReader;

/// How real numbers become those of a format of eight bits: stored = round(value * factor).
struct Quantization {
  Rational factor = 1;  ///< the scale of the tensor, or its reciprocal where values are divided by it
  Overflow overflow = Overflow::undeclared;
  bool is_float4 = false;  ///< whether elements are of float4_e2m1
  std::optional<ScaleRule> rule = std::nullopt;
  /// Of rows or blocks, where a case has them: its tensor then holds elements times scales.
  std::shared_ptr<const BlockScales> scales = nullptr;

  /// What tells a tensor's budget how it is stored. \param tensor the format of the tensor
  Format stored_in(Format tensor) const { return scales ? scales->element().format : tensor; }

  /// "scale", "direction", "overflow", "elements" and "rule".
  void keys(KeyVisitor& visit);
  /// The factor to an ulp.
  double approximate_factor() const { return factor == 1 ? 1 : approximately(Amplitude(factor)); }
  /// What a number that is computed exactly is stored as.
  double stored(Format format, double value) const;
  /// The same of one that is computed in float32, by a rounded factor.
  double stored_from_single(Format format, double value) const;
};

/// Multiplies what definitions of sines and rotations hold.
std::vector<TensorDefinition> scaled(std::vector<TensorDefinition> definitions, const Rational& factor);

/// \throws InputError unless the format has eight bits, and the overflow that is declared
/// \param source, role of the tensor, for errors
void require_eight_bits(const Quantization& quantization, Format format, std::string_view source,
                        std::string_view role);

/// Reads {"scale": 16, "direction": "multiply", "overflow": "saturate"}. \throws InputError
Quantization read_quantization(ObjectReader reader);

}  // namespace vernier
