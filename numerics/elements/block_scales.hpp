#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "numerics/errors/elementwise_report.hpp"
#include "reference/numbers/format.hpp"

namespace vernier {

/// How scales follow from the greatest magnitude of their blocks.
enum class ScaleRule {
  amax,   ///< amax / largest, rounded to the type of the scales
  ue8m0,  ///< the least power of two that is no less than that: DeepGEMM, TransformerEngine's MXFP8
  mx      ///< 2^(floor(log2 amax) - emax), by which the largest may saturate: OCP Microscaling 1.0, 6.3
};

/// The numbers of OCP Microscaling's FP4: 0, 0.5, 1, 1.5, 2, 3, 4, 6 of either sign. It is not a Format, as a
/// tensor has it only beside scales. float8_e4m3fn holds all its numbers.
inline constexpr FormatTraits float4_e2m1{Format::float8_e4m3fn,          "float4_e2m1", 2, 0, 2, 4,
                                          Specials::nan_for_negative_zero};

/// The scales of stored elements, one a row or one for each block of equally many columns of a row:
/// value = element * scale.
///
/// Rounding. An element is the number of its type nearest to value / scale. The quotient is a product with
/// the reciprocal at the worst, which may itself come from two factors and an approximate division: four
/// roundings of u each. So element * scale is off by at most 4 u |value| and half an ulp of the element's
/// type at value / scale, times the scale. The scale that counts is the one that is stored: whoever divides
/// by a scale that is more exact than the stored one stores elements that belong to other values.
class BlockScales {
 public:
  /// \param element the type of the elements \param scale the type of the scales, of ue8m0 as for binary32
  /// \param scales row by row, block by block \param saturates whether what is beyond the largest is that
  BlockScales(const FormatTraits& element, Format scale, std::vector<double> scales, std::size_t rows,
              std::size_t columns, bool saturates, std::optional<ScaleRule> rule);

  const FormatTraits& element() const { return element_; }
  std::size_t width() const { return width_; }  ///< columns of a block
  const std::optional<ScaleRule>& rule() const { return rule_; }
  double scale(std::size_t row, std::size_t column) const { return scales_[row * blocks_ + column / width_]; }
  /// The most that storing adds. \param magnitude no less than what is stored \param u of the arithmetic
  double rounding(std::size_t row, std::size_t column, double magnitude, double u) const;
  /// Whether `got` is the largest number of its block and `value` may be no smaller.
  /// \param off what the value may be off by
  bool saturates(std::size_t row, std::size_t column, double got, double value, double off) const;
  /// The scale of a block beside the one that the rule gives. Without a rule any will do that is finite and
  /// not 0; beside another stands that of ScaleRule::amax. \param greatest the magnitudes of its values
  /// \param off what they may be off by
  JudgedElement judged(std::size_t row, std::size_t block, double greatest, double off, double u) const;

 private:
  FormatTraits element_;
  Format format_;
  std::vector<double> scales_;
  std::size_t width_;
  std::size_t blocks_;
  bool saturates_;
  std::optional<ScaleRule> rule_;
};

}  // namespace vernier
