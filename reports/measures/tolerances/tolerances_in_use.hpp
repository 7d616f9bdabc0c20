#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "numerics/formats/tensor.hpp"
#include "numerics/tolerances/tolerance.hpp"

namespace vernier {

/// A tolerance that a project tests rotary embeddings with: an entry of tolerances_in_use.json. A relative
/// part that a thread does not tell is none there.
struct ToleranceInUse {
  std::string project;
  std::string source;  ///< the file or the thread that tells it
  std::string of;      ///< what is compared with what
  ElementType type = ElementType::float32;
  std::int64_t positions = 0;  ///< that the test goes up to, about
  Tolerance tolerance;
  Expected expected = Expected::same_table;
  double input_bound = 4;  ///< about what no input exceeds; zero: it is of tables
};

std::span<const ToleranceInUse> tolerances_in_use();
/// The first that a project has for a type; null if it has none.
const ToleranceInUse* tolerance_of(std::string_view project, Format stored);

}  // namespace vernier
