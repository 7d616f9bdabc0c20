#include "reference/tables/tensor_definition.hpp"

namespace vernier {

std::vector<TensorDefinition> with_gradients(std::vector<TensorDefinition> definitions) {
  const auto count = definitions.size();
  for (std::size_t i = 0; i < count; ++i) {
    // What keeps no pair together is no rotation, and its transpose is none of a head either.
    if (const auto* rotation = std::get_if<HeadRotation>(&definitions[i]);
        rotation && !rotation->pairs.empty()) {
      definitions.emplace_back(gradient_of(*rotation));
    }
  }
  return definitions;
}

TensorForm tensor_form(const TensorDefinition& definition) {
  struct Visitor {
    TensorForm operator()(const TurnedTable& table) const {
      return {columns_of(table), &table.sines.frequencies, &table.sines,
              table.scale ? &*table.scale : nullptr,
              table.axes ? std::span(table.axes->of_columns) : std::span<const int>()};
    }
    TensorForm operator()(const ExactTable& table) const {
      return {table.columns, table.sines ? &table.sines->frequencies : nullptr};
    }
    TensorForm operator()(const HeadRotation& rotation) const {
      return {
          {}, &rotation.table.frequencies, {}, rotation.scale ? &*rotation.scale : nullptr, rotation.axes};
    }
    TensorForm operator()(const BiasTable& table) const {
      return {.stands_alone = table.factor == BiasTable::Factor::key_position};
    }
    TensorForm operator()(const BucketTable&) const { return {}; }
  };
  return std::visit(Visitor(), definition);
}

}  // namespace vernier
