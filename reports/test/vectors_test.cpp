// Test vectors: their values are those of the version, the runners judge by them, and what they hold is the
// truth.

#include <cmath>
#include <cstdlib>
#include <limits>
#include <memory>
#include <tuple>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "numerics/errors/metrics.hpp"
#include "numerics/formats/sha256.hpp"
#include "reports/exchange/vectors/selection.hpp"
#include "reports/exchange/vectors/vector_tensor.hpp"
#include "reports/test/program.hpp"

namespace vernier {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

VectorGroup group_of(const std::string& spec, std::int64_t length, std::vector<std::int64_t> positions) {
  return {"made", "Made for a test.", OrderedJson::parse(spec), length, std::move(positions)};
}

const auto vector_rope = R"({"scheme": "rope", "head_dim": 8, "layout": "half"})";

/// The program, and the vectors that it wrote once for all tests.
class TestVectors : public Program {
 protected:
  static void SetUpTestSuite() {
    folder_of_vectors = std::make_unique<TemporaryFolder>();
    const auto command = "told=$('" VERNIER_PROGRAM "' vectors -o '" + name_of("") +
                         "') && echo \"$told\" > '" + name_of("told") + "'";
    ASSERT_EQ(std::system(command.c_str()), 0);
  }
  static void TearDownTestSuite() { folder_of_vectors.reset(); }

  static std::string name_of(const std::string& file) { return (folder_of_vectors->path() / file).string(); }
  std::string text_of(const std::string& file) const { return slurp(name_of(file)); }

  /// Runs a runner on the vectors, as it is and after a change that breaks it. \param command RUNNER and
  /// VECTORS stand for both
  void expect_judged(const std::string& runner, const std::string& command, const std::string& change) const {
    const auto commands = "VECTORS='" + name_of("") + "'; RUNNER=" + runner + "; " + command;
    const auto kept = shell("cp '" + name_of(runner) + "' . && { " + commands + "; }");
    EXPECT_EQ(kept.exit_code, 0) << kept.out << kept.err;
    EXPECT_THAT(kept.out, StartsWith("0 of "));
    const auto broken =
        shell("sed '" + change + "' '" + name_of(runner) + "' > " + runner + " && { " + commands + "; }");
    EXPECT_EQ(broken.exit_code, 1) << broken.out << broken.err;
    EXPECT_THAT(broken.out, AllOf(Not(StartsWith("0 of ")), HasSubstr("are beyond their budgets")));
  }

