#pragma once

#include <cstdint>

#include "reference/encoding.hpp"

namespace vernier {

/// PE(t, i) = sin(t 2^-i), i = 0 .. d-1: the binary digits made continuous (claims ledger, S1-09).
struct SinePowersOfTwoSpec {
  /// [1, 512]: beyond, the squares that certified sines are made of would underflow.
  std::int64_t d_model = 0;
};

class SinePowersOfTwoEncoding final : public Encoding {
 public:
  explicit SinePowersOfTwoEncoding(const SinePowersOfTwoSpec& spec) : spec_(spec) {}

  std::string_view scheme() const override { return "sine_powers_of_two"; }
  std::string summary() const override;
  OrderedJson spec() const override;
  std::vector<TrigTable> tables() const override;

 private:
  SinePowersOfTwoSpec spec_;
};

Scheme sine_powers_of_two_scheme();

}  // namespace vernier
