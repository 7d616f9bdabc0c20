#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "numerics/budgets/budget.hpp"
#include "numerics/recipes/recipe.hpp"
#include "props/judging/check.hpp"
#include "reference/ladder/certified_table.hpp"
#include "reference/schemes/rope.hpp"
#include "reference/schemes/sinusoidal.hpp"
#include "reference/tables/trig_table.hpp"

namespace vernier {

/// The inputs on which a subject is judged.
struct LawDomain {
  std::int64_t lowest_position = -largest_position;  ///< of every row a law asks for
  std::int64_t highest_position = largest_position;
  std::int64_t smallest_dimension = 1;  ///< d_model or head_dim
  std::int64_t largest_dimension = 256;
  std::int64_t largest_base = 10'000'000;
  bool always_partial = false;      ///< RoPE: some dimensions always pass through
  bool has_real_positions = false;  ///< some specs scale and shift positions; laws draw places of them
  /// The only spec there is, for an implementation of one: then no other is drawn.
  std::optional<SinusoidalSpec> sinusoidal = std::nullopt;
  std::optional<RopeSpec> rope = std::nullopt;

  bool holds(std::int64_t position) const {
    return position >= lowest_position && position <= highest_position;
  }
};

/// "positions -256 .. 256, dimensions 1 .. 256"
std::string to_string(const LawDomain& domain);

/// What a law is judged on: an implementation for each spec and the contract that says how far it may be off,
/// or one of the two ways in which the reference is evaluated, which are off by nothing but the width of
/// their enclosures.
struct LawTarget {
  enum class Nature {
    implementation,
    reference,       ///< every entry by itself, as a 192-bit interval
    certified_table  ///< angle addition from certified seeds, about 100 bits: what audits stream
  };

  std::string id;  ///< "float32-pow.float32"
  std::string description;
  Nature nature = Nature::implementation;
  std::string_view contract = {};       ///< of an implementation: see contract.hpp
  Format positions = Format::binary64;  ///< the format in which it holds a position
  Format stored = Format::binary64;     ///< of its elements; laws draw vectors from this format
  LawDomain domain = {};
  /// What it implements; an empty function means it does not. Keys are rotated by `rotation` if they have
  /// none of their own.
  std::function<std::unique_ptr<TableUnderTest>(const SinusoidalSpec&)> table = {};
  std::function<std::unique_ptr<RotationUnderTest>(const RopeSpec&)> rotation = {};
  std::function<std::unique_ptr<RotationUnderTest>(const RopeSpec&)> key_rotation = {};
  /// What takes gradients of rotated vectors back, and what undoes a rotation. \pre the spec's operation is
  /// forward
  std::function<std::unique_ptr<RotationUnderTest>(const RopeSpec&)> gradient = {};
  std::function<std::unique_ptr<RotationUnderTest>(const RopeSpec&)> inverse = {};
  /// The truth about the only spec there is, for an implementation of one: its seeds serve all cases of all
  /// laws. Null if each case computes its own. Not for several threads.
  std::shared_ptr<CertifiedPhases> truth = nullptr;
  /// Its budgets under the contract, of the only spec there is: of its table, or of cosines and of sines.
  /// Empty if each case binds its own.
  std::vector<BudgetModel> models = {};
  std::vector<CoverageRequirement> coverage = {};  ///< of every law; classes are those of `classes_of`

  bool is_implementation() const { return nature == Nature::implementation; }
};

/// The reference in both its forms, and every recipe in every format its tables are stored in.
std::vector<LawTarget> subjects();
/// One recipe in each of these formats. \pre it outlives them
std::vector<LawTarget> subjects_of(const Recipe& recipe);

}  // namespace vernier
