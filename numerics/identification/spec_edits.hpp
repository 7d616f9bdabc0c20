#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "reference/amplitude.hpp"
#include "reference/frequencies.hpp"

namespace vernier {

/// How the phases and the amplitude of an encoding are understood: as its spec declares them, or otherwise.
struct SpecReading {
  std::string edit;  ///< what differs from the declared spec: "the base is 500000, not 10000"
  Frequencies frequencies;
  Amplitude amplitude;
  std::vector<std::int64_t> positions;  ///< one a row
};

/// What implementations often make of a spec instead, the likeliest first: positions off by one or wrapped,
/// scaling left out, the exponent's other denominator, other bases. \param declared one position at least
std::vector<SpecReading> other_readings(const SpecReading& declared);

/// The reading with an amplitude so much larger; nothing if the factor does not stand clear of 1.
/// \param factor an estimate of it
std::optional<SpecReading> reading_with_factor(const SpecReading& declared, double factor);

}  // namespace vernier
