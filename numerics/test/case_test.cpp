#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "numerics/formats/safetensors.hpp"
#include "numerics/recipes/recipe_registry.hpp"
#include "numerics/tensors/case_file.hpp"
#include "numerics/test/made_tensors.hpp"
#include "reference/schemes/encoding_of.hpp"
#include "reference/schemes/rope.hpp"
#include "reference/support/input_error.hpp"
#include "reference/test/refusal.hpp"

namespace vernier {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr auto rope_of_4 = R"({"scheme": "rope", "head_dim": 4})";

Tensor zeros(ElementType type, Shape shape) {
  std::size_t bytes = traits(type).bytes;
  for (const auto size : shape) {
    bytes *= size;
  }
  return {type, std::move(shape), std::vector<std::byte>(bytes)};
}

Tensor shaped(const Tensor& tensor, Shape shape) {
  return {tensor.type(), std::move(shape), {tensor.bytes().begin(), tensor.bytes().end()}};
}

class Cases : public ::testing::Test {
 protected:
  Cases() {
    folder_.write("cos.npy", npy_bytes(zeros(ElementType::float32, {3, 2})));
    folder_.write("both.npy", npy_bytes(zeros(ElementType::float16, {1, 1, 3, 4})));
    folder_.write("bits.npy", npy_bytes(zeros(ElementType::uint16, {3, 2})));
    folder_.write("integers.npy", npy_bytes(zeros(ElementType::int32, {3, 2})));
    folder_.write("wide.npy", npy_bytes(zeros(ElementType::float32, {3, 5})));
    folder_.write("five_rows.npy", npy_bytes(zeros(ElementType::float32, {5, 2})));
    folder_.write("positions.npy", npy_bytes(positions_tensor({7, -2, 7})));
    folder_.write("five_positions.npy", npy_bytes(positions_tensor({0, 1, 2, 3, 4})));
  }

  std::filesystem::path write(const std::string& rest) const {
    return folder_.write("case.json",
                         R"({"name": "n", "spec": )" + std::string(rope_of_4) + ", " + rest + "}");
  }
  Case read(const std::string& rest) const { return read_case(write(rest)); }
  std::string refusal(const std::string& rest) const {
    return refusal_of([&] { read(rest); });
  }

