#pragma once

#include <cstdint>

#include "reference/encoding.hpp"
#include "reference/schemes/sinusoidal.hpp"

namespace vernier {

/// (t/C) f(t), with f(t) the encoding of the paper: a sinusoid whose amplitude grows with the position
/// (claims ledger, section 6, row 14).
struct ScaledSinusoidSpec {
  SinusoidalSpec sinusoid;  ///< f: interleaved, sine first, the paper's frequencies
  Rational divisor = 1;     ///< C > 0
};

class ScaledSinusoidEncoding final : public Encoding {
 public:
  explicit ScaledSinusoidEncoding(ScaledSinusoidSpec spec) : spec_(std::move(spec)) {}

  std::string_view scheme() const override { return "scaled_sinusoid"; }
  std::string summary() const override;
  OrderedJson spec() const override;
  std::vector<ValueTable> values() const override;

 private:
  ScaledSinusoidSpec spec_;
};

Scheme scaled_sinusoid_scheme();

}  // namespace vernier
