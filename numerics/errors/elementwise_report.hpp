#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "numerics/errors/error_map.hpp"
#include "reference/numbers/enclosure.hpp"

namespace vernier {

/// One element of a tensor, judged by itself.
struct JudgedElement {
  std::size_t index = 0;  ///< in the tensor, the last of its indices fastest
  double got = 0;
  Enclosure truth = {};
  double budget = 0;
  double error = 0;  ///< got - truth
  /// |error| / budget: more than 1 breaks the contract. Infinite for a non-finite element.
  double budget_ratio = 0;
};

/// The share of a budget that an error uses: 0 of no error, infinite of one that is not finite. Equality
/// keeps the budget: the correctly rounded value of a tie is half an ulp off.
double share_used(double error, double budget);

/// Judges an element. \param index where it is \param budget the most it may be off
JudgedElement judged_element(std::size_t index, double got, const Enclosure& truth, double budget);

/// An element whose budget is too large to prove anything.
struct InconclusiveElement {
  std::size_t index = 0;
  std::string_view term;  ///< the largest of its budget, in words; empty where the truth is not enclosed
  double budget = 0;
  double size = 0;  ///< of what the budget is about
};

/// The elements of a tensor, judged one by one.
struct ElementwiseReport {
  std::uint64_t elements = 0;
  std::uint64_t judged = 0;        ///< conclusively
  std::uint64_t failing = 0;       ///< beyond their budget, or not finite
  std::uint64_t inconclusive = 0;  ///< finite ones whose budget proves nothing
  std::uint64_t instead = 0;       ///< that hold what will do instead of the truth
  std::optional<InconclusiveElement> first_inconclusive = std::nullopt;
  std::optional<JudgedElement> worst = std::nullopt;  ///< of those judged
  std::optional<JudgedElement> first_failing = std::nullopt;
  ErrorMap map = {};  ///< of the elements that were added with their place

  /// \param is_inconclusive whether the budget is too large to prove anything
  void add(const JudgedElement& element, bool is_inconclusive);
  /// The same of an element of a pair at a position, for the map.
  void add(const JudgedElement& element, bool is_inconclusive, std::int64_t position, int pair);
  /// \param later of elements after these
  void merge(const ElementwiseReport& later);
};

}  // namespace vernier
