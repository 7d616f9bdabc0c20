#pragma once

#include <algorithm>
#include <tuple>
#include <vector>

#include "numerics/cases/bias_tensor.hpp"
#include "numerics/cases/bucket_tensor.hpp"
#include "numerics/cases/exact_tensor.hpp"
#include "numerics/cases/multi_axis_tensor.hpp"
#include "numerics/cases/rotated_tensor.hpp"
#include "numerics/cases/scaled_tensor.hpp"
#include "numerics/cases/table_tensor.hpp"

namespace vernier {

/// The tensors of a case, each of the kind that its definition has.
class CaseTensors {
 public:
  /// Those of one kind: `all<TableTensor>()`.
  template <class Kind>
  const std::vector<Kind>& all() const {
    return std::get<std::vector<Kind>>(by_kind_);
  }
  template <class Kind>
  std::vector<Kind>& all() {
    return std::get<std::vector<Kind>>(by_kind_);
  }
  template <class Kind>
  bool has() const {
    return !all<Kind>().empty();
  }
  template <class Kind>
  void add(Kind tensor) {
    all<Kind>().push_back(std::move(tensor));
  }

  /// Calls `visit` with every tensor, kind by kind.
  template <class Visit>
  void for_each(const Visit& visit) const {
    std::apply([&](const auto&... kinds) { (std::ranges::for_each(kinds, visit), ...); }, by_kind_);
  }
  bool empty() const {
    return std::apply([](const auto&... kinds) { return (kinds.empty() && ...); }, by_kind_);
  }

 private:
  std::tuple<std::vector<TableTensor>, std::vector<ExactTensor>, std::vector<TurnedTensor>,
             std::vector<BiasTensor>, std::vector<TurnedTensor>, std::vector<RotatedTensor>,
             std::vector<BucketTensor>>
      by_kind_;
};

}  // namespace vernier
