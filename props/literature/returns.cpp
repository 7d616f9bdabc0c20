// Theorem T9: at finite width the dot product of two codes does not die out.

#include <string>

#include "props/interval_predicates.hpp"
#include "props/literature/facts.hpp"
#include "props/literature/topics.hpp"
#include "reference/schemes/sinusoidal.hpp"

namespace vernier {
namespace {

std::vector<Interval> frequencies_of(std::int64_t d) {
  return SinusoidalSpec{.d_model = d}.frequencies().enclosures();
}

/// g(k) / (d/2)
Interval share(const std::vector<Interval>& frequencies, std::int64_t k) {
  Interval sum = 0;
  for (const auto& w : frequencies) {
    sum += cos(enclose(k) * w);
  }
  return sum / enclose(static_cast<std::int64_t>(frequencies.size()));
}

/// A number c with |mean over k = 1 .. K of (g(k)/N)^2 - 1/(2N)| <= c/K for every K, N pairs being there; an
/// infinite interval if the enclosures do not separate the frequencies.
///
/// g(k)^2 is the sum over i and j of (cos((w_i - w_j) k) + cos((w_i + w_j) k)) / 2. The terms with w_i - w_j
/// = 0 make N/2. Of every other one, |sum over k = 1 .. K of cos(a k)| <= 1/|sin(a/2)| (Dirichlet's kernel).
Interval distance_from_limit(const std::vector<Interval>& frequencies) {
  Interval sum = 0;
  for (std::size_t i = 0; i < frequencies.size(); ++i) {
    for (std::size_t j = 0; j < frequencies.size(); ++j) {
      sum += 1 / abs(sin(Interval((frequencies[i] + frequencies[j]) / 2)));
      if (i != j) {
        sum += 1 / abs(sin(Interval((frequencies[i] - frequencies[j]) / 2)));
      }
    }
  }
  const auto pairs = enclose(static_cast<std::int64_t>(frequencies.size()));
  return sum / (2 * pairs * pairs);
}

/// That offsets come back as near as one likes for every d is Dirichlet's theorem on simultaneous
/// approximation: some k takes all k w_i as near to whole turns as one likes, and so does a larger one after
/// it. Shown are offsets that do, and the mean square, which needs no more than that no w_i + w_j and no w_i
/// - w_j with i != j is a multiple of 2 pi.
EvidenceResult recurrence() {
  const WorkingPrecision scope(working_precision);
  Facts facts;
  struct Return {
    std::int64_t d;
    std::int64_t k;
  };
  for (const auto& [d, k] : {Return{2, 2292816}, Return{4, 1146053}, Return{8, 3763628}}) {
    const Interval value = share(frequencies_of(d), k);
    facts.add(certainly_less(enclose(0.9999), value), "d = {}: g({})/(d/2) = {}", d, k, digits(value, 6));
  }
  for (const std::int64_t d : {2, 4, 8, 16, 64, 256}) {
    const Interval bound = distance_from_limit(frequencies_of(d));
    facts.add(certainly_less(bound, enclose(1e9)),
              "d = {}: the mean square of g/(d/2) over k = 1 to K differs from 1/d by at most {}/K", d,
              digits(bound, 3));
  }
  return facts.conclude(Ruling::holds);
}

}  // namespace

std::vector<Evidence> return_evidence() {
  return {
      {"returns/recurrence", "offsets at which the dot product is nearly the greatest, and its mean square",
       Method::interval, recurrence},
  };
}

}  // namespace vernier
