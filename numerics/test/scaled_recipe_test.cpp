// Recipes on scaled frequencies: each keeps its contract on every kind of scaling, and contracts reject the
// faults that scalings have had.

#include <algorithm>
#include <deque>
#include <iostream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "numerics/audit/range_audit.hpp"
#include "numerics/contracts/contract.hpp"
#include "numerics/tolerances/frequency_order.hpp"
#include "reference/schemes/joint_table.hpp"
#include "reference/test/parsed.hpp"

namespace vernier {
namespace {

std::unique_ptr<Encoding> rope_with(const std::string& parameters) {
  return parsed(R"({"scheme": "rope", )" + parameters + "}");
}

struct Model {
  std::string_view name;
  std::string spec;
};

std::string longrope(int length) {
  return R"("head_dim": 8, "max_position_embeddings": 131072, "sequence_length": )" + std::to_string(length) +
         R"(, "rope_scaling": {"rope_type": "longrope", "short_factor": [1, 1.05, 1.15, 2.95],
             "long_factor": [1.07, 1.2, 12.9, 64.76], "original_max_position_embeddings": 4096})";
}

const std::vector<Model>& scaled_models() {
  static const std::vector<Model> all{
      {"linear 8",
       R"("head_dim": 64, "rope_theta": 1000000, "rope_scaling": {"type": "linear", "factor": 8})"},
      {"linear 3", R"("head_dim": 64, "rope_scaling": {"type": "linear", "factor": 3})"},
      {"static NTK", R"("head_dim": 128, "rope_scaling": {"type": "ntk", "alpha": 1000})"},
      {"dynamic NTK", R"("head_dim": 64, "max_position_embeddings": 2048, "sequence_length": 8192,
                         "rope_scaling": {"type": "dynamic", "factor": 2})"},
      {"NTK by parts", R"("head_dim": 128, "rope_scaling": {"type": "ntk_by_parts", "factor": 8,
                          "original_max_position_embeddings": 2048})"},
      {"DeepSeek-V3", R"("head_dim": 64, "rope_scaling": {"type": "yarn", "factor": 40, "mscale": 1,
                         "mscale_all_dim": 1, "original_max_position_embeddings": 4096})"},
      {"gpt-oss", R"("head_dim": 64, "rope_theta": 150000, "rope_scaling": {"rope_type": "yarn", "factor": 32,
                     "original_max_position_embeddings": 4096, "truncate": false})"},
      {"YaRN that divides all", R"("head_dim": 64, "rope_theta": 2, "rope_scaling": {"rope_type": "yarn",
                     "factor": 4, "original_max_position_embeddings": 8192})"},
      {"YaRN that divides none", R"("head_dim": 64, "rope_scaling": {"rope_type": "yarn", "factor": 4,
                     "original_max_position_embeddings": 4, "truncate": false})"},
      {"Grok", R"("head_dim": 128, "rope_scaling": {"rope_type": "yarn", "factor": 16, "attention_factor": 1,
                  "original_max_position_embeddings": 8192, "extrapolation_factor": 0.5})"},
      {"YaRN that extrapolates by 1.05",
       R"("head_dim": 64, "rope_scaling": {"rope_type": "yarn", "factor": 64,
                  "original_max_position_embeddings": 4096, "extrapolation_factor": 1.05})"},
      {"mixed NTK",
       R"("head_dim": 64, "rope_scaling": {"rope_type": "ntk_mixed", "factor": 16, "mixed_b": 0.625})"},
      {"RIFLEx", R"("head_dim": 44, "rope_scaling": {"rope_type": "riflex", "pair": 3, "length": 66})"},
      {"Phi-3, short", longrope(4096)},
      {"Phi-3, long", longrope(131072)},
      {"Llama 3.1", R"("head_dim": 128, "rope_theta": 500000, "rope_scaling": {"rope_type": "llama3",
                       "factor": 8, "low_freq_factor": 1, "high_freq_factor": 4,
                       "original_max_position_embeddings": 8192})"},
      {"Llama 4 Scout", R"("head_dim": 128, "rope_theta": 500000, "rope_scaling": {"rope_type": "llama3",
                       "factor": 16, "low_freq_factor": 1, "high_freq_factor": 1,
                       "original_max_position_embeddings": 8192})"},
      {"Gemma 4", R"("head_dim": 64, "rope_theta": 1000000, "partial_rotary_factor": 0.25,
                     "rope_scaling": {"rope_type": "proportional"})"}};
  return all;
}