  TemporaryFolder folder_;
};

TEST_F(Cases, TakeTheirSpecByTheNameOfAFile) {
  folder_.write("spec.json", R"({"scheme": "rope", "head_dim": 4})");
  const auto read = [&](const std::string& name) {
    return read_case(
        folder_.write("case.json", R"({"spec": ")" + name + R"(", "tensors": {"cos": "cos.npy"}})"));
  };
  EXPECT_EQ(read("spec.json").encoding->scheme(), "rope");
  EXPECT_THAT(refusal_of([&] { read("none.json"); }), HasSubstr("none.json: no such file"));
  folder_.write("wrong.json", R"({"scheme": "rope", "head_dim": -4})");
  EXPECT_THAT(refusal_of([&] { read("wrong.json"); }), HasSubstr("wrong.json: head_dim: found -4"));
}

TEST_F(Cases, FindTheTableOfATensorsRoleAndWidth) {
  const auto found =
      read(R"("tensors": {"cos": "cos.npy", "sin": "both.npy"}, "producer": "p", "expect": {"any": [1]})");
  EXPECT_EQ(found.name, "n");
  EXPECT_EQ(found.producer, "p");
  ASSERT_EQ(found.tensors.all<TableTensor>().size(), 2U);
  EXPECT_EQ(found.tensors.all<TableTensor>()[0].columns(), 2U);
  EXPECT_EQ(found.tensors.all<TableTensor>()[0].contract->id, "float32");
  EXPECT_EQ(found.tensors.all<TableTensor>()[1].columns(), 4U);
  EXPECT_EQ(found.tensors.all<TableTensor>()[1].rows(), 3U);
  EXPECT_THAT(found.positions, ElementsAre(0, 1, 2));
}

TEST_F(Cases, ReadPositionsOfAnyOrder) {
  EXPECT_THAT(read(R"("tensors": {"cos": "cos.npy", "positions": "positions.npy"})").positions,
              ElementsAre(7, -2, 7));
}

TEST_F(Cases, ReadBitsAsTheTypeTheyAreSaidToBe) {
  const auto found =
      read(R"("tensors": {"cos": "bits.npy"}, "dtype": {"cos": "bfloat16"}, "contract": "faithful")");
  EXPECT_EQ(found.tensors.all<TableTensor>()[0].stored(), Format::bfloat16);
  EXPECT_EQ(found.tensors.all<TableTensor>()[0].contract->id, "faithful");
}

TEST_F(Cases, TakeVectorsBeforeAndAfterTheirRotation) {
  folder_.write("heads.npy", npy_bytes(zeros(ElementType::float32, {1, 2, 3, 4})));
  folder_.write("bf16.npy", npy_bytes(zeros(ElementType::bfloat16, {2, 3, 4})));
  const auto found = read(
      R"("tensors": {"input": "heads.npy", "rotated": "bf16.npy", "positions": "positions.npy"}, "dtype": {"rotated": "bfloat16"})");
  ASSERT_EQ(found.tensors.all<RotatedTensor>().size(), 1U);
  EXPECT_EQ(found.tensors.all<RotatedTensor>()[0].rows(), 6U);
  EXPECT_THAT(found.tensors.all<RotatedTensor>()[0].leading, ElementsAre(2));
  EXPECT_THAT(found.tensors.all<RotatedTensor>()[0].positions, ElementsAre(7, -2, 7, 7, -2, 7));
  EXPECT_EQ(found.tensors.all<RotatedTensor>()[0].stored(), Format::bfloat16);
  EXPECT_EQ(found.tensors.all<RotatedTensor>()[0].contract->id, "float32");
}

TEST_F(Cases, RefuseVectorsThatCannotBeJudged) {
  folder_.write("x.npy", npy_bytes(zeros(ElementType::float32, {3, 4})));
  folder_.write("y.npy", npy_bytes(zeros(ElementType::float32, {4, 4})));
  std::vector<double> values(12, 1.0);
  values[5] = std::numeric_limits<double>::infinity();
  folder_.write("infinite.npy", npy_bytes(tensor_of(Format::binary32, {3, 4}, values)));
  EXPECT_THAT(refusal(R"("tensors": {"rotated": "x.npy"})"), HasSubstr("tensors.input: missing"));
  EXPECT_THAT(refusal(R"("tensors": {"input": "x.npy"})"), HasSubstr("tensors.rotated: missing"));
  EXPECT_THAT(refusal(R"("tensors": {"input": "x.npy", "rotated": "y.npy"})"),
              AllOf(HasSubstr("y.npy: rotated: found the shape [4, 4]"), HasSubstr("[3, 4]")));
  EXPECT_THAT(refusal(R"("tensors": {"input": "cos.npy", "rotated": "cos.npy"})"),
              AllOf(HasSubstr("cos.npy: input"), HasSubstr("[..., T, 4]")));
  EXPECT_THAT(refusal(R"("tensors": {"input": "infinite.npy", "rotated": "x.npy"})"),
              HasSubstr("element 5 to be infinite or not a number"));
  EXPECT_THAT(
      refusal(R"("tensors": {"input": "x.npy", "rotated": "x.npy", "positions": "five_positions.npy"})"),
      AllOf(HasSubstr("rotated: found 3 rows"), HasSubstr("expected 5")));
}

TEST_F(Cases, TakeLeadingDimensionsAsCopies) {
  folder_.write("copies.npy", npy_bytes(zeros(ElementType::float32, {2, 1, 3, 2})));
  folder_.write("by_copy.npy", npy_bytes(shaped(positions_tensor({0, 1, 2, 5, 6, 7}), {2, 3})));
  folder_.write("three.npy", npy_bytes(shaped(positions_tensor({0, 1, 2, 3, 4, 5, 6, 7, 8}), {3, 3})));
  const auto found = read(R"("tensors": {"cos": "copies.npy"})");
  EXPECT_THAT(found.leading, ElementsAre(2, 1));
  EXPECT_EQ(found.tensors.all<TableTensor>().front().rows(), 6U);
  EXPECT_THAT(found.positions, ElementsAre(0, 1, 2, 0, 1, 2));
  EXPECT_THAT(read(R"("tensors": {"cos": "copies.npy", "positions": "by_copy.npy"})").positions,
              ElementsAre(0, 1, 2, 5, 6, 7));
  EXPECT_THAT(refusal(R"("tensors": {"cos": "copies.npy", "positions": "three.npy"})"),
              AllOf(HasSubstr("found rows of the shape [2, 1, 3]"), HasSubstr("[3, 3]")));
  EXPECT_THAT(refusal(R"("tensors": {"cos": "cos.npy", "positions": "by_copy.npy"})"),
              HasSubstr("found rows of the shape [3]"));
  EXPECT_THAT(refusal(R"("tensors": {"cos": "copies.npy", "sin": "cos.npy"})"),
              AllOf(HasSubstr("sin: found rows of the shape [3]"), HasSubstr("expected [2, 1, 3]")));
}

/// Tables as models keep them, to be multiplied by vectors [batch, T, heads, W] or [T, batch, heads, W].
TEST_F(Cases, TakeSizesOfOneAfterTheRowsForNoCopies) {
  folder_.write("shared.npy", npy_bytes(zeros(ElementType::float32, {1, 3, 1, 2})));
  folder_.write("first.npy", npy_bytes(zeros(ElementType::float32, {3, 1, 1, 2})));
  folder_.write("batches.npy", npy_bytes(zeros(ElementType::float32, {2, 3, 1, 2})));
  folder_.write("a_row_each.npy", npy_bytes(shaped(positions_tensor({7, -2, 7}), {3, 1})));
  folder_.write("one.npy", npy_bytes(positions_tensor({5})));
  for (const std::string table : {"shared.npy", "first.npy"}) {
    const auto tensors = R"("tensors": {"cos": ")" + table + "\"";
    EXPECT_THAT(read(tensors + "}").positions, ElementsAre(0, 1, 2)) << table;
    EXPECT_THAT(read(tensors + "}").leading, ElementsAre()) << table;
    EXPECT_THAT(read(tensors + R"(, "positions": "positions.npy"})").positions, ElementsAre(7, -2, 7))
        << table;
    EXPECT_THAT(read(tensors + R"(, "positions": "a_row_each.npy"})").positions, ElementsAre(7, -2, 7))
        << table;
    EXPECT_THAT(read(tensors + R"(, "positions": "one.npy"})").positions, ElementsAre(5, 5, 5)) << table;
  }
  const auto batches = read(R"("tensors": {"cos": "batches.npy"})");
  EXPECT_THAT(batches.positions, ElementsAre(0, 1, 2, 0, 1, 2));
  EXPECT_THAT(batches.leading, ElementsAre(2));
}

