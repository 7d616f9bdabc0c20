#pragma once

#include <vector>

#include "reference/format.hpp"
#include "reference/json.hpp"
#include "reference/rational.hpp"
#include "reference/tensor_definition.hpp"

namespace vernier {

class KeyVisitor;

/// What becomes of a number beyond the greatest of a format.
enum class Overflow {
  saturate,  ///< the greatest of its sign
  nan,
  infinity,
  undeclared  ///< nobody says: it is a fault
};

/// How real numbers become those of a format of eight bits: stored = round(value * factor).
struct Quantization {
  Rational factor = 1;  ///< the scale of the tensor, or its reciprocal where values are divided by it
  Overflow overflow = Overflow::undeclared;

  /// "scale", "direction" and "overflow".
  void keys(KeyVisitor& visit);
  /// The factor to an ulp.
  double approximate_factor() const;
  /// What a number that is computed exactly is stored as.
  double stored(Format format, double value) const;
  /// The same of one that is computed in float32, by a rounded factor.
  double stored_from_single(Format format, double value) const;
};

/// The format's number for a number that overflows it or does not.
double rounded_with(Overflow overflow, Format format, double value);
/// The least magnitude that rounds beyond the greatest number of the format, or ties with it.
double overflow_threshold(Format format);

/// Multiplies what definitions of sines and rotations hold.
std::vector<TensorDefinition> scaled(std::vector<TensorDefinition> definitions, const Rational& factor);

/// Reads {"scale": 16, "direction": "multiply", "overflow": "saturate"}. \throws InputError
Quantization read_quantization(ObjectReader reader);

}  // namespace vernier
