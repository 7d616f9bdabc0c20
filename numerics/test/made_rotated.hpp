#pragma once

#include <functional>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "numerics/tensors/rotated_tensor.hpp"
#include "numerics/test/made_tensors.hpp"
#include "reference/schemes/encoding_of.hpp"
#include "reference/schemes/rope.hpp"
#include "reference/test/parsed.hpp"

namespace vernier {

/// Vectors of numbers in [-2, 2), the same in every run.
inline std::vector<double> made_vectors(Format format, std::size_t count) {
  std::mt19937_64 bits(5);
  std::vector<double> result(count);
  for (auto& x : result) {
    x = round_to(format, static_cast<double>(bits() >> 40) * 0x1p-22 - 2);
  }
  return result;
}

/// What was asked for and what was done, which agree unless a test says otherwise.
struct RotatedMaking {
  RopeSpec declared = {.head_dim = 32};
  std::optional<RopeSpec> done = std::nullopt;  ///< else what is declared
  std::string recipe = "float32-pow";
  Format stored = Format::binary32;
  std::string contract = "float32";
  std::vector<std::int64_t> positions = positions_from(0, 300);
  std::vector<std::int64_t> computed = {};  ///< else the positions
  std::vector<double> input = {};           ///< else made_vectors()
  std::function<void(std::vector<double>& rotated)> damage = [](auto&) {};
  Shape leading = {};
};

inline RotatedTensor made(const RotatedMaking& making) {
  const RecipeRotation rotation(recipe_named(making.recipe), making.done.value_or(making.declared),
                                making.stored);
  const auto dim = rotation.head_dim();
  const auto& positions = making.computed.empty() ? making.positions : making.computed;
  const auto input =
      making.input.empty() ? made_vectors(making.stored, positions.size() * dim) : making.input;
  std::vector<double> rotated(input.size());
  for (std::size_t r = 0; r < positions.size(); ++r) {
    rotation.rotate(positions[r], std::span(input).subspan(r * dim, dim),
                    std::span(rotated).subspan(r * dim, dim));
  }
  making.damage(rotated);
  const Shape shape{positions.size(), dim};
  return {making.declared.rotation(),
          tensor_of(making.stored, shape, input),
          tensor_of(making.stored, shape, rotated),
          contract_named(making.contract),
          making.positions,
          making.leading};
}

inline RopeSpec yarn_rope() {
  const auto encoding = parsed(
      R"({"scheme": "rope", "head_dim": 32, "rope_scaling":
              {"rope_type": "yarn", "factor": 4, "original_max_position_embeddings": 1024}})");
  return dynamic_cast<const RopeEncoding&>(*encoding).parameters();
}

}  // namespace vernier
