#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>

#include "numerics/audit/audit_report.hpp"
#include "numerics/audit/failing_extent.hpp"
#include "numerics/errors/elementwise_report.hpp"

namespace vernier {

/// Elements of a tensor that are counted, and where the first of them is.
struct CountedElements {
  std::uint64_t count = 0;
  std::optional<std::size_t> first = std::nullopt;  ///< its index in the tensor

  void add(std::size_t index) {
    ++count;
    first = first ? first : index;
  }
  /// \param later of elements after these
  void merge(const CountedElements& later) {
    count += later.count;
    first = first ? first : later.first;
  }
};

/// What was found of the elements of one tensor.
struct TensorFindings {
  ElementwiseReport elements = {};  ///< those that are held to a budget
  std::uint64_t copies = 0;         ///< those that are copies of an input
  CountedElements changed = {};     ///< of the copies, those that are not the input's
  CountedElements non_finite = {};  ///< elements of either kind that nothing justifies
  std::uint64_t may_overflow = 0;   ///< elements of which any value may be the right one
  std::optional<FailingExtent> failing_extent = std::nullopt;  ///< a box around the failing `elements`
  /// Of plain tables: their statistics, and what bands of positions show.
  std::shared_ptr<const AuditReport> audit = nullptr;

  /// \param later of rows after those of this one
  void merge(const TensorFindings& later) {
    elements.merge(later.elements);
    copies += later.copies;
    changed.merge(later.changed);
    non_finite.merge(later.non_finite);
    may_overflow += later.may_overflow;
    include(failing_extent, later.failing_extent);
  }
};

}  // namespace vernier
