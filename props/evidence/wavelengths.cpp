#include <array>

#include "props/evidence/certain.hpp"
#include "props/evidence/facts.hpp"
#include "props/evidence/topics.hpp"
#include "reference/schemes/sinusoidal.hpp"

namespace vernier {
namespace {

constexpr unsigned precision = 128;

/// 2 pi / w of a pair, in units of 2 pi.
Interval wavelength_over_two_pi(const GeometricFrequencies& frequencies, int pair) {
  return 1 / frequencies.at(pair);
}

/// "The wavelengths run from 2 pi to 10000 2 pi": the lower end is right, the upper one is never reached.
EvidenceResult top_wavelength() {
  const WorkingPrecision scope(precision);
  Facts facts;
  for (const std::int64_t d : {4, 16, 64, 128, 256, 512, 768, 1024, 4096}) {
    const auto frequencies = SinusoidalSpec{.d_model = d}.frequencies();
    const Interval top = wavelength_over_two_pi(frequencies, frequencies.pairs - 1);
    const Interval shortfall = 100 * (1 - top / 10000);
    facts.add(certainly_less(top, enclose(std::int64_t{10000})), std::string("d = ") + std::to_string(d) +
                                                                     ": 2 pi times " + digits(top, 8) + ", " +
                                                                     digits(shortfall, 4) + " % short");
  }
  return facts.conclude(Finding::refuted);
}

}  // namespace

std::vector<Evidence> wavelength_evidence() {
  return {
      {"wavelengths/top", "the longest wavelength of the paper's frequencies, against 10000 times 2 pi",
       Method::interval, top_wavelength},
  };
}

}  // namespace vernier