AuditReport audited(const TrigTable& table, const TableUnderTest& implementation, std::string_view contract,
                    const PositionRange& positions) {
  const Subject subject{&implementation, contract_named(contract)->bind(table, implementation.stored())};
  return audit(table, std::span(&subject, 1), positions).front();
}

TEST(ScaledRecipes, KeepTheContractsTheyName) {
  for (const auto& [name, spec] : scaled_models()) {
    const auto table = joint_table(*rope_with(spec));
    std::deque<RecipeTable> implementations;
    std::vector<Subject> subjects;
    for (const auto& recipe : every_recipe()) {
      const auto& one = implementations.emplace_back(recipe, table, recipe.compute());
      subjects.push_back({&one, contract_named(recipe.contract)->bind(table, recipe.compute())});
    }
    for (const PositionRange positions : {PositionRange{0, 1, 2048}, PositionRange{60000, 1, 512}}) {
      const auto reports = audit(table, subjects, positions);
      for (std::size_t i = 0; i < reports.size(); ++i) {
        const auto& report = reports[i];
        const auto id = every_recipe()[i].id;
        EXPECT_EQ(report.failing, 0U) << name << ", " << id << " from " << positions.first;
        if (positions.first == 0) {
          std::cout << name << ", " << id << ": uses " << (report.worst ? report.worst->budget_ratio : 0)
                    << " of its budget\n";
          EXPECT_GT(report.judged, report.statistics.count() / 100) << name << ", " << id;
        }
      }
    }
  }
}

/// How many elements fail of code that computes `wrong` instead of `right`.
std::uint64_t failures(const std::string& right, const std::string& wrong,
                       std::string_view contract = "float32") {
  const auto truth = joint_table(*rope_with(right));
  const auto table = joint_table(*rope_with(wrong));
  const auto recipe = std::ranges::find(recipes(), "float64-pow", &Recipe::id);
  const RecipeTable implementation(*recipe, table, Format::binary32);
  return audited(truth, implementation, contract, {0, 1, 4096}).failing;
}

TEST(InterpolatedContract, JudgesPairsBesideThoseWhoseFrequencyIsZero) {
  const auto with_base = [](const std::string& base) {
    return R"("head_dim": 64, "partial_rotary_factor": 0.25, "rope_scaling": {"rope_type": "proportional"}, )"
           R"("rope_theta": )" +
           base;
  };
  EXPECT_GT(failures(with_base("1000000"), with_base("999000"), "float32-interpolated"), 0U);
}

TEST(Float32Contract, RejectsTheFaultsThatScalingsHaveHad) {
  const std::string head = R"("head_dim": 64, "rope_theta": 150000, )";
  const auto yarn = [&](const std::string& more) {
    return head + R"("rope_scaling": {"type": "yarn", "factor": 32, )" + more + "}";
  };
  const std::string original = R"("original_max_position_embeddings": 4096)";
  const auto right = yarn(original + R"(, "truncate": false)");
  EXPECT_GT(failures(right, yarn(original)), 0U) << "truncate ignored";
  EXPECT_GT(failures(right, yarn(R"("original_max_position_embeddings": 131072, "truncate": false)")), 0U)
      << "the correction range of the extended length";
  EXPECT_GT(failures(right, yarn(original + R"(, "truncate": false, "attention_factor": 1)")), 0U)
      << "the attention factor left out";
  EXPECT_GT(failures(right, head + R"("rope_scaling": {"type": "linear", "factor": 32})"), 0U);
  EXPECT_GT(failures(longrope(131072), longrope(4096)), 0U) << "the short factors for a long sequence";
  EXPECT_GT(failures(R"("head_dim": 64, "partial_rotary_factor": 0.25,
                        "rope_scaling": {"rope_type": "proportional"})",
                     R"("head_dim": 64)"),
            0U)
      << "every pair live";
  EXPECT_EQ(failures(right, right), 0U);
}

}  // namespace
}  // namespace vernier
