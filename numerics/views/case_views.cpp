#include "numerics/views/case_views.hpp"

#include <array>

#include "numerics/views/plain_views.hpp"
#include "numerics/views/table_views.hpp"
#include "numerics/views/vector_views.hpp"

namespace vernier {
namespace {

/// Tables have rows in common: those of queries, and those of keys, which have the reciprocal scale.
void append_tables(const CaseTensors& tensors, const PlacedRows& rows, std::vector<CaseView>& views) {
  std::array<std::vector<TableTensor>, 2> tables;
  for (const auto& table : tensors.all<TableTensor>()) {
    const auto& scale = table.table.scale;
    tables[scale && scale->is_reciprocal ? 1 : 0].push_back(table);
  }
  for (const bool is_of_keys : {false, true}) {
    if (const auto& viewed = tables[is_of_keys ? 1 : 0]; !viewed.empty()) {
      views.push_back({view_of_tables(viewed, rows), rows, is_of_keys});
    }
  }
}

PlacedRows rows_of(const RotatedTensor& vectors) {
  return {{.positions = vectors.positions, .by_axis = vectors.positions_by_axis},
          vectors.leading,
          [&rotation = vectors.rotation](std::size_t axis, std::int64_t place) {
            return rotation.map(axis).text(place);
          }};
}

}  // namespace

std::vector<CaseView> views_of(const CaseTensors& tensors, const PlacedRows& rows) {
  std::vector<CaseView> views;
  append_tables(tensors, rows, views);
  auto rows_of_values = rows;
  rows_of_values.source.by_axis = {};
  for (const auto& values : tensors.all<ExactTensor>()) {
    views.push_back({view_of_values(values, rows_of_values), rows_of_values});
  }
  for (const auto& bias : tensors.all<BiasTensor>()) {
    views.push_back({view_of_biases(bias, rows.source.positions), {}});
  }
  for (const auto& vectors : tensors.all<RotatedTensor>()) {
    const auto own_rows = rows_of(vectors);
    views.push_back({view_of_vectors(vectors, own_rows), own_rows, vectors.rotation.is_of_keys});
  }
  for (const auto& buckets : tensors.all<BucketTensor>()) {
    views.push_back({view_of_buckets(buckets), {{.positions = buckets.relative_positions}}});
  }
  std::erase_if(views, [](const CaseView& viewed) { return viewed.view.rows() == 0; });
  return views;
}

std::vector<CaseView> views_of(const Case& subject) {
  const auto text = [&encoding = *subject.encoding](std::size_t axis, std::int64_t place) {
    return encoding.positions_along(axis).text(place);
  };
  return views_of(subject.tensors, {subject.rows(), subject.leading, text});
}

}  // namespace vernier
