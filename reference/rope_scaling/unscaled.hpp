#pragma once

#include "reference/amplitude.hpp"
#include "reference/json.hpp"
#include "reference/rope_scaling/pair_treatment.hpp"
#include "reference/rope_scaling/rotary_context.hpp"

namespace vernier {

/// RoPE as published: no scaling.
struct Unscaled {
  static constexpr std::string_view type = "default";

  static Unscaled read(ObjectReader&, const RotaryContext&) { return {}; }
  OrderedJson parameters() const { return OrderedJson::object(); }
  std::string summary() const { return "unscaled"; }
  Amplitude amplitude() const { return 1; }
  PairTreatment treatment(const GeometricFrequencies&, int) const { return PairTreatment::unchanged; }
  Interval multiplier(const GeometricFrequencies&, int) const { return enclose(std::int64_t{1}); }
  bool operator==(const Unscaled&) const = default;
};

}  // namespace vernier