TEST_F(Cases, TakeTensorsOutOfSafetensorsFiles) {
  const auto cosine = zeros(ElementType::bfloat16, {3, 2});
  write_safetensors(folder_.path() / "one.safetensors", {{"anything", cosine}}, {});
  write_safetensors(folder_.path() / "two.safetensors",
                    {{"cos", cosine}, {"a:b", zeros(ElementType::float32, {3, 4})}}, {});
  EXPECT_EQ(read(R"("tensors": {"cos": "one.safetensors"})").tensors.all<TableTensor>()[0].stored(),
            Format::bfloat16);
  EXPECT_EQ(read(R"("tensors": {"cos": "two.safetensors"})").tensors.all<TableTensor>()[0].columns(), 2U);
  EXPECT_EQ(read(R"("tensors": {"cos": "two.safetensors:a:b"})").tensors.all<TableTensor>()[0].columns(), 4U);
  EXPECT_THAT(refusal(R"("tensors": {"sin": "two.safetensors"})"),
              AllOf(HasSubstr("two.safetensors"), HasSubstr("\"cos\""), HasSubstr("named \"sin\"")));
  EXPECT_THAT(refusal(R"("tensors": {"sin": "two.safetensors:"})"), HasSubstr("no name after the colon"));
  EXPECT_THAT(refusal(R"("tensors": {"sin": "none.safetensors"})"), HasSubstr("no such file"));
}

