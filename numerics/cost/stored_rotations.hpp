#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "numerics/recipes/recipe.hpp"
#include "numerics/tensors/case.hpp"

namespace vernier {

/// The cosines and sines of every pair that an implementation turns queries and keys by, at some positions.
class StoredRotations {
 public:
  StoredRotations() = default;
  StoredRotations(const StoredRotations&) = delete;
  StoredRotations& operator=(const StoredRotations&) = delete;
  virtual ~StoredRotations() = default;

  /// Frequencies and amplitude of what is meant.
  virtual const TrigTable& meant() const = 0;
  /// Of the rows, ascending, each once.
  virtual const std::vector<std::int64_t>& positions() const = 0;

  /// The rows of one pair, in the order of positions().
  struct PairRows {
    std::vector<double> cosines;
    std::vector<double> sines;
    /// The two dimensions of a pair may be turned by columns of their own: the most that these are apart, as
    /// hypot() of the differences of cosines and of sines.
    double apart = 0;
  };
  /// Rows of the pairs first .. first + out.size() - 1. Safe to call from several threads.
  virtual void pairs(int first, std::span<PairRows> out) const = 0;
};

/// Those that a recipe makes and stores at positions 0 to n - 1, bit for bit.
class RecipeRotations final : public StoredRotations {
 public:
  /// \param meant its columns do not matter
  RecipeRotations(const Recipe& recipe, TrigTable meant, Format stored, std::int64_t n);

  const TrigTable& meant() const override { return meant_; }
  const std::vector<std::int64_t>& positions() const override { return positions_; }
  void pairs(int first, std::span<PairRows> out) const override;

 private:
  const Recipe& recipe_;
  TrigTable meant_;
  Format stored_;
  std::shared_ptr<const PhaseRule> phases_;
  std::vector<std::int64_t> positions_;
};

/// Whether it turns queries and keys by one integer position each, which is what errors of scores follow
/// from: an inverse leaves attention, and a shift turns cached keys once more.
bool turns_queries_and_keys(const HeadRotation& rotation);

/// Those of the tables of a case, of the first copy of its rows. \pre the case outlives it
/// Null for a case that has not both components of every pair of one rotary encoding, or whose rows have
/// fractions for positions, several of them, or a scale.
std::unique_ptr<StoredRotations> rotations_of(const Case& subject);

}  // namespace vernier
