#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "numerics/errors/scale_budget.hpp"
#include "reference/trig_table.hpp"

namespace vernier {

/// What the pairs of a tensor are multiplied by at any place, in extended precision, and what that may be off
/// by. Takes its time to make, so that computations share it.
class Growth {
 public:
  /// \param parameters of the tensor's contract
  Growth(const BudgetModel::Parameters& parameters, PositionScale scale);
  Growth(const Growth&) = delete;  // the errors refer to the model
  Growth& operator=(const Growth&) = delete;

  const PositionScale& scale() const { return scale_; }
  /// The same with another scale.
  std::shared_ptr<const Growth> with(PositionScale scale) const;

  struct Factor {
    long double exact = 1;
    ScaleAt at = {};
  };
  /// \param position the one nearest to the place
  Factor at(double place, std::int64_t position, int pair) const;

 private:
  PositionScale scale_;
  BudgetModel model_;
  ScaleErrors errors_;
  long double slope_;  ///< of the exponent: 1/B, or -1/B of the reciprocal
  std::vector<long double> logarithms_;
};

}  // namespace vernier
