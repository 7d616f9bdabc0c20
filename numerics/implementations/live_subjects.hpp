#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "numerics/audit/under_test.hpp"
#include "numerics/implementations/live_answers.hpp"
#include "numerics/recipes/recipe.hpp"
#include "reference/schemes/rope.hpp"
#include "reference/trig_table.hpp"

namespace vernier {

/// The recipe of stand-ins: honest for every contract.
const Recipe& honest_recipe();
/// The same for a table of any frequencies: each is the nearest in float64.
std::unique_ptr<TableUnderTest> honest_table(const TrigTable& table, Format stored);

/// A table whose rows a live implementation answers. What it has not been asked yet is stood in for by an
/// honest row, computed in float64 and rounded, so that whoever looks for faults finds none in it; so is, as
/// if there were no padding, the row that is zero by definition.
class LiveTable final : public TableUnderTest {
 public:
  /// \param answers of one role, of the table's width; shared by all that ask
  LiveTable(std::shared_ptr<LiveAnswers> answers, const TrigTable& table);

  Format stored() const override { return stand_in_->stored(); }
  std::size_t columns() const override { return stand_in_->columns(); }
  void row(std::int64_t position, std::span<double> out) const override;

 private:
  std::shared_ptr<LiveAnswers> answers_;
  std::optional<std::int64_t> zero_position_;
  std::unique_ptr<TableUnderTest> stand_in_;
};

/// RoPE's rotation of one vector as a live implementation answers it; stood in for in the same way.
class LiveRotation final : public RotationUnderTest {
 public:
  /// How the implementation is asked.
  enum class Means {
    rotated,   ///< for the rotated vector, of the role "rotated"
    gradient,  ///< for the same and for "input_gradient" of the same vector: it is the latter
    both,      ///< the same: it is the former
    tables     ///< for cos and sin of the position; the vector is turned by them in float64
  };
  /// \param answers of the roles that the means needs: see roles()
  LiveRotation(std::shared_ptr<LiveAnswers> answers, RopeSpec spec, Means means);

  /// \param width of cos and sin: the pairs, or the rotating dimensions, both of a pair holding the same
  static std::vector<AskedRole> roles(const RopeSpec& spec, Means means, std::size_t width);

  Format stored() const override { return stand_in_->stored(); }
  std::size_t head_dim() const override { return stand_in_->head_dim(); }
  void rotate(std::int64_t position, std::span<const double> x, std::span<double> y) const override;

 private:
  /// One value a pair of a row that may have one a dimension.
  std::vector<double> by_pair(std::span<const double> row) const;

  std::shared_ptr<LiveAnswers> answers_;
  RopeSpec spec_;
  Means means_;
  std::unique_ptr<RotationUnderTest> stand_in_;
};

}  // namespace vernier
