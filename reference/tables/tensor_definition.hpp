#pragma once

#include <string_view>
#include <variant>
#include <vector>

#include "reference/tables/bias_table.hpp"
#include "reference/tables/buckets.hpp"
#include "reference/tables/exact_table.hpp"
#include "reference/tables/head_rotation.hpp"
#include "reference/tables/trig_table.hpp"

namespace vernier {

/// A tensor that an encoding defines: its role in cases, and what every element of it is.
using TensorDefinition = std::variant<TurnedTable, ExactTable, BiasTable, BucketTable, HeadRotation>;

/// The same, and the gradient of every rotation behind all others.
std::vector<TensorDefinition> with_gradients(std::vector<TensorDefinition> definitions);

/// \name What a tensor is called in cases and requests: "cos", "rotated_k"
/// \returns a view into the definition
/// @{
inline std::string_view role_of(const TrigTable& table) {
  return table.role;
}
inline std::string_view role_of(const TurnedTable& table) {
  return table.sines.role;
}
inline std::string_view role_of(const ExactTable& table) {
  return table.role;
}
inline std::string_view role_of(const BiasTable& table) {
  return table.role;
}
inline std::string_view role_of(const BucketTable& /*table*/) {
  return BucketTable::role;
}
inline std::string_view role_of(const HeadRotation& rotation) {
  return rotation.role();
}
inline std::string_view role_of(const TensorDefinition& definition) {
  return std::visit([](const auto& one) { return role_of(one); }, definition);
}
/// @}

/// \name How many elements a row of a table has
/// @{
inline std::size_t columns_of(const TrigTable& table) {
  return table.columns.size();
}
inline std::size_t columns_of(const TurnedTable& table) {
  return columns_of(table.sines);
}
inline std::size_t columns_of(const ExactTable& table) {
  return table.columns;
}
/// @}

}  // namespace vernier
