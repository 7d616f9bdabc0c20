#include "reference/support/nearest_names.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace vernier {
namespace {

using ::testing::ElementsAre;

TEST(NearestNames, PutsTheLikeliestFirst) {
  const std::vector<std::string> names{"gpt2", "llama-2-7b", "llama-3.1-8b", "llama-7b", "phi-2"};
  EXPECT_THAT(nearest_names("phi-2", names, 1), ElementsAre("phi-2"));
  EXPECT_THAT(nearest_names("phi2", names, 1), ElementsAre("phi-2"));
  EXPECT_THAT(nearest_names("gpt3", names, 1), ElementsAre("gpt2"));
  // Three letters left out weigh less than three wrong ones.
  EXPECT_THAT(nearest_names("llama-3.1", names, 2), ElementsAre("llama-3.1-8b", "llama-7b"));
  EXPECT_THAT(nearest_names("lama-7b", names, 2), ElementsAre("llama-7b", "llama-2-7b"));
}

/// Names that are equally far stay in their order.
TEST(NearestNames, KeepsTheOrderOfEquals) {
  const std::vector<std::string> names{"ab", "ac", "ad"};
  EXPECT_THAT(nearest_names("a", names, 3), ElementsAre("ab", "ac", "ad"));
  EXPECT_THAT(nearest_names("", names, 0), ElementsAre());
}

TEST(NearName, IsTheLikeliestUnlessHalfOfTheWordIsWrong) {
  const std::vector<std::string> names{"scheme", "head_dim", "rope_theta"};
  EXPECT_EQ(near_name("headdim", names), "head_dim");
  EXPECT_EQ(near_name("theta", names), "rope_theta");
  EXPECT_EQ(near_name("rope_tehta", names), "rope_theta");
  // Of two letters one may be wrong: three for it and five that are left out are more than that.
  EXPECT_EQ(near_name("zd", names), std::nullopt);
  EXPECT_EQ(near_name("layout", names), std::nullopt);
  EXPECT_EQ(near_name("layout", {}), std::nullopt);
}

}  // namespace
}  // namespace vernier