 private:
  static inline std::unique_ptr<TemporaryFolder> folder_of_vectors;
};

/// Whoever vendors vectors sees by their version whether any number is another. If this fails because values
/// were meant to change, raise `version` in reports/exchange/vectors/selection.json and put the new digest
/// here.
TEST_F(TestVectors, HaveTheValuesOfTheirVersion) {
  EXPECT_EQ(built_in_selection().version, 2);
  EXPECT_EQ(sha256(text_of("vectors.safetensors")),
            "6efe0f3a09440062e483e57987602d3e8e1f551b1d7b831302ab007d6bb63a0d");
}

/// What is promised to those who vendor them: 3 MB that kill 95 % of the mutants.
TEST_F(TestVectors, AreSmallAndTellWhatTheyKill) {
  EXPECT_LE(text_of("vectors.safetensors").size() + text_of("vectors.json").size(), 3'000'000U);
  const auto& tried = built_in_selection().measured["tried_on"];
  EXPECT_GE(tried["killed"].get<double>(), 0.95 * tried["mutants"].get<double>());
  EXPECT_EQ(tried["honest_refused"], 0);
  EXPECT_THAT(text_of("told"), HasSubstr(std::to_string(tried["mutants"].get<int>()) + " mutants"));
}

/// Those of an earlier run may be replaced.
TEST_F(TestVectors, AreWrittenIntoNoFolderOfOtherFiles) {
  std::filesystem::copy(name_of(""), folder_.path() / "written");
  expect_refused("vectors -o written", "written/told: is there already");
  folder_.write("written/vectors.json", "{}");
  expect_refused("vectors -o written", "written/run.c: is there already");
  expect_refused("vectors -o .", "./bad.json: is there already");
  EXPECT_FALSE(std::filesystem::exists(folder_.path() / "vectors.json"));
}

TEST_F(TestVectors, AreRefusedWhereNoFolderCanBe) {
  expect_refused("vectors -o spec.json", "spec.json");
  expect_refused("vectors", "--output");
}

TEST_F(TestVectors, AreKeptInPythonAndBrokenByASign) {
  if (std::string(VERNIER_PYTHON).empty()) {
    GTEST_SKIP() << "no Python";
  }
  expect_judged("run.py", VERNIER_PYTHON " $RUNNER \"$VECTORS\"", R"(s/- x\[b\] \* s/+ x[b] * s/)");
}

TEST_F(TestVectors, AreKeptInJavaScriptAndBrokenByADirection) {
  expect_judged("run.mjs", VERNIER_NODE " $RUNNER \"$VECTORS\"", "s/Math.sin(phase)/Math.sin(-phase)/");
}

TEST_F(TestVectors, AreKeptInCAndBrokenByABase) {
  expect_judged("run.c",
                VERNIER_C_COMPILER " -ffp-contract=off $RUNNER -o runner -lm && ./runner \"$VECTORS\"",
                "s/powf(10000,/powf(10010,/");
}

TEST_F(TestVectors, AreKeptInRustAndBrokenByABase) {
  if (std::string(VERNIER_RUSTC).empty()) {
    GTEST_SKIP() << "no Rust";
  }
  expect_judged("run.rs", VERNIER_RUSTC " --edition 2021 $RUNNER -o runner && ./runner \"$VECTORS\"",
                "s/10000f32/10010f32/");
}

TEST_F(TestVectors, AreKeptInGoAndBrokenByAFrequency) {
  if (std::string(VERNIER_GO).empty()) {
    GTEST_SKIP() << "no Go";
  }
  expect_judged("run.go", "GOCACHE=\"$PWD/cache\" " VERNIER_GO " run $RUNNER \"$VECTORS\"",
                "s/float64(2\\*i)/float64(2*i+2)/");
}

TEST_F(TestVectors, AreKeptInJavaAndBrokenByADirection) {
  if (std::string(VERNIER_JAVAC).empty()) {
    GTEST_SKIP() << "no JDK";
  }
  expect_judged("run.java", "java -XX:TieredStopAtLevel=1 $RUNNER \"$VECTORS\"",
                "s/Math.sin(phase)/Math.sin(-phase)/");
}

/// The float64 number, and what the truth has beyond it.
TEST(VectorTensor, HoldsTheTruthInTwoParts) {
  const auto group = group_of(vector_rope, 16, {1, 5});
  const auto tensors = vector_tensors(*group.encoding(), group.positions);
  ASSERT_EQ(tensors.size(), 3U);
  for (const auto& tensor : tensors) {
    for (std::size_t i = 0; i < tensor.elements(); ++i) {
      const double nearest = tensor.rounded_to(Format::binary64, i);
      EXPECT_LE(std::fabs(tensor.rest(i)), ulp_at(Format::binary64, nearest) / 2);
      const auto truth = tight_enclosure(tensor.real(i));
      EXPECT_LE(std::fabs(signed_error(nearest, truth) + tensor.rest(i)), 0x1p-98) << tensor.role << i;
    }
  }
}

/// Whatever the axes that pairs turn by: y_a = x_a c - x_b s, y_b = x_b c + x_a s in halves, with the table's
/// own cosines and sines.
TEST(VectorTensor, RotatesByItsOwnTables) {
  for (const auto* spec :
       {vector_rope, R"({"scheme": "axial_rope", "head_dim": 16, "reading": "ggml_vision", "grid_width": 5})",
        R"({"scheme": "axial_rope", "head_dim": 16, "reading": "llama4_vision", "grid_width": 5})"}) {
    const auto group = group_of(spec, 25, {2, 9, 23});
    const auto tensors = vector_tensors(*group.encoding(), group.positions);
    ASSERT_EQ(tensors.size(), 3U) << spec;
    const auto& [cosines, sines, rotated] = std::tie(tensors[0], tensors[1], tensors[2]);
    const bool is_half = group.encoding()->spec()["layout"] == "half";
    const auto pairs = cosines.consecutive;
    for (std::size_t i = 0; i < cosines.elements(); ++i) {
      const auto first = i / pairs * 2 * pairs;
      const auto a = first + (is_half ? i % pairs : 2 * (i % pairs));
      const auto b = a + (is_half ? pairs : 1);
      const double c = cosines.rounded_to(Format::binary64, i);
      const double s = sines.rounded_to(Format::binary64, i);
      EXPECT_NEAR(rotated.rounded_to(Format::binary64, a), rotated.input[a] * c - rotated.input[b] * s, 1e-14)
          << spec;
      EXPECT_NEAR(rotated.rounded_to(Format::binary64, b), rotated.input[b] * c + rotated.input[a] * s, 1e-14)
          << spec;
      // Budgets of a pair are those of its own phase: no more than 40 u, the greatest phase being 23.
      EXPECT_LT(rotated.budgets.at("float64@float64")[a], 40 * 23 * 0x1p-53) << spec;
    }
  }
}

TEST(VectorTensor, ProvesNothingOfVectorsThatTheFormatDoesNotHold) {
  const auto group = group_of(vector_rope, 16, {2, 3});
  const auto rotated = vector_tensors(*group.encoding(), group.positions, "rotated").front();
  const auto& narrow = rotated.budgets.at("float32@bfloat16");
  EXPECT_LT(narrow.front(), 1);
  EXPECT_EQ(narrow.back(), std::numeric_limits<double>::infinity());
  EXPECT_LT(rotated.budgets.at("float32@float32").back(), 1e-5);
}

TEST(VectorTensor, RoundsBudgetsUp) {
  EXPECT_EQ(rounded_up(1), 1);
  EXPECT_EQ(rounded_up(1 + 0x1p-40), 1 + 0x1p-7);
  EXPECT_EQ(rounded_up(std::numeric_limits<double>::infinity()), std::numeric_limits<double>::infinity());
}

TEST(RowFlags, SayWhatARowIsFor) {
  const auto group = group_of(R"({"scheme": "t5_bucket"})", 512, {});
  const auto encoding = group.encoding();
  const auto context = group.context(*encoding);
  const auto positions = group.rows(*encoding);
  const auto tensors = vector_tensors(*encoding, positions);
  const auto flags = [&](std::int64_t position) {
    return flags_of({*encoding, context, position, tensors, static_cast<std::size_t>(position + 256)});
  };
  EXPECT_THAT(flags(-256), Contains("first-row"));
  EXPECT_THAT(flags(255), Contains("last-row"));
  EXPECT_THAT(flags(-32), Contains("bucket-edge"));  // 8 16^(1/2): an edge by the definition
  EXPECT_THAT(flags(-33), Not(Contains("bucket-edge")));
  EXPECT_THAT(flags(1), Contains("bucket-step"));
}

TEST(RowFlags, CallASubnormalNumberWhatFloat16RoundsToOne) {
  for (const double sign : {1, -1}) {
    for (const double value : {0x1.8p-25, 0x1p-24, 0x1p-20, 0x1.ff8p-15}) {
      EXPECT_TRUE(is_subnormal_float16(sign * value)) << value;
    }
    for (const double value : {0.0, 0x1p-60, 0x1p-25, 0x1.fffffp-15, 0x1p-14, 1.0}) {
      EXPECT_FALSE(is_subnormal_float16(sign * value)) << value;
    }
  }
}

}  // namespace
}  // namespace vernier