TEST_F(Cases, RefuseWhatDoesNotFit) {
  EXPECT_THAT(
      refusal(R"("tensors": {"cos": "wide.npy"})"),
      AllOf(HasSubstr("wide.npy: cos"), HasSubstr("[3, 5]"), HasSubstr("[..., T, 2] or [..., T, 4]")));
  EXPECT_THAT(refusal(R"("tensors": {"cos": "positions.npy"})"), HasSubstr("found the shape [3]"));
  EXPECT_THAT(refusal(R"("tensors": {"encoding": "cos.npy"})"), HasSubstr("expected one for cos or sin"));
  EXPECT_THAT(refusal(R"("tensors": {"cos": "integers.npy"})"),
              AllOf(HasSubstr("found int32"), HasSubstr("floating-point")));
  EXPECT_THAT(refusal(R"("tensors": {"cos": "cos.npy", "sin": "five_rows.npy"})"),
              AllOf(HasSubstr("five_rows.npy: sin: found 5 rows"), HasSubstr("expected 3")));
  EXPECT_THAT(refusal(R"("tensors": {"cos": "five_rows.npy", "positions": "positions.npy"})"),
              AllOf(HasSubstr("found 5 rows"), HasSubstr("as many as positions")));
}

TEST_F(Cases, RefuseBadPositions) {
  for (const std::int64_t bad :
       {(std::int64_t{1} << 31) + 1, -(std::int64_t{1} << 31) - 1, std::int64_t{1} << 62}) {
    folder_.write("bad.npy", npy_bytes(positions_tensor({0, bad, 1})));
    EXPECT_THAT(
        refusal(R"("tensors": {"cos": "cos.npy", "positions": "bad.npy"})"),
        AllOf(HasSubstr("bad.npy: positions"), HasSubstr(std::to_string(bad)), HasSubstr("-2^31 to 2^31")));
  }
  constexpr double infinite = std::numeric_limits<double>::infinity();
  folder_.write("bad.npy", npy_bytes(tensor_of(Format::binary32, {3}, std::vector{0.0, infinite, 1.0})));
  EXPECT_THAT(refusal(R"("tensors": {"cos": "cos.npy", "positions": "bad.npy"})"),
              HasSubstr("element 1 to be inf, expected a finite number"));
  EXPECT_THAT(refusal(R"("tensors": {"cos": "cos.npy", "positions": "wide.npy"})"),
              HasSubstr("found rows of the shape [3]"));
}

TEST_F(Cases, TakeFractionsForPositions) {
  folder_.write("real.npy", npy_bytes(tensor_of(Format::binary32, {3}, std::vector{0.0, 0.5, -1.25})));
  const auto found = read(R"("tensors": {"cos": "cos.npy", "positions": "real.npy"})");
  EXPECT_THAT(found.positions, ElementsAre(0, 2, -5));
  EXPECT_EQ(found.position_text(1), "0.5");
  EXPECT_EQ(found.position_text(2), "-1.25");
}

TEST_F(Cases, RefuseWhatIsSaidWrongly) {
  EXPECT_THAT(refusal(R"("tensors": {"cosine": "cos.npy"})"), HasSubstr("unknown key \"cosine\""));
  EXPECT_THAT(refusal(R"("tensors": {"cos": "cos.npy"}, "tolerance": 1)"),
              HasSubstr("unknown key \"tolerance\""));
  EXPECT_THAT(refusal(R"("tensors": {"cos": "missing.npy"})"), HasSubstr("missing.npy: no such file"));
  EXPECT_THAT(refusal(R"("tensors": {"cos": 3})"), HasSubstr("tensors.cos: found 3, expected a string"));
  EXPECT_THAT(refusal(R"("tensors": {})"), HasSubstr("expected at least one"));
  EXPECT_THAT(refusal(R"("tensors": {"positions": "positions.npy"})"), HasSubstr("expected at least one"));
  EXPECT_THAT(refusal(R"("tensors": {"cos": "cos.npy"}, "contract": "loose")"),
              AllOf(HasSubstr("found \"loose\""), HasSubstr("faithful"), HasSubstr("float32-iterated")));
  EXPECT_THAT(refusal(R"("tensors": {"cos": "cos.npy"}, "dtype": {"cos": "bfloat16"})"),
              HasSubstr("found float32, expected bfloat16"));
  EXPECT_THAT(refusal(R"("tensors": {"cos": "bits.npy"}, "dtype": {"cos": "fp8"})"),
              HasSubstr("dtype.cos: found \"fp8\""));
  EXPECT_THAT(refusal(R"("tensors": {"cos": "cos.npy"}, "dtype": {"sin": "bfloat16"})"),
              HasSubstr("dtype.sin"));
}

