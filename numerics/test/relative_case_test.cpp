// Cases of the schemes of relative positions: slopes, biases and buckets.

#include <cstring>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "numerics/tensors/case_file.hpp"
#include "numerics/test/made_tensors.hpp"
#include "numerics/test/viewed_tensors.hpp"
#include "reference/test/refusal.hpp"

namespace vernier {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

Tensor floats(Shape shape) {
  std::size_t count = 1;
  for (const auto size : shape) {
    count *= size;
  }
  return tensor_of(Format::binary32, std::move(shape), std::vector(count, 0.5));
}

Tensor integers(Shape shape, const std::vector<std::int64_t>& values) {
  std::vector<std::byte> bytes(8 * values.size());
  std::memcpy(bytes.data(), values.data(), bytes.size());
  return {ElementType::int64, std::move(shape), std::move(bytes)};
}

class RelativeCases : public ::testing::Test {
 protected:
  RelativeCases() {
    folder_.write("slopes.npy", npy_bytes(floats({1, 4})));
    folder_.write("bias.npy", npy_bytes(floats({1, 4, 1, 3})));
    folder_.write("square.npy", npy_bytes(floats({4, 2, 3})));
    folder_.write("tall.npy", npy_bytes(floats({4, 3, 2})));
    folder_.write("wide.npy", npy_bytes(floats({5})));
    folder_.write("integers.npy", npy_bytes(integers({4}, {1, 2, 3, 4})));
    folder_.write("positions.npy", npy_bytes(integers({3}, {4, 5, 9})));
    folder_.write("relative.npy", npy_bytes(integers({1, 2, 2}, {-1, 0, 1, 2})));
    folder_.write("buckets.npy", npy_bytes(integers({2, 2}, {1, 0, 17, 18})));
    folder_.write("far.npy", npy_bytes(integers({2, 2}, {-1, 0, 1, std::int64_t{1} << 32})));
  }

  Case read(const std::string& spec, const std::string& rest) const {
    return read_case(
        folder_.write("case.json", std::string(R"({"name": "n", "spec": )") + spec + ", " + rest + "}"));
  }
  std::string refusal(const std::string& spec, const std::string& rest) const {
    return refusal_of([&] { read(spec, rest); });
  }

