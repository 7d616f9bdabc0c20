#include "numerics/elements/placed_elements.hpp"

#include <algorithm>
#include <utility>

#include "numerics/elements/rotated_source.hpp"
#include "reference/support/refusal.hpp"

namespace vernier {
namespace {

/// The axes of the encoding, if rows of the tensor have several positions; else null.
std::optional<PositionAxes> axes_of(const Encoding& encoding, const TensorDefinition& definition) {
  const auto* table = std::get_if<TurnedTable>(&definition);
  const auto* rotation = std::get_if<HeadRotation>(&definition);
  const bool has_axes = (table != nullptr && table->axes) || (rotation != nullptr && !rotation->axes.empty());
  return has_axes ? std::optional(encoding.tables_of_axes().front().axes->positions) : std::nullopt;
}

const PositionMap* map_of(const TensorDefinition& definition) {
  const auto* table = std::get_if<TurnedTable>(&definition);
  const auto* rotation = std::get_if<HeadRotation>(&definition);
  return table != nullptr      ? &table->sines.positions
         : rotation != nullptr ? &rotation->table.positions
                               : nullptr;
}

void place(std::vector<std::int64_t>& given, const PositionMap& map) {
  std::ranges::transform(given, given.begin(), [&](std::int64_t position) { return map.place(position); });
}

}  // namespace

std::size_t axis_count(const Encoding& encoding) {
  return encoding.has_tables_of_axes() ? encoding.tables_of_axes().front().position_count() : 1;
}

Shape shape_of(const TensorDefinition& definition, std::size_t positions, std::size_t queries) {
  struct Visitor {
    std::size_t rows;
    std::size_t queries;

    Shape operator()(const TurnedTable& table) const { return {rows, columns_of(table)}; }
    Shape operator()(const ExactTable& table) const { return {rows, table.columns}; }
    Shape operator()(const HeadRotation& rotation) const { return {rows, rotation.head_dim}; }
    Shape operator()(const BucketTable&) const { return {rows}; }
    Shape operator()(const BiasTable& table) const {
      if (table.factor == BiasTable::Factor::one) {
        return {table.heads()};
      }
      refuse_if(queries > rows, "found {} queries, expected no more than the {} positions of the keys",
                queries, rows);
      return queries == 0 ? Shape{table.heads(), rows} : Shape{table.heads(), queries, rows};
    }
  };
  return std::visit(Visitor{positions, queries}, definition);
}

PlacedElements::PlacedElements(const Encoding& encoding, const TensorDefinition& definition,
                               std::vector<std::int64_t> given, std::size_t queries,
                               std::function<void(std::size_t, std::span<double>)> input) {
  auto rows = std::make_unique<Rows>(Rows{std::move(given), {}});
  SourceRows refers{.queries = queries};
  if (const auto axes = axes_of(encoding, definition)) {
    rows->by_axis = axes->of_positions(rows->positions);
    refers.zero_rows = axes->zero_rows(rows->by_axis);
    for (std::size_t axis = 0; axis < rows->by_axis.size(); ++axis) {
      place(rows->by_axis[axis], encoding.positions_along(axis));
    }
  } else if (const auto* map = map_of(definition)) {
    place(rows->positions, *map);
  }
  refers.positions = rows->positions;
  refers.by_axis = rows->by_axis;
  rows_ = std::move(rows);
  if (const auto* rotation = std::get_if<HeadRotation>(&definition)) {
    source_ = std::make_unique<RotatedSource>(*rotation, refers, std::move(input));
  } else {
    source_ = element_source(definition, refers);
  }
}

}  // namespace vernier