TEST_F(Cases, RefuseRowsBeyondTheLastPosition) {
  folder_.write(
      "case.json",
      R"({"spec": {"scheme": "sinusoidal", "d_model": 2, "first_position": 2147483647}, "tensors": {"encoding": "cos.npy"}})");
  EXPECT_THROW(read_case(folder_.path() / "case.json"), InputError);
}

/// A file that takes no room on the disk, and has no more than its header says.
TEST_F(Cases, RefuseMoreRowsThanPositionsAreHeldFor) {
  const auto header = npy_bytes(npy_header("<f4", "(134217728, 2)"), "");
  folder_.write("vast.npy", header);
  std::filesystem::resize_file(folder_.path() / "vast.npy", header.size() + (std::uintmax_t{8} << 27));
  folder_.write("case.json",
                R"({"spec": {"scheme": "sinusoidal", "d_model": 2}, "tensors": {"encoding": "vast.npy"}})");
  EXPECT_THAT(refusal_of([&] { read_case(folder_.path() / "case.json"); }),
              HasSubstr("found 134217728 rows, expected at most 67108864 at once"));
}

/// The parts of a case that a plug-in answered, and its refusal.
std::string refusal_of_parts(std::map<std::string, NamedTensor, std::less<>> tensors) {
  return refusal_of([&] {
    assemble_case({"the plug-in", "n", "", std::move(tensors), std::nullopt},
                  std::make_unique<RopeEncoding>(RopeSpec{.head_dim = 4}));
  });
}

TEST(AssembledCases, TakeTensorsFromMemory) {
  const NamedTensor cosine{"the plug-in's cos", zeros(ElementType::float32, {3, 2})};
  EXPECT_EQ(refusal_of_parts({{"cos", cosine}}), "");
  EXPECT_THAT(refusal_of_parts({{"encoding", cosine}}), HasSubstr("the plug-in's cos: found a tensor for"));
  EXPECT_THAT(refusal_of_parts({{"cosine", cosine}}), HasSubstr("found a tensor for \"cosine\""));
  EXPECT_THAT(refusal_of_parts({{"cos", {"the plug-in's cos", zeros(ElementType::float32, {0, 2})}}}),
              AllOf(HasSubstr("[0, 2]"), HasSubstr("at least one element")));
}

TEST(TensorAudit, FindsTheRowOfTheWorstElementAmongRepeatedPositions) {
  const auto table = RopeSpec{.head_dim = 8}.table(Component::cosine);
  const std::vector<std::int64_t> positions{5, 5, 5, -3};
  const RecipeTable honest(recipes().front(), table, Format::binary32);
  auto values = values_of(honest, positions);
  values[9] = next_up(Format::binary32, next_up(Format::binary32, next_up(Format::binary32, values[9])));
  const TableTensor tensor{table, tensor_of(Format::binary32, {4, 4}, values), contract_named("faithful")};
  const auto audit = audit_tensor(tensor, table, positions);
  EXPECT_EQ(audit.failing, 1U);
  EXPECT_EQ(audit.first_failing->place.row, 2);
  EXPECT_EQ(audit.worst->place.row, 2);
  EXPECT_EQ(audit.worst->place.column, 1U);
}

}  // namespace
}  // namespace vernier
