// Bounds are proved for rounding to nearest with subnormal numbers: another arithmetic is refused.

#include "reference/ladder/float_environment.hpp"

#include <cfenv>
#include <cstddef>
#include <vector>

#include <gtest/gtest.h>

#include "reference/ladder/rounded_table.hpp"
#include "reference/schemes/rope.hpp"
#include "reference/support/input_error.hpp"

#if defined(__SSE__)
#include <xmmintrin.h>
#endif

namespace vernier {
namespace {

TEST(FloatEnvironment, AnotherRoundingModeIsRefused) {
  const RoundedTable ladder(RopeSpec{.head_dim = 32}.table(Component::cosine), {0, 1, 4}, Format::binary32);
  std::vector<std::byte> out(4 * ladder.row_bytes());
  std::fesetround(FE_UPWARD);
  EXPECT_THROW(ladder.write(0, 4, out), InputError);
  std::fesetround(FE_TONEAREST);
  EXPECT_NO_THROW(ladder.write(0, 4, out));
}

#if defined(__SSE__)
TEST(FloatEnvironment, FlushingSubnormalsIsRefused) {
  constexpr unsigned flush_to_zero = 0x8000;
  constexpr unsigned denormals_are_zero = 0x0040;
  const auto before = _mm_getcsr();
  for (const auto flag : {flush_to_zero, denormals_are_zero}) {
    _mm_setcsr(before | flag);
    EXPECT_THROW(require_ieee_arithmetic(), InputError);
    _mm_setcsr(before);
  }
  EXPECT_NO_THROW(require_ieee_arithmetic());
}
#endif

}  // namespace
}  // namespace vernier
