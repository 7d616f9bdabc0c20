#include "props/judging/interval_predicates.hpp"
#include "props/judging/shift.hpp"
#include "props/literature/facts.hpp"
#include "props/literature/topics.hpp"
#include "props/models/trig_code.hpp"
#include "reference/schemes/encoding_of.hpp"
#include "reference/schemes/sinusoidal.hpp"

namespace vernier {
namespace {

/// |PE_(t+k) - PE_t|, at any t: the square is the sum of 4 sin^2(w_i k / 2).
Interval distance(std::int64_t d, std::int64_t k, std::int64_t base = 10000) {
  Interval sum = 0;
  for (const auto& frequency : SinusoidalSpec{.d_model = d, .base = base}.frequencies().enclosures()) {
    sum += 4 * squared(sin(frequency * enclose(k) / 2));
  }
  return sqrt(sum);
}

/// "The difference between any two words k apart is the same": its length is, the vector is not.
void consistent_difference(Facts& facts) {
  const TrigCode code(SinusoidalSpec{.d_model = 8}.table());
  const auto step = [&](std::int64_t t) { return IntervalVector(code.code(t + 1) - code.code(t)); };
  const auto at_zero = step(0);
  const auto at_one = step(1);
  facts.add(certainly_different(at_zero(0), at_one(0)) && rounds_to_decimal(at_zero(0), "0.84147") &&
                rounds_to_decimal(at_one(0), "0.0678"),
            "d = 8: the first element of PE_1 - PE_0 is {}, of PE_2 - PE_1 {}", digits(at_zero(0), 5),
            digits(at_one(0), 5));
  bool same_length = true;
  for (const std::int64_t t : {0, 1, 100, 5000}) {
    same_length &= rounds_to_decimal(sqrt(step(t).squaredNorm()), "0.964099609415");
  }
  facts.add(same_length, "both differences have the length 0.964099609415, as have those at 100 and 5000");
  facts.add(!SinusoidalEncoding({.d_model = 8}).spec().contains("length"),
            "the formula knows no length: a position has the same code in every text");
}

/// dist(1, 2) < dist(3, 10) and dist(1, 2) = dist(3, 4).
void distances(Facts& facts) {
  const TrigCode code(SinusoidalSpec{.d_model = 64}.table());
  facts.add(contains_zero((code.code(2) - code.code(1)).squaredNorm() -
                          (code.code(4) - code.code(3)).squaredNorm()),
            "the distances of 1 and 2 and of 3 and 4 are equal (T4)");
  for (const auto& [d, near, far] : facts.figures<std::int64_t, std::string, std::string>()) {
    facts.add(rounds_to_decimal(distance(d, 1), near) && rounds_to_decimal(distance(d, 7), far),
              "d = {}: 1 and 2 are {} apart, 3 and 10 only {}", d, near, far);
  }
  bool wide = true;
  for (std::int64_t d = 8; d <= 256; d += 2) {
    wide &= certainly_less(distance(d, 1), distance(d, 7));
  }
  for (const std::int64_t d : {512, 768, 1024, 2048, 4096}) {
    wide &= certainly_less(distance(d, 1), distance(d, 7));
  }
  facts.add(wide, "for every even d from 8 to 256, and 512, 768, 1024, 2048 and 4096, the inequality holds");
  const auto increases = [](std::int64_t d) {
    for (std::int64_t k = 0; k < 7; ++k) {
      if (!certainly_less(distance(d, k), distance(d, k + 1))) {
        return false;
      }
    }
    return true;
  };
  std::int64_t first = 2;
  while (first < 512 && !increases(first)) {
    first += 2;
  }
  facts.add(first == 88, "the distance grows with every step up to 7 from d = {} on", first);
  facts.add(certainly_less(distance(2, 7, 100), distance(2, 1, 100)) &&
                certainly_less(distance(4, 1, 100), distance(4, 7, 100)) &&
                certainly_less(distance(4, 7, 1000), distance(4, 1, 1000)) &&
                certainly_less(distance(10, 7, 1000000), distance(10, 1, 1000000)),
            "another base moves the limit: with 100 only d = 2 fails, with 1000 also 4, with a million 10");
}

/// "Neighbours are similar: the sinusoid guarantees this."
void neighbours(Facts& facts) {
  for (const auto& [d, cosine, step] : facts.figures<std::int64_t, std::string, std::string>()) {
    const Interval similarity = 1 - squared(distance(d, 1)) / enclose(d);
    facts.add(rounds_to_decimal(similarity, cosine) && rounds_to_decimal(distance(d, 1), step),
              "d = {}: neighbours have the cosine {} and the distance {}", d, cosine, step);
  }
  facts.add(
      certainly_less(distance(2, 1) / 1, distance(2, 3)) && certainly_less(distance(2, 6), distance(2, 1)),
      "with d = 2 a position is nearer to the sixth from it than to its neighbour");
}

/// Theorem T8: |dPE/dt|^2 is the sum of w_i^2, at every t.
void speed(Facts& facts) {
  for (const auto& [d, constant] : facts.figures<std::int64_t, std::string>()) {
    const TrigCode code(SinusoidalSpec{.d_model = d}.table());
    const Interval found = *code.lipschitz();
    const Interval step = distance(d, 1);
    facts.add(rounds_to_decimal(found, constant) && !certainly_less(found, step),
              "d = {}: speed {}, and a step of one position moves by {}", d, digits(found, 8),
              digits(step, 6));
  }
}

}  // namespace

std::vector<Evidence> step_evidence() {
  return {
      {"steps/consistent-difference", consistent_difference},
      {"steps/distances", distances},
      {"steps/neighbours", neighbours},
      {"steps/speed", speed},
  };
}

}  // namespace vernier
