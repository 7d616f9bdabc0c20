#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "numerics/tolerances/error_bound.hpp"

namespace vernier {

/// |got - expected| <= absolute + relative |expected|, of every element: torch.testing.assert_close,
/// allclose.
struct Tolerance {
  double absolute = 0;
  double relative = 0;
};

/// What elements are compared with.
enum class Expected {
  certified,  ///< the truth, not rounded to the tensor's format
  rounded,    ///< the truth rounded to the tensor's format
  another,    ///< another implementation of the same order of operations
  same_table  ///< the same, which multiplies by the very same cosines and sines, and rounds or fuses in its
              ///< own way
};

/// "certified", "rounded", "another", "same-table", in the order of the enumeration.
std::span<const std::string_view> expected_names();
std::optional<Expected> expected_named(std::string_view name);

/// A tolerance that no implementation exceeds whose errors are bounded so. \param errors of who shares a
/// table: without the table's \param stored the tensor's format
///
/// The last rounding moves an element y by u |y| at most (the other errors before it, L, make that u (|y| +
/// L)), and by half the smallest subnormal: it is what grows with the element, so it is the relative part,
/// u, and the absolute part is L (1 + u). Smaller it cannot be: where y is near zero the relative part allows
/// nothing. Without a last rounding the relative part is zero. If the expected value is rounded too, or is
/// another implementation's, its last rounding adds u |y|, and another implementation adds L (1 + u). The
/// relative part multiplies the expected value, which may be smaller than y: by u of itself (hence 2 u (1 + 2
/// u)), and by the other's L.
Tolerance smallest_tolerance(const GreatestErrors& errors, Format stored, Expected expected);

/// The absolute part that a tolerance needs whose relative part is another: more where the relative part is
/// too small for the last rounding of the largest element, and never more than the greatest difference.
/// \param greatest_value no element is larger
double absolute_part_needed(const GreatestErrors& errors, Format stored, Expected expected, double relative,
                            double greatest_value);

}  // namespace vernier
