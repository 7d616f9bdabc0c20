#pragma once

#include <algorithm>
#include <tuple>
#include <vector>

#include "numerics/cases/bias_tensor.hpp"
#include "numerics/cases/bucket_tensor.hpp"
#include "numerics/cases/rotated_tensor.hpp"
#include "numerics/cases/table_tensor.hpp"
#include "numerics/cases/tensor_of.hpp"

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
  /// \name Tables by several positions, and tables with a scale
  /// @{
  const std::vector<TurnedTensor>& of_axes() const { return turned(true); }
  const std::vector<TurnedTensor>& scaled() const { return turned(false); }
  bool has_axes() const { return !of_axes().empty(); }
  bool has_scales() const { return !scaled().empty(); }
  /// @}
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
  /// Those that turn by several positions, or have a scale: a case has tensors of one encoding.
  const std::vector<TurnedTensor>& turned(bool have_axes) const {
    static const std::vector<TurnedTensor> none;
    const auto& all = this->all<TurnedTensor>();
    return !all.empty() && all.front().table.axes.has_value() == have_axes ? all : none;
  }

  std::tuple<std::vector<TableTensor>, std::vector<ExactTensor>, std::vector<TurnedTensor>,
             std::vector<BiasTensor>, std::vector<RotatedTensor>, std::vector<BucketTensor>>
      by_kind_;
};

}  // namespace vernier
