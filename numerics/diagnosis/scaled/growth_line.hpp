#pragma once

#include <optional>
#include <vector>

#include "numerics/diagnosis/stages/stage_edits.hpp"

namespace vernier {

/// What scales of the position are made of: those of queries, and those of keys.
enum class ScaledOperand { queries, keys };

/// What the first pair of an operand is multiplied by, which is scaled most, at some places.
class GrowthLine {
 public:
  /// Nothing where too little can be measured. \param base whose mapping and places it is measured by
  static std::optional<GrowthLine> of(const Suspect& suspect, const Computation& base, ScaledOperand operand);

  /// The slope of the logarithms on the line that fits them best, as the scale is z^((p - c)/B): ln(z)/B.
  double growth() const { return growth_; }
  /// Where nothing would be scaled if logarithms grew so.
  double centre(double growth) const { return place_ - logarithm_ / growth; }
  /// Whether a scale is as measured, in most of the rows. \param scale null for none
  bool fits(const PositionScale* scale) const;

 private:
  struct Point {
    double place;
    double logarithm;
  };

  explicit GrowthLine(std::vector<Point> points, double tolerance);
  /// The median of what the logarithms of the points exceed those of the scale by.
  double excess(const PositionScale* scale, std::size_t first, std::size_t last) const;

  std::vector<Point> points_;  ///< by places
  double tolerance_;
  double growth_ = 0;
  double place_ = 0;      ///< in the middle
  double logarithm_ = 0;  ///< there
};

/// The operand of a tensor that grows.
ScaledOperand operand_of(const Suspect& suspect, std::size_t tensor);

}  // namespace vernier
