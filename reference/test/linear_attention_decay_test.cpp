// What heads of linear attention keep of the last token, by default, and what is refused.

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
