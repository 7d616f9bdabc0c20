#include "reports/progress.hpp"

#include <gtest/gtest.h>

namespace vernier {
namespace {

TEST(Progress, TellsTheShareAndTheTimeLeft) {
  EXPECT_EQ(progress_words("audit", 0.5, 30), "audit: 50 %, 30 s left");
  EXPECT_EQ(progress_words("audit", 0.25, 50), "audit: 25 %, 2 min 30 s left");
  EXPECT_EQ(progress_words("audit", 0.1, 3600), "audit: 10 %, 9 h 0 min left");
  EXPECT_EQ(progress_words("audit", 0.999, 100), "audit: 99 %, 1 s left") << "not done yet";
  EXPECT_EQ(progress_words("audit", 0, 5), "audit: 0 %") << "nothing to tell the rest from";
}

}  // namespace
}  // namespace vernier
