#pragma once

#include <cstdint>

#include "props/models/trig_scores.hpp"

namespace vernier {

/// A matrix that stands for a generic one: thousandths between -1 and 1 without a pattern, the same for the
/// same seed everywhere. \param seed in [1, 2^31 - 2]
RationalMatrix pseudo_random_rationals(Eigen::Index rows, Eigen::Index columns, std::int64_t seed);

/// The rotation by `turns` times the angle whose cosine and sine are 3/5 and 4/5, in rational numbers: an
/// angle that is no rational part of a turn, so that no two of them are equal. What holds of it by c^2 + s^2
/// = 1 and the multiplication of rotations alone holds of every angle.
class ExactRotation {
 public:
  /// \param turns >= 0
  explicit ExactRotation(int turns) {
    const Rational c(3, 5);
    const Rational s(4, 5);
    for (int turn = 0; turn < turns; ++turn) {
      const Rational next = cosine_ * c - sine_ * s;
      sine_ = cosine_ * s + sine_ * c;
      cosine_ = next;
    }
  }

  const Rational& cosine() const { return cosine_; }
  const Rational& sine() const { return sine_; }

 private:
  Rational cosine_ = 1;
  Rational sine_ = 0;
};

}  // namespace vernier
