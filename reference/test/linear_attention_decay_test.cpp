// The rates at which heads of linear attention forget, worked out by hand, and what is refused.

#include <memory>
#include <string>

#include <gmock/gmock.h>

#include "reference/test/parsed.hpp"
#include "reference/test/rounds_to.hpp"

namespace vernier {
namespace {

using ::testing::StrEq;

std::unique_ptr<Encoding> parsed_decay(const std::string& keys) {
  return parsed(R"({"scheme": "decay", )" + keys + "}");
}

Interval decay(const std::string& keys, std::size_t head) {
  const WorkingPrecision precision(128);
  return parsed_decay(keys)->all<BiasTable>().at(0).entry(head, 1)();
}

/// torchscale: log(1 - 2 ** (-5 - arange(heads))).
TEST(LinearAttentionDecay, OfRetnetIsTheLogarithmOfWhatIsKept) {
  EXPECT_TRUE(rounds_to(decay(R"("num_heads": 8)", 0), "-0.03174869831458030"));
  EXPECT_TRUE(rounds_to(decay(R"("num_heads": 8, "as": "rate")", 0), "0.03174869831458030"));
  EXPECT_EQ(decay(R"("num_heads": 8, "as": "factor")", 3), 1 - enclose(0x1p-8));
}

/// vllm, minimax_text_01: slopes of ALiBi times 1 - l/(L - 1) + 1e-5; transformers, modeling_minimax: the
/// divisor is L - 1 + 1e-5.
TEST(LinearAttentionDecay, OfLightningDiffersByVariantInTheLastLayer) {
  const std::string last = R"("rule": "lightning", "num_heads": 8, "num_layers": 80, "layer": 79)";
  EXPECT_TRUE(rounds_to(decay(last, 0), "0.000005000000000"));
  EXPECT_TRUE(rounds_to(decay(last + R"(, "variant": "huggingface")", 0), "0.000005063291131"));
  EXPECT_TRUE(rounds_to(decay(R"("rule": "lightning", "num_heads": 8, "num_layers": 1, "layer": 0)", 1),
                        "0.2500025"));
}

/// Press interpolates the slopes of 12 heads, Hugging Face does not.
TEST(LinearAttentionDecay, OfLightningDiffersByVariantWhereHeadsAreNoPowerOfTwo) {
  const std::string twelve = R"("rule": "lightning", "num_heads": 12, "num_layers": 1, "layer": 0)";
  EXPECT_TRUE(rounds_to(decay(twelve, 0), "0.500005"));
  EXPECT_TRUE(rounds_to(decay(twelve + R"(, "variant": "huggingface")", 0), "0.629966824553"));
}

/// flash-linear-attention: 8/H (1 - l/L) h, h from 0: the first head never forgets.
TEST(LinearAttentionDecay, OfTransnormerIsLinearInTheHead) {
  const std::string middle = R"("rule": "transnormer", "num_heads": 16, "num_layers": 4, "layer": 1)";
  EXPECT_EQ(decay(middle, 0), 0);
  EXPECT_EQ(decay(middle, 2), enclose(0.75));
  EXPECT_EQ(decay(middle + R"(, "as": "factor")", 0), 1);
  EXPECT_TRUE(rounds_to(decay(middle + R"(, "as": "factor")", 2), "0.472366552741014707"));
}

TEST(LinearAttentionDecay, WrittenOutMeansTheSame) {
  for (const std::string keys :
       {R"("num_heads": 3, "as": "factor")",
        R"("rule": "lightning", "variant": "huggingface", "num_heads": 3, "num_layers": 2, "layer": 1)"}) {
    const auto encoding = parsed_decay(keys);
    const auto again = parsed(encoding->spec().dump());
    EXPECT_EQ(again->spec(), encoding->spec());
    EXPECT_EQ(again->summary(), encoding->summary());
  }
}

TEST(LinearAttentionDecay, IsRefusedWhereItMeansNothing) {
  const auto expect_refused = [](const std::string& keys, const std::string& sentence) {
    EXPECT_THAT(refusal_of([&] { parsed_decay(keys); }), StrEq("case.json: " + sentence)) << keys;
  };
  expect_refused(R"("num_heads": 65)", "spec.num_heads: found 65, expected an integer from 1 to 64");
  expect_refused(R"("num_heads": 4, "layer": 0)",
                 "spec: found the unknown key \"layer\", expected only scheme, rule, as, num_heads");
  expect_refused(R"("rule": "lightning", "num_heads": 4, "num_layers": 2, "layer": 2)",
                 "spec.layer: found 2, expected an integer from 0 to 1");
}

}  // namespace
}  // namespace vernier
