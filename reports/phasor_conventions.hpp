#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "numerics/identification/fitted_phasor.hpp"
#include "reference/frequencies.hpp"
#include "reports/verdict.hpp"

// What the phasors of pairs tell of how they were computed, whichever tensors they were seen in.

namespace vernier {

/// Another reading than the declared one, of components or of the layout, is believed if it fits so much
/// better.
inline constexpr double convincing = 3;

/// How the components are to be read so that phasors go round counterclockwise from where cosine is one.
struct Reading {
  bool exchanged = false;     ///< what is said to be the sine is the cosine
  bool sine_negated = false;  ///< in the order read
};

/// Whether most of the phasors that are seen to move go round counterclockwise.
bool is_counterclockwise(const std::vector<std::optional<FittedPhasor>>& phasors);

/// The reading under which the phases fit a shift of positions best; of equal ones the simpler.
Reading reading_of(const std::vector<std::optional<FittedPhasor>>& phasors);

/// What was declared about the phasors of all pairs.
struct DeclaredTones {
  const Frequencies& frequencies;
  double amplitude;
  std::span<const std::int64_t> positions;  ///< at least one
  std::string_view compute;                 ///< the format of the contract's frequencies
};

/// Adds the conventions that the phasors show: amplitude, first position, base or frequencies, and the format
/// of the frequencies where it is narrower than float32. \param phasors of all pairs, none where it is
/// unknown \param stored the format of the tensors
void tell_phasors(const std::vector<std::optional<FittedPhasor>>& phasors, const Reading& reading,
                  const DeclaredTones& declared, Format stored, std::vector<Convention>& out);

}  // namespace vernier
