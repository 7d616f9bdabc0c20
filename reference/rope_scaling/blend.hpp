#pragma once

#include "reference/interval.hpp"
#include "reference/rational.hpp"
#include "reference/rope_scaling/pair_treatment.hpp"

namespace vernier {

/// (1 - t) + t / s: a frequency of which the share t is divided by s.
inline Interval partly_divided(const Interval& share, const Rational& factor) {
  return 1 - share * enclose(Rational(1 - 1 / factor));
}

/// The share of a frequency that is divided: 0 and 1 exactly in the outer treatments, and what `blended`
/// encloses between them.
template <class Blended>
Interval share_in(PairTreatment treatment, Blended blended) {
  switch (treatment) {
    case PairTreatment::unchanged:
      return enclose(std::int64_t{0});
    case PairTreatment::divided:
      return enclose(std::int64_t{1});
    case PairTreatment::blended:
      break;
  }
  return blended();
}

}  // namespace vernier
