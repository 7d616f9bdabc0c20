// `vernier cost`: what it says of recipes, contracts, cases and vectors, and what it refuses.

#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "numerics/processes/rows.hpp"
#include "reference/test/parsed.hpp"
#include "reports/test/program.hpp"

namespace vernier {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

class CostCommand : public Program {
 protected:
  CostCommand() {
    folder_.write("rope.json", R"({"scheme": "rope", "head_dim": 16})");
    folder_.write("yarn.json", R"({"scheme": "rope", "head_dim": 16, "rope_scaling": {"rope_type": "yarn",
        "factor": 8, "original_max_position_embeddings": 64}})");
    const auto tables = parsed(R"({"scheme": "rope", "head_dim": 16})")->plain_tables();
    const auto positions = positions_from(0, 64);
    std::string roles;
    for (const auto& table : tables) {
      if (table.role == "cos" || table.role == "sin") {
        const auto values = values_of(RecipeTable(recipes().front(), table, Format::binary32), positions);
        folder_.write(table.role + ".npy",
                      npy_bytes(tensor_of(Format::binary32, {64, table.columns.size()}, values)));
        roles =
            roles.find(table.role) == std::string::npos
                ? roles + (roles.empty() ? "" : ", ") + "\"" + table.role + "\": \"" + table.role + ".npy\""
                : roles;
      }
    }
    folder_.write(
        "case.json",
        R"({"name": "tables", "spec": {"scheme": "rope", "head_dim": 16}, "tensors": {)" + roles + "}}");
    folder_.write("cos_only.json", R"({"name": "half", "spec": {"scheme": "rope", "head_dim": 16},
        "tensors": {"cos": "cos.npy"}})");
    std::vector<double> vectors(64 * 16);
    for (std::size_t i = 0; i < vectors.size(); ++i) {
      vectors[i] = static_cast<double>(i * 37 % 19) / 8 - 1;
    }
    folder_.write("q.npy", npy_bytes(tensor_of(Format::binary32, {64, 16}, vectors)));
  }

  /// NAME.json with 16 positions and tables of 16 columns, the cosine and the sine of phases p 10000^(-i/8).
  /// \param step between positions \param second what multiplies the columns of second dimensions
  template <class Turn>
  void write_tables(const std::string& name, int step, const Turn& turn, double second = 1) const {
    std::vector<double> cosines;
    std::vector<double> sines;
    std::vector<std::int64_t> positions;
    for (int row = 0; row < 16; ++row) {
      positions.push_back(row * step);
      for (int column = 0; column < 16; ++column) {
        const auto [c, s] = turn(row * step * std::pow(10000.0, -(column % 8) / 8.0));
        const double factor = column < 8 ? 1 : second;
        cosines.push_back(c * factor);
        sines.push_back(s * factor);
      }
    }
    folder_.write(name + "_cos.npy", npy_bytes(tensor_of(Format::binary64, {16, 16}, cosines)));
    folder_.write(name + "_sin.npy", npy_bytes(tensor_of(Format::binary64, {16, 16}, sines)));
    folder_.write(name + "_at.npy", npy_bytes(integer_tensor({16}, positions)));
    folder_.write(name + ".json",
                  fmt::format(R"({{"name": "{0}", "spec": {{"scheme": "rope", "head_dim": 16}}, "tensors":
      {{"cos": "{0}_cos.npy", "sin": "{0}_sin.npy", "positions": "{0}_at.npy"}}}})",
                              name));
  }

  nlohmann::json document(const std::string& words) const {
    return nlohmann::json::parse(run("cost " + words + " --json -").out);
  }
};

TEST_F(CostCommand, SaysTheAnswerFirst) {
  const auto right = run("cost --spec rope.json --recipe float32-pow --context 2000");
  EXPECT_EQ(right.exit_code, 0);
  EXPECT_THAT(right.out, StartsWith("Errors of the encoding explain a KL of at most "));
  const auto wrong = run("cost --spec rope.json --recipe bfloat16-frequency --context 2000");
  EXPECT_THAT(wrong.out,
              AllOf(StartsWith("Errors of the encoding explain a KL of 0."), HasSubstr("drawn attention")));
}

TEST_F(CostCommand, SaysHowMuchOfAMeasuredKlPositionsExplain) {
  EXPECT_THAT(run("cost --spec rope.json --recipe float32-pow --context 2000 --kl 0.012").out,
              AllOf(StartsWith("Errors of the encoding explain at most "), HasSubstr("of your KL of 0.012")));
  EXPECT_THAT(run("cost --spec rope.json --recipe bfloat16-frequency --context 2000 --kl 0.01").out,
              StartsWith("Errors of the encoding can explain your KL of 0.01"));
  EXPECT_THAT(run("cost --spec rope.json --dtype float32 --context 65536 --kl 1e-4").out,
              StartsWith("Errors of the encoding may explain your KL of 0.0001"));
}

TEST_F(CostCommand, MeasuresTheTablesOfACase) {
  const auto cost = document("case.json");
  EXPECT_EQ(cost.at("computed"), "the tables of tables");
  EXPECT_EQ(cost.at("assumed").at("context"), 64);
  EXPECT_LT(cost.at("score").at("worst").at("upper"), 1e-5);
  EXPECT_LE(cost.at("score").at("worst").at("lower"), cost.at("score").at("worst").at("upper"));
  EXPECT_LT(cost.at("kl").at("upper"), 1e-10);
  EXPECT_TRUE(cost.at("sample").at("measured"));
}

