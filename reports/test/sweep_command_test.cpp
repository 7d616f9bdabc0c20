// `vernier sweep`, run as people run it.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include "reports/test/program.hpp"

namespace vernier {
namespace {

using ::testing::HasSubstr;

TEST_F(Program, SweepsTablesOfSinesAndCosinesOnly) {
  folder_.write("alibi.json", R"({"scheme": "alibi", "num_heads": 8})");
  expect_refused("sweep --spec alibi.json --recipe float32-pow --positions 0:9", "alibi.json: scheme: found");
  folder_.write("list.json", R"({"scheme": "frequency_list", "frequencies": [1, 0.3]})");
  expect_refused("sweep --spec list.json --recipe float32-pow --positions 0:9",
                 "float32-pow is for frequencies that descend from 1 in a geometric progression");
}

TEST_F(Program, SweepsARecipeAndSaysHowFarItIsGood) {
  folder_.write("rope.json", R"({"scheme": "rope", "head_dim": 8})");
  const auto swept = run("sweep --spec rope.json --recipe float32-pow --positions 0:20000");
  EXPECT_EQ(swept.exit_code, 0) << swept.err;
  EXPECT_THAT(swept.out, HasSubstr("160000 elements audited, all of positions 0 to 19999"));
  EXPECT_THAT(swept.out, HasSubstr("contract float32: kept"));
  EXPECT_THAT(
      swept.out,
      HasSubstr("99 % below: upper bounds, up to 1.25 times too large, of phase roundings up to 2.3 times"));
  EXPECT_THAT(swept.out, HasSubstr("2^-8  1 ulp of bfloat16   19999, the last one swept"));
  // Pair 0 has frequency 1, so that its sines and cosines are the C library's, good to an ulp: the first
  // error of 2^-24 or more is pair 1's, whose frequency is rounded.
  EXPECT_THAT(swept.out, HasSubstr("1 ulp of float64    0\n")) << swept.out;
}

TEST_F(Program, SweepsFloat16ToWhereItOverflows) {
  folder_.write("rope.json", R"({"scheme": "rope", "head_dim": 4})");
  const auto swept = run("sweep --spec rope.json --recipe float16-throughout --positions 65000:66000");
  EXPECT_EQ(swept.exit_code, 0) << swept.err;
  EXPECT_THAT(swept.out, HasSubstr("not finite 1920"));
  EXPECT_THAT(swept.out, HasSubstr("the first at position 65520, "));
}

TEST_F(Program, RefusesSweepsItCannotMake) {
  const std::vector<std::pair<std::string, std::string>> refused{
      {"--recipe float32 --positions 0:9", "--recipe: found \"float32\", expected one of float64-pow, "},
      {"--recipe float32-pow --positions 0:9 --dtype int8", "--dtype: found \"int8\""},
      {"--recipe float32-pow --positions 0:9 --contract x", "--contract: found \"x\""},
      {"--recipe float32-pow --positions 0:2147483650", "expected positions from -2^31 to 2^31"},
  };
  for (const auto& [arguments, sentence] : refused) {
    const auto conclusion = run("sweep --spec spec.json " + arguments);
    EXPECT_EQ(conclusion.exit_code, 2) << arguments;
    EXPECT_THAT(conclusion.err, HasSubstr(sentence)) << arguments;
  }
}

TEST_F(Program, SweepsSixteenMillionPositionsInLittleMemory) {
  folder_.write("rope.json", R"({"scheme": "rope", "head_dim": 2})");
  const auto swept = run("sweep --spec rope.json --recipe float32-pow --positions 0:2^24");
  EXPECT_EQ(swept.exit_code, 0) << swept.err;
  EXPECT_THAT(swept.out, HasSubstr("33554432 elements audited"));
#ifndef __SANITIZE_ADDRESS__  // which keeps what is freed
  rusage children{};
  ASSERT_EQ(getrusage(RUSAGE_CHILDREN, &children), 0);
  EXPECT_LT(children.ru_maxrss, 256 * 1024) << "KiB";
#endif
}

}  // namespace
}  // namespace vernier