  TemporaryFolder folder_;
  const std::string alibi_ = R"({"scheme": "alibi", "num_heads": 4})";
  const std::string t5_ = R"({"scheme": "t5_bucket"})";
  const std::string rope_ = R"({"scheme": "rope", "head_dim": 4})";
};

TEST_F(RelativeCases, FitSlopesAndBiases) {
  const auto found = read(alibi_, R"("tensors": {"slopes": "slopes.npy", "bias": "bias.npy"})");
  ASSERT_EQ(found.tensors.all<BiasTensor>().size(), 2U);
  EXPECT_EQ(found.tensors.all<BiasTensor>()[0].table.role, "bias");
  EXPECT_EQ(found.tensors.all<BiasTensor>()[0].keys(), 3U);
  EXPECT_EQ(found.tensors.all<BiasTensor>()[0].contract->id, "float32");
  EXPECT_EQ(found.tensors.all<BiasTensor>()[1].table.role, "slopes");
  EXPECT_THAT(found.positions, ElementsAre(0, 1, 2));
  const auto square = read(alibi_, R"("tensors": {"bias": "square.npy", "positions": "positions.npy"})");
  EXPECT_EQ(square.tensors.all<BiasTensor>()[0].queries(), 2U);
  EXPECT_THAT(square.positions, ElementsAre(4, 5, 9));
}

TEST_F(RelativeCases, RefuseBiasesThatDoNotFit) {
  EXPECT_THAT(refusal(alibi_, R"("tensors": {"slopes": "wide.npy"})"),
              HasSubstr("wide.npy: slopes: found the shape [5], expected [4]"));
  EXPECT_THAT(
      refusal(alibi_, R"("tensors": {"bias": "tall.npy"})"),
      HasSubstr("tall.npy: bias: found the shape [4, 3, 2], expected [4, keys] or [4, queries, keys]"));
  EXPECT_THAT(refusal(alibi_, R"("tensors": {"slopes": "integers.npy"})"),
              HasSubstr("integers.npy: slopes: found int64, expected a floating-point type"));
  EXPECT_THAT(refusal(alibi_, R"("tensors": {"bias": "tall.npy", "positions": "positions.npy"})"),
              HasSubstr("tall.npy"));
  EXPECT_THAT(refusal(alibi_, R"("tensors": {"bias": "bias.npy", "positions": "integers.npy"})"),
              HasSubstr("bias.npy: bias: found 3 keys, expected 4, as many as positions"));
  EXPECT_THAT(
      refusal(alibi_, R"("tensors": {"cos": "square.npy"})"),
      HasSubstr("found a tensor for \"cos\", expected one for slopes or bias of the encoding: ALiBi"));
  EXPECT_THAT(refusal(rope_, R"("tensors": {"slopes": "slopes.npy"})"),
              HasSubstr("found a tensor for \"slopes\", expected one for cos or sin of the encoding: RoPE"));
  EXPECT_THAT(refusal(alibi_, R"("tensors": {"slopes": "slopes.npy"}, "contract": "float32-iterated")"),
              AllOf(HasSubstr("case.json: contract: found \"float32-iterated\", expected for slopes exact, "),
                    HasSubstr("bfloat16")));
}

TEST_F(RelativeCases, ReadBucketsWithTheirRelativePositions) {
  const auto found =
      read(t5_, R"("tensors": {"buckets": "buckets.npy", "relative_positions": "relative.npy"})");
  const auto& tensor = found.tensors.all<BucketTensor>().at(0);
  EXPECT_THAT(tensor.relative_positions, ElementsAre(-1, 0, 1, 2));
  EXPECT_THAT(tensor.buckets, ElementsAre(1, 0, 17, 18));
  EXPECT_EQ(tensor.contract->id, "exact");
  EXPECT_EQ(audit_elements(tensor).failing, 0U);
}

TEST_F(RelativeCases, RefuseBucketsThatCannotBeJudged) {
  EXPECT_THAT(refusal(t5_, R"("tensors": {"buckets": "buckets.npy"})"),
              HasSubstr("case.json: tensors.relative_positions: missing, expected"));
  EXPECT_THAT(refusal(t5_, R"("tensors": {"relative_positions": "relative.npy"})"),
              HasSubstr("case.json: tensors.buckets: missing, expected"));
  EXPECT_THAT(
      refusal(t5_, R"("tensors": {"buckets": "buckets.npy", "relative_positions": "positions.npy"})"),
      HasSubstr("positions.npy: relative_positions: found the shape [3], expected [2, 2], the shape of "
                "buckets"));
  EXPECT_THAT(refusal(t5_, R"("tensors": {"buckets": "buckets.npy", "relative_positions": "far.npy"})"),
              HasSubstr("far.npy: relative_positions: found element 3 to be 4294967296"));
  EXPECT_THAT(refusal(t5_, R"("tensors": {"buckets": "slopes.npy", "relative_positions": "integers.npy"})"),
              HasSubstr("slopes.npy: buckets: found element 0 not to be an integer"));
  EXPECT_THAT(refusal(t5_, R"("tensors": {"buckets": "buckets.npy", "relative_positions": "relative.npy"},
                          "contract": "faithful")"),
              HasSubstr("contract: found \"faithful\", expected for buckets exact or float32"));
  EXPECT_THAT(
      refusal(rope_, R"("tensors": {"buckets": "buckets.npy", "relative_positions": "relative.npy"})"),
      HasSubstr("found a tensor for \"buckets\", expected one for cos or sin"));
}

}  // namespace
}  // namespace vernier
