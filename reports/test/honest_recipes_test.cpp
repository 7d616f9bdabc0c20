// Every way of computing that people ship, asked in the shapes of use: none is accused.

#include <array>
#include <cstdlib>
#include <map>
#include <memory>
#include <numeric>

#include <gtest/gtest.h>

#include "numerics/processes/rows.hpp"
#include "numerics/recipes/recipe_registry.hpp"
#include "numerics/test/made_tensors.hpp"
#include "reference/schemes/encoding_of.hpp"
#include "reference/schemes/rope.hpp"
#include "reference/test/parsed.hpp"
#include "reports/verdict/live/validate_live.hpp"

namespace vernier {
namespace {

/// RoPE as a recipe computes and stores it.
class RecipeEngine final : public LiveImplementation {
 public:
  RecipeEngine(const Recipe& recipe, const RopeEncoding& encoding, Format stored)
      : rotation_(recipe, encoding.parameters(), stored) {
    for (const auto component : {Component::cosine, Component::sine}) {
      tables_.emplace(component == Component::cosine ? "cos" : "sin",
                      std::make_unique<RecipeTable>(recipe, encoding.parameters().table(component), stored));
    }
  }

  std::string description() const override { return "a recipe"; }
  bool observes_memory() const override { return true; }
  bool costs_a_process() const override { return false; }
  Response ask(const Request& request) override {
    Response response;
    for (const auto& wanted : request.wanted) {
      const auto width = wanted.shape.back();
      std::vector<double> values(
          std::accumulate(wanted.shape.begin(), wanted.shape.end(), std::size_t{1}, std::multiplies{}));
      std::vector<double> input(width);
      for (std::size_t row = 0; row < values.size() / width; ++row) {
        const auto position = *request.positions.integer(row % rows_of(request));
        const auto out = std::span(values).subspan(row * width, width);
        if (wanted.role == "rotated") {
          request.input->numbers(row * width, input);
          rotation_.rotate(position, input, out);
        } else {
          tables_.at(wanted.role)->row(position, out);
        }
      }
      response.tensors.emplace(wanted.role, tensor_of(*traits(wanted.type).format, wanted.shape, values));
    }
    return response;
  }

 private:
  RecipeRotation rotation_;
  std::map<std::string, std::unique_ptr<RecipeTable>> tables_;
};

TEST(HonestRecipes, PassTheChecksOfUseInEveryFormat) {
  constexpr std::array<std::string_view, 3> specs{
      R"({"scheme": "rope", "head_dim": 8})",
      R"({"scheme": "rope", "head_dim": 12, "layout": "interleaved", "direction": "clockwise",
          "partial_rotary_factor": 0.5, "rope_theta": 500000})",
      R"({"scheme": "rope", "head_dim": 8,
          "rope_scaling": {"rope_type": "yarn", "factor": 4, "original_max_position_embeddings": 100}})"};
  // Most recipes in one format, each format of several recipes; the weekly run takes every pair.
  const bool all = std::getenv("VERNIER_EVERY_FORMAT") != nullptr;
  std::size_t turn = 0;
  for (const auto& recipe : recipes()) {
    for (const auto stored : all_formats()) {
      if (turn++ % 11 != 0 && !all) {
        continue;
      }
      const auto spec = specs[turn % specs.size()];
      auto encoding = parsed(spec);
      RecipeEngine engine(recipe, dynamic_cast<const RopeEncoding&>(*encoding), stored);
      LiveOptions options{.name = "recipe", .source = "spec", .cases = 1};
      options.details = {.error_splits = false, .reasons = false};
      options.contract = recipe.contract;
      options.questions.quick = true;
      options.questions.positions = PositionRange{0, 1, 200};
      options.questions.type = element_type_of(stored);
      const auto verdict = validate_live(engine, std::move(encoding), options);
      for (const auto& check : verdict.checks) {
        const bool is_fine = check.status == Status::pass || check.status == Status::skipped;
        EXPECT_TRUE(is_fine || !check.id.starts_with("use/"))
            << recipe.id << " stored as " << traits(stored).name << ", " << spec << '\n'
            << check.id << ": " << check.reason;
      }
    }
  }
}

}  // namespace
}  // namespace vernier
