#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "numerics/tensors/table_tensor.hpp"

namespace vernier {

/// A column of one of the case's tensors.
struct TensorColumn {
  std::size_t tensor;
  std::size_t column;
};

/// A cosine and a sine of one pair, to be judged together.
struct Couple {
  int pair;
  TensorColumn cosine;
  TensorColumn sine;
};

/// Couples the cosine columns of each pair with its sine columns, in order; of unequally many the last is
/// used again. \param tables of one case, all with as many pairs
std::vector<Couple> couples_of(std::span<const TableTensor> tables);

/// The first couple of each pair; nothing of a pair that has none.
std::vector<std::optional<Couple>> first_couples(std::span<const TableTensor> tables);

}  // namespace vernier
