#include "reference/frequencies/rope_scaling/correction_range.hpp"

#include <cassert>

#include "reference/frequencies/rope_scaling/scaling_rule.hpp"
#include "reference/numbers/powers.hpp"
#include "reference/numbers/real.hpp"

namespace vernier {
namespace {

/// \pre decidable, see the class comment
template <class Answer>
Answer decided(const std::optional<Answer>& answer) {
  assert(answer);
  return *answer;
}

}  // namespace

CorrectionRange::CorrectionRange(Parameters parameters)
    : parameters_(std::move(parameters)), low_{true, parameters_.fast, 0}, high_{true, parameters_.slow, 0} {
  if (parameters_.truncate) {
    low_ = exactly(floor_of(low_));
    high_ = exactly(floor_of(high_) + 1);
  }
}

std::optional<CorrectionRange> CorrectionRange::make(const Parameters& parameters) {
  CorrectionRange range(parameters);
  if (range.compare(range.low_, range.high_) > 0) {
    return std::nullopt;
  }
  range.clamp();
  return range;
}

void CorrectionRange::clamp() {
  if (floor_of(low_) < 0) {
    low_ = exactly(0);
  }
  if (ceiling_of(high_) > parameters_.greatest) {
    high_ = exactly(parameters_.greatest);
  }
  if (low_ == high_) {
    high_.plus += Rational(1, 1000);
  }
  crossed_ = compare(low_, high_) > 0;
  low_floor_ = floor_of(low_);
  high_floor_ = floor_of(high_);
  high_ceiling_ = ceiling_of(high_);
}

Interval CorrectionRange::at(const End& end) const {
  if (!end.at_turns) {
    return enclose(end.plus);
  }
  const auto& p = parameters_;
  const Interval log_argument = log_of(p.original_length / (2 * end.turns)) - log_of_pi();
  const Interval index = enclose(std::int64_t{p.rotary_dim}) * log_argument / (2 * log_of(p.base));
  return index + enclose(end.plus);
}

std::int64_t CorrectionRange::floor_of(const End& end) const {
  return decided(decided_floor([&] { return at(end); }));
}

std::int64_t CorrectionRange::ceiling_of(const End& end) const {
  return -decided(decided_floor([&] { return Interval(-at(end)); }));
}

int CorrectionRange::compare(const End& a, const End& b) const {
  return a == b ? 0 : decided(decided_sign([&] { return Interval(at(a) - at(b)); }));
}

PairTreatment CorrectionRange::treatment(int pair) const {
  if (crossed_) {
    return pair > high_floor_ ? PairTreatment::unchanged : PairTreatment::divided;
  }
  return pair <= low_floor_      ? PairTreatment::unchanged
         : pair >= high_ceiling_ ? PairTreatment::divided
                                 : PairTreatment::blended;
}

Interval CorrectionRange::ramp(int pair) const {
  return share_in(treatment(pair),
                  [&] { return Interval((enclose(std::int64_t{pair}) - low()) / (high() - low())); });
}

}  // namespace vernier
