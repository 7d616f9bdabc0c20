#include <array>

#include "props/interval_predicates.hpp"
#include "props/literature/facts.hpp"
#include "props/literature/topics.hpp"
#include "reference/schemes/sinusoidal.hpp"

namespace vernier {
namespace {

/// 2 pi / w of a pair, in units of 2 pi.
Interval wavelength_over_two_pi(const GeometricFrequencies& frequencies, int pair) {
  return 1 / frequencies.at(pair);
}

/// "The wavelengths run from 2 pi to 10000 2 pi": the lower end is right, the upper one is never reached.
EvidenceResult top_wavelength() {
  const WorkingPrecision scope(working_precision);
  Facts facts;
  for (const std::int64_t d : {4, 16, 64, 128, 256, 512, 768, 1024, 4096}) {
    const auto frequencies = SinusoidalSpec{.d_model = d}.frequencies();
    const Interval top = wavelength_over_two_pi(frequencies, frequencies.pairs - 1);
    const Interval shortfall = 100 * (1 - top / 10000);
    facts.add(certainly_less(top, enclose(std::int64_t{10000})), "d = {}: 2 pi times {}, {} % short", d,
              digits(top, 8), digits(shortfall, 4));
  }
  return facts.conclude(Ruling::refuted);
}

/// Wavelengths in a geometric progression of ratio base^(2/d).
EvidenceResult geometric() {
  const WorkingPrecision scope(working_precision);
  Facts facts;
  for (const std::int64_t d : {4, 64, 512}) {
    const auto frequencies = SinusoidalSpec{.d_model = d}.frequencies();
    const Interval ratio = wavelength_over_two_pi(frequencies, 1);
    bool constant = contains(wavelength_over_two_pi(frequencies, 0), 1);
    for (int pair = 1; pair < frequencies.pairs; ++pair) {
      constant &= contains_zero(wavelength_over_two_pi(frequencies, pair) / ratio -
                                wavelength_over_two_pi(frequencies, pair - 1));
    }
    facts.add(constant, "d = {}: from 2 pi on, each is {} times the one before", d, digits(ratio, 8));
  }
  return facts.conclude(Ruling::holds);
}

/// The sine stays in [-1, 1] and repeats after 2 pi, and not before.
EvidenceResult sine() {
  const WorkingPrecision scope(working_precision);
  Facts facts;
  bool repeats = true;
  bool not_before = true;
  for (const std::int64_t x : {1, 2, 5, 100}) {
    repeats &= contains_zero(sin(enclose(x) + 2 * pi()) - sin(enclose(x)));
    not_before &= !contains_zero(sin(enclose(x) + pi()) - sin(enclose(x)));
  }
  facts.add(contains(sin(pi() / 2), 1) && contains(sin(-pi() / 2), -1), "its extremes are 1 and -1");
  facts.add(repeats && not_before, "it repeats after 2 pi, and not after pi, at the points tried");
  return facts.conclude(Ruling::holds);
}

/// sin(2 pi x) at no, a quarter and half a turn.
EvidenceResult sine_of_turns() {
  const WorkingPrecision scope(working_precision);
  Facts facts;
  facts.add(contains_zero(sin(0 * pi())) && contains(sin(pi() / 2), 1) && contains_zero(sin(pi())),
            "sin(2 pi x) is 0, 1 and 0 at x = 0, 1/4 and 1/2");
  facts.add(rounds_to_decimal(10000000000 * sin(enclose(3.141592653589793)), "0.00000122"),
            "in float64 the last is 1.22e-16, the error of the rounded pi");
  return facts.conclude(Ruling::holds);
}

}  // namespace

std::vector<Evidence> wavelength_evidence() {
  return {
      {"wavelengths/geometric", "the ratio of neighbouring wavelengths", Method::interval, geometric},
      {"wavelengths/sine", "the range and the period of the sine", Method::interval, sine},
      {"wavelengths/sine-of-turns", "sin(2 pi x) at x = 0, 1/4, 1/2", Method::interval, sine_of_turns},
      {"wavelengths/top", "the longest wavelength of the paper's frequencies, against 10000 times 2 pi",
       Method::interval, top_wavelength},
  };
}

}  // namespace vernier
