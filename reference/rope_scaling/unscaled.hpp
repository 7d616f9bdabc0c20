#pragma once

#include "reference/amplitude.hpp"
#include "reference/rope_scaling/pair_treatment.hpp"
#include "reference/rope_scaling/rotary_context.hpp"

namespace vernier {

class KeyVisitor;

/// RoPE as published: no scaling.
struct Unscaled {
  static constexpr std::string_view type = "default";

  void keys(KeyVisitor&, const RotaryContext&) {}
  std::string summary() const { return "unscaled"; }
  Amplitude amplitude() const { return 1; }
  PairTreatment treatment(const GeometricFrequencies&, int) const { return PairTreatment::unchanged; }
  Interval multiplier(const GeometricFrequencies&, int) const { return enclose(std::int64_t{1}); }
  bool operator==(const Unscaled&) const = default;
};

}  // namespace vernier
