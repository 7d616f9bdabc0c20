#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "reports/measures/tolerances/tolerance_judgement.hpp"

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

/// What one of them is worth.
struct ToleranceWorth {
  const ToleranceInUse* in_use = nullptr;
  std::int64_t positions = 0;  ///< at which it was judged
  Tolerance smallest;  ///< that no honest implementation exceeds, all in float32 but the last rounding
  /// The absolute part that it would need for that, its relative part being what it is.
  double needed_absolute = 0;
  /// Whether it holds of tables, products and sums in the type of the vectors; nothing for what is float32 or
  /// a table.
  std::optional<bool> holds_of_own_type = std::nullopt;
  std::size_t rejected = 0;  ///< of the honest implementations
  std::size_t honest = 0;
  std::size_t slipping = 0;  ///< kinds of fault
  std::size_t slipping_smallest = 0;
  std::size_t faults = 0;
  std::vector<std::string> examples = {};  ///< of those that slip through and need not

  /// Whether some honest implementation was seen to fail.
  bool rejects() const { return rejected > 0; }
  /// Whether none was, and no proof says that none does.
  bool may_reject() const { return !rejects() && in_use->tolerance.absolute < needed_absolute; }
  /// Whether it lets faults through that the smallest one catches.
  bool is_too_large() const { return slipping > slipping_smallest; }
  bool is_blind_to_most() const { return 2 * slipping > faults; }
};

/// Each, on RoPE with heads of 64 dimensions and the base 10000, inputs normal and up to the bound. \param
/// positions at most so many are judged
std::vector<ToleranceWorth> judge_tolerances_in_use(std::int64_t positions, const JudgementOptions& options);

}  // namespace vernier
