#include "numerics/cases/bias_tensor.hpp"

#include "reference/input_error.hpp"

namespace vernier {
namespace {

std::string expected_shape(const BiasTable& table) {
  const auto heads = std::to_string(table.heads());
  return table.factor == BiasTable::Factor::one ? std::string("[") + heads + "]"
                                                : std::string("[") + heads + ", keys] or [" + heads +
                                                      ", queries, keys], no more queries than keys";
}

bool has_shape_of(const BiasTable& table, const Shape& shape) {
  if (shape.empty() || shape.front() != table.heads()) {
    return false;
  }
  if (table.factor == BiasTable::Factor::one) {
    return shape.size() == 1;
  }
  return shape.size() == 2 || (shape.size() == 3 && shape[1] <= shape[2]);
}

}  // namespace

void check_fit(const BiasTable& table, const Tensor& tensor, const std::string& source) {
  if (!has_shape_of(table, tensor.shape())) {
    throw InputError("{}: {}: found the shape {}, expected {}", source, table.role, to_string(tensor.shape()),
                     expected_shape(table));
  }
  if (!tensor.format()) {
    throw InputError("{}: {}: found {}, expected a floating-point type (bfloat16 bits need \"dtype\")",
                     source, table.role, traits(tensor.type()).name);
  }
}

}  // namespace vernier
