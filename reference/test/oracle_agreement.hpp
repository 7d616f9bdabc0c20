#pragma once

#include <cstddef>
#include <cstdint>
#include <iostream>
#include <random>
#include <string>
#include <string_view>

#include <gtest/gtest.h>
#include <mpfi.h>

#include "reference/numbers/interval.hpp"
#include "reference/test/ball.hpp"

namespace vernier::oracle {

/// The library's precision leaves 100 bits where a phase of 2^31 takes 31 and a sine near its zero some more.
inline constexpr unsigned library_bits = 256;
inline constexpr slong narrow_bits = 100;

/// Whether an enclosure of the library and a ball may be of one number, and both are narrow. Zero is known
/// exactly by who knows it: where the oracle does, the library must.
inline bool agree(const Interval& ours, const Ball& theirs) {
  const auto* ends = ours.backend().data();
  Ball ball;
  arb_set_interval_mpfr(ball.get(), &ends->left, &ends->right, 2 * mp_limb_signed_t{library_bits});
  if (arb_is_zero(theirs.get()) != 0) {
    return arb_is_zero(ball.get()) != 0;
  }
  if (arb_is_zero(ball.get()) != 0) {
    return arb_contains_zero(theirs.get()) != 0;
  }
  return arb_rel_accuracy_bits(ball.get()) > narrow_bits &&
         arb_rel_accuracy_bits(theirs.get()) > narrow_bits && arb_overlaps(ball.get(), theirs.get()) != 0;
}

/// How many numbers were compared, and how many disagree with the oracle: the first five fail the test by
/// name.
struct AgreementTally {
  std::size_t numbers = 0;
  std::size_t disagreements = 0;

  void add(bool agrees, const std::string& what) {
    ++numbers;
    disagreements += agrees ? 0 : 1;
    EXPECT_TRUE(agrees || disagreements > 5) << what;
  }
};

/// Tells how many numbers of a scheme were compared, and requires that none disagreed.
inline void tell(const AgreementTally& tally, std::string_view what, std::size_t least) {
  std::cout << tally.numbers << " numbers of " << what << " compared: " << tally.disagreements
            << " disagreements\n";
  EXPECT_EQ(tally.disagreements, 0U);
  EXPECT_GE(tally.numbers, least);
}

/// A position or an offset of any size up to 2^31 and either sign.
inline std::int64_t drawn_position(std::mt19937_64& engine) {
  const auto magnitude = static_cast<std::int64_t>(engine() >> (33 + engine() % 31));
  return engine() % 2 == 0 ? magnitude : -magnitude;
}

}  // namespace vernier::oracle
