#include "numerics/program/declared.hpp"

#include "reference/support/refusal.hpp"

namespace vernier::program {

Declared::Declared(const Frequencies& frequencies, std::string_view who)
    : exact(frequencies),
      progression(required_progression(frequencies, who)),
      scaling(frequencies.scaled() != nullptr ? frequencies.scaled()->scaling : RopeScaling()),
      base(progression.base),
      numerator(Rational(boost::multiprecision::numerator(progression.step))),
      denominator(Rational(boost::multiprecision::denominator(progression.step))) {}

const GeometricFrequencies* progression_from_one(const Frequencies& frequencies) {
  const auto* scaled = frequencies.scaled();
  const auto* progression = scaled != nullptr ? &scaled->unscaled : frequencies.geometric();
  const bool descends = progression != nullptr && progression->offset == 0 && progression->step > 0;
  return descends ? progression : nullptr;
}

const GeometricFrequencies& required_progression(const Frequencies& frequencies, std::string_view who) {
  const auto* progression = progression_from_one(frequencies);
  refuse_if(
      progression == nullptr,
      "{} is for frequencies that descend from 1 in a geometric progression, and those of this encoding do "
      "not",
      who);
  return *progression;
}

}  // namespace vernier::program
