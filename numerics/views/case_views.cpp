#include "numerics/views/case_views.hpp"

#include <array>
#include <utility>

#include "numerics/views/plain_views.hpp"
#include "numerics/views/table_views.hpp"
#include "numerics/views/vector_views.hpp"

namespace vernier {
namespace {

class CaseViews {
 public:
  CaseViews(const CaseTensors& tensors, const PlacedRows& rows) : tensors_(tensors), rows_(rows) {}

  std::vector<CaseView> take() {
    add_tables();
    auto rows_of_values = rows_;
    rows_of_values.source.by_axis = {};
    for (const auto& values : tensors_.all<ExactTensor>()) {
      add({view_of_values(values, rows_of_values), rows_of_values});
    }
    for (const auto& bias : tensors_.all<BiasTensor>()) {
      add({view_of_biases(bias, rows_.source.positions), {}});
    }
    for (const auto& vectors : tensors_.all<RotatedTensor>()) {
      const auto rows = rows_of(vectors);
      add({.view = view_of_vectors(vectors, rows),
           .rows = rows,
           .is_of_keys = vectors.rotation.is_of_keys,
           .vectors = &vectors});
    }
    for (const auto& buckets : tensors_.all<BucketTensor>()) {
      add({view_of_buckets(buckets), {}});
    }
    return std::move(views_);
  }

 private:
  void add(CaseView view) {
    if (view.view.rows() > 0) {
      views_.push_back(std::move(view));
    }
  }

  /// Tables have rows in common: those of queries, and those of keys, which have the reciprocal scale.
  void add_tables() {
    std::array<std::vector<ViewedTable>, 2> stored;
    std::vector<const TableTensor*> plain;
    for (const auto& table : tensors_.all<TableTensor>()) {
      stored[0].push_back({table.table, table.tensor, table.contract, table.overflow});
      plain.push_back(&table);
    }
    for (const auto& table : tensors_.all<TurnedTensor>()) {
      const auto& scale = table.table.scale;
      stored[scale && scale->is_reciprocal ? 1 : 0].push_back(
          {table.table, table.tensor, table.contract, table.overflow});
    }
    for (const bool is_of_keys : {false, true}) {
      const auto& tables = stored[is_of_keys ? 1 : 0];
      if (!tables.empty()) {
        add({.view = view_of_tables(tables, rows_),
             .rows = rows_,
             .is_of_keys = is_of_keys,
             .tables = is_of_keys ? std::vector<const TableTensor*>() : plain});
      }
    }
  }

  PlacedRows rows_of(const RotatedTensor& vectors) const {
    PlacedRows rows{{.positions = vectors.positions, .by_axis = vectors.positions_by_axis}, vectors.leading};
    rows.text = [&rotation = vectors.rotation](std::size_t axis, std::int64_t place) {
      return rotation.map(axis).text(place);
    };
    return rows;
  }

  const CaseTensors& tensors_;
  const PlacedRows& rows_;
  std::vector<CaseView> views_;
};

}  // namespace

std::vector<CaseView> views_of(const CaseTensors& tensors, const PlacedRows& rows) {
  return CaseViews(tensors, rows).take();
}

std::vector<CaseView> views_of(const Case& subject) {
  const auto text = [&encoding = *subject.encoding](std::size_t axis, std::int64_t place) {
    return encoding.positions_along(axis).text(place);
  };
  return views_of(subject.tensors, {subject.rows(), subject.leading, text});
}

}  // namespace vernier
