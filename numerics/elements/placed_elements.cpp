#include "numerics/elements/placed_elements.hpp"

#include <algorithm>
#include <utility>

#include "reference/support/refusal.hpp"

namespace vernier {
namespace {

void place(std::vector<std::int64_t>& given, const PositionMap& map) {
  std::ranges::transform(given, given.begin(), [&](std::int64_t position) { return map.place(position); });
}

}  // namespace

std::size_t axis_count(const Encoding& encoding) {
  return encoding.axes() == nullptr ? 1 : encoding.axes()->count;
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
  if (const auto* axes = encoding.axes(); axes != nullptr && !tensor_form(definition).axes.empty()) {
    rows->by_axis = axes->of_positions(rows->positions);
    refers.zero_rows = axes->zero_rows(rows->by_axis);
    for (std::size_t axis = 0; axis < rows->by_axis.size(); ++axis) {
      place(rows->by_axis[axis], encoding.positions_along(axis));
    }
  } else {
    place(rows->positions, encoding.positions());
  }
  refers.positions = rows->positions;
  refers.by_axis = rows->by_axis;
  rows_ = std::move(rows);
  source_ = element_source(definition, refers, std::move(input));
}

}  // namespace vernier