/// Rounded positions 0, 16, 32 ... are right: what lies between them was not seen.
TEST_F(CostCommand, SaysNoMoreThanThePositionsOfACaseShow) {
  write_tables("gaps", 16, [](double phase) { return std::pair(std::cos(phase), std::sin(phase)); });
  const auto outcome = run("cost gaps.json --kl 0.001");
  EXPECT_THAT(outcome.out, AllOf(HasSubstr("16 positions, with others between them that were not seen"),
                                 ::testing::Not(HasSubstr("something else contributes"))));
  EXPECT_EQ(document("gaps.json").at("assumed").at("context"), 16);
}

/// The second dimension of each pair turns by half as much: no row of attention is enclosed by the first
/// alone.
TEST_F(CostCommand, EnclosesNoAttentionWhereColumnsOfAPairDiffer) {
  write_tables(
      "apart", 1, [](double phase) { return std::pair(std::cos(phase), std::sin(phase)); }, 0.5);
  const auto cost = document("apart.json");
  EXPECT_FALSE(cost.at("sample").at("measured"));
  EXPECT_EQ(cost.at("kl").at("lower"), 0);
  EXPECT_EQ(cost.at("sample").at("greatest_kl").at("upper"), cost.at("kl").at("upper"));
  EXPECT_GT(cost.at("score").at("worst").at("upper"), 1);
}

/// Logits that move by thousands leave no weight that binary64 holds.
TEST_F(CostCommand, BoundsNothingThatNoNumberHolds) {
  write_tables("wild", 1, [](double phase) { return std::pair(std::cos(3 * phase), std::sin(3 * phase)); });
  const auto cost = document("wild.json --norms 1000,1000");
  EXPECT_TRUE(cost.at("sample").at("greatest_kl").at("upper") == "infinity" ||
              cost.at("sample").at("greatest_kl").at("upper") > 100);
  EXPECT_LE(cost.at("sample").at("mean_total_variation").at("upper"), 1);
}

TEST_F(CostCommand, GrowsWithTheNorms) {
  const auto worst = [&](const std::string& norms) {
    return document("--spec rope.json --dtype bfloat16 --norms " + norms)
        .at("score")
        .at("worst")
        .at("upper")
        .get<double>();
  };
  EXPECT_NEAR(worst("4,6") / worst("2,3"), 4, 1e-9);
}

TEST_F(CostCommand, TakesRealQueriesAndKeys) {
  const auto cost = document("case.json --queries q.npy --keys q.npy");
  EXPECT_EQ(cost.at("sample").at("attention"), "given");
  EXPECT_EQ(cost.at("sample").at("keys"), 64);
  EXPECT_TRUE(cost.at("sample").at("seed").is_null());
  EXPECT_LE(cost.at("sample").at("greatest_kl").at("upper"), cost.at("kl").at("upper"));
}

TEST_F(CostCommand, CountsMovesAndTellsTheMistakes) {
  const auto moves = document("--spec yarn.json --context 512 --moves 32").at("moves");
  EXPECT_GT(moves.at("most"), 1);
  EXPECT_NEAR(moves.at("amplitude_again"), 0.2079, 1e-3);
  EXPECT_GT(moves.at("scaling_ignored"), 0.1);
  const auto plain = document("--spec rope.json --context 512 --moves 32 --dtype float8_e4m3fn").at("moves");
  EXPECT_LT(plain.at("most"), moves.at("most"));
  EXPECT_TRUE(plain.at("amplitude_again").is_null());
  EXPECT_THAT(run("cost --spec yarn.json --context 512 --moves 32").out,
              HasSubstr("A key may be moved by 32 positions "));
}

TEST_F(CostCommand, RefusesWhatHasNoCost) {
  const auto refusal = [&](const std::string& words) {
    const auto outcome = run("cost " + words);
    EXPECT_EQ(outcome.exit_code, 2) << words;
    return outcome.err;
  };
  EXPECT_THAT(refusal(""), HasSubstr("expected a case, or one of --spec and --model"));
  EXPECT_THAT(refusal("--spec spec.json"), HasSubstr("expected a rotary encoding"));
  EXPECT_THAT(refusal("cos_only.json"), HasSubstr("expected both of each"));
  EXPECT_THAT(refusal("--spec rope.json --norms 3"), HasSubstr("--norms: found \"3\""));
  EXPECT_THAT(refusal("--spec rope.json --recipe float32-pow --context 2000000"),
              HasSubstr("--context: found"));
  EXPECT_THAT(refusal("--spec rope.json --recipe float32-pow --queries q.npy"),
              HasSubstr("expected both or neither"));
  EXPECT_THAT(refusal("case.json --moves 3"), HasSubstr("--moves: found a case"));
  EXPECT_THAT(refusal("case.json --context 9"), HasSubstr("expected its tables to say what errs"));
  EXPECT_THAT(refusal("--spec rope.json --recipe float32-pow --contract float32"),
              HasSubstr("--contract: found it"));
  EXPECT_THAT(refusal("--spec rope.json --norms 1e-300,1"), HasSubstr("from 1e-9 to 1e9"));
  EXPECT_THAT(refusal("--spec rope.json --kl 0"), HasSubstr("--kl"));
  folder_.write("heads.npy",
                npy_bytes(tensor_of(Format::binary32, {2, 32, 16}, std::vector<double>(1024, 1.0))));
  EXPECT_THAT(refusal("case.json --queries heads.npy --keys heads.npy"),
              HasSubstr("vectors of one head, [rows, 16]"));
}

}  // namespace
}  // namespace vernier
