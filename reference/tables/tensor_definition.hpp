#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <variant>
#include <vector>

#include "reference/tables/bias_table.hpp"
#include "reference/tables/buckets.hpp"
#include "reference/tables/exact_table.hpp"
#include "reference/tables/head_rotation.hpp"
#include "reference/tables/mixed_axes.hpp"
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

/// What questions about a tensor need to know of it, whatever it is. It refers to the definition.
struct TensorForm {
  std::optional<std::size_t> columns = std::nullopt;  ///< of tables, which have a row for each position
  const Frequencies* frequencies = nullptr;           ///< of the phases in it
  const TrigTable* sines = nullptr;                   ///< of a table that holds sines and cosines
  const PositionScale* scale = nullptr;               ///< that these, or rotated vectors, are multiplied by
  /// The axis that each column or pair turns by; empty where rows have one position.
  std::span<const int> axes = {};
  bool stands_alone = true;  ///< whether a row depends on its own position alone

  /// Whether `sines` is all of it.
  bool is_plain() const { return sines != nullptr && axes.empty() && scale == nullptr; }
  bool mixes_axes() const { return !axes.empty() && axes.front() == all_axes; }
};
TensorForm tensor_form(const TensorDefinition& definition);
/// Whether it is vectors that a rotation makes of others.
inline bool are_vectors(const TensorDefinition& definition) {
  return vector_role_named(role_of(definition)) != nullptr;
}
/// Whether its elements are integers: buckets.
inline bool are_integers(const TensorDefinition& definition) {
  return role_of(definition) == BucketTable::role;
}

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
