#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>

#include "reference/buckets.hpp"
#include "reference/format.hpp"

namespace vernier {

/// How a logarithmic scale becomes whole numbers.
enum class ScaleRounding { down, nearest, up };

/// steps ln(n/first) / ln(last/first) as a whole number, decided exactly.
class ExactScale {
 public:
  /// \param reach the largest n that is asked for
  ExactScale(std::int64_t first, std::int64_t last, int steps, std::int64_t reach, ScaleRounding rounding);

  /// The other whole number is told where n lies exactly on an edge. \param n >= first
  Bucket at(std::int64_t n) const;

 private:
  std::int64_t first_;
  std::int64_t reach_;
  ScaleRounding rounding_;
  LogarithmicEdges edges_;
};

/// The same in floating point, as implementations write it.
struct RoundedScale {
  double first = 1;
  double last = 2;
  double steps = 1;
  ScaleRounding rounding = ScaleRounding::down;
  Format format = Format::binary64;    ///< that every operation rounds to
  bool constants_are_rounded = false;  ///< to the same format
  bool divides_first = true;           ///< by the logarithm, before it multiplies by the steps
  int log_ulps = 0;                    ///< that the logarithm is off by
  double inside = 0;                   ///< what is added inside the logarithm
  double times = 1;                    ///< what the scale is multiplied by

  std::int64_t at(std::int64_t n) const;
};

}  // namespace vernier
