#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "numerics/cases/table_tensor.hpp"

namespace vernier {

/// An edit of the spec with which the tensors agree.
struct SpecEdit {
  std::string edit;              ///< what differs from the declared spec: "the base is 500000, not 10000"
  double greatest_budget_ratio;  ///< the largest share of its budget that an element uses under this reading
  double conclusive;             ///< the share of elements whose budget proves something, (0.2, 1]
};

/// Names the likely fault of tensors that fail their contract: tries a short list of edits to the declared
/// spec (sign, order, layout, positions off by one or wrapped, the exponent's denominator, other bases, a
/// factor) and returns those under which *every* conclusive element of every tensor is within its budget,
/// more than a fifth being conclusive. Says nothing rather than guess. \param tables at least one of them
/// fails as declared \param positions one a row
std::vector<SpecEdit> diagnose(std::span<const TableTensor> tables, std::span<const std::int64_t> positions);

}  // namespace vernier
