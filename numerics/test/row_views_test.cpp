// One view of a row, whatever the kind of tensor: tables and the vectors that they turn show the same points,
// arrays of points are the points, and what all rows show does not depend on threads.

#include <cmath>

#include <gtest/gtest.h>

#include "numerics/elements/turn_allowance.hpp"
#include "numerics/test/made_rotated.hpp"
#include "numerics/test/viewed_tensors.hpp"
#include "numerics/views/row_view.hpp"

namespace vernier {
namespace {

/// Cosines and sines of a spec, each [rows, pairs] and correctly rounded to float32.
std::vector<TableTensor> viewed_tables(const RopeSpec& spec, std::span<const std::int64_t> positions) {
  std::vector<TableTensor> tables;
  for (const auto component : {Component::cosine, Component::sine}) {
    const auto table = spec.table(component);
    std::vector<double> values;
    for (const auto position : positions) {
      for (std::size_t column = 0; column < table.columns.size(); ++column) {
        values.push_back(*correctly_rounded(Format::binary32, table.entry(position, column)));
      }
    }
    tables.push_back({table, tensor_of(Format::binary32, {positions.size(), table.columns.size()}, values),
                      contract_named("float32")});
  }
  return tables;
}

const RopeSpec viewed_spec{.head_dim = 32};

TEST(RowViews, ShowTheSameTurnsOfTablesAndOfVectors) {
  const auto positions = positions_from(1000, 50);
  auto tables = view_of_tables(viewed_tables(viewed_spec, positions), {{.positions = positions}});
  const auto rotated = made({.declared = viewed_spec, .positions = positions});
  auto vectors = view_of(rotated);
  ASSERT_EQ(tables.layout().points.size(), vectors.layout().points.size());
  for (std::size_t row = 0; row < positions.size(); ++row) {
    tables.go_to(row);
    vectors.go_to(row);
    const auto of_tables = tables.points();
    const auto of_vectors = vectors.points();
    for (std::size_t k = 0; k < of_tables.size(); ++k) {
      ASSERT_TRUE(of_tables[k] && of_vectors[k]);
      EXPECT_EQ(of_tables[k]->place, of_vectors[k]->place);
      const double apart = std::abs(of_tables[k]->turn() - of_vectors[k]->turn());
      const double allowed = of_tables[k]->turn_error() + of_vectors[k]->turn_error() +
                             of_tables[k]->phase_error + of_vectors[k]->phase_error;
      EXPECT_LE(apart, std::sqrt(2.0) * allowed) << "row " << row << ", point " << k;
      EXPECT_LT(allowed, 1e-2) << "a bound that allows everything shows nothing";
    }
  }
}

/// A screen goes by arrays, and what it leaves is looked at point by point.
TEST(RowViews, HaveArraysThatBoundTheirPoints) {
  const auto positions = positions_from(0, 40);
  auto view = view_of_tables(viewed_tables(viewed_spec, positions), {{.positions = positions}});
  for (std::size_t row = 0; row < positions.size(); ++row) {
    view.go_to(row);
    const auto most = view.arrays(PointBounds::most);
    ASSERT_TRUE(most);
    const std::vector<double> greatest(most->cosine_bounds.begin(), most->cosine_bounds.end());
    const auto least = view.arrays(PointBounds::least);
    const auto points = view.points();
    for (std::size_t k = 0; k < points.size(); ++k) {
      EXPECT_EQ(points[k]->z, std::complex(least->cosines[k], least->sines[k]));
      EXPECT_LE(least->cosine_bounds[k], points[k]->real_error);
      EXPECT_LE(points[k]->real_error, greatest[k]);
    }
  }
}

/// A view that is at a row again reads it again: the numbers may be others, as those of answers are.
TEST(RowViews, ReadARowOnceMore) {
  const auto positions = positions_from(0, 4);
  auto tables = viewed_tables(viewed_spec, positions);
  const VectorFindings honest = audit_rotated(made({.declared = viewed_spec, .positions = positions}));
  EXPECT_EQ(honest.elements.failing + honest.norms.failing, 0U);
  auto like = made({.declared = viewed_spec, .positions = {7}});
  VectorJudge judge(like);
  EXPECT_EQ(judge.judge(7, like.input.bytes(), like.rotated.bytes()).parts.front().elements.failing, 0U);
  EXPECT_GT(judge.judge(8, like.input.bytes(), like.rotated.bytes()).parts.front().elements.failing, 0U);
  EXPECT_EQ(judge.judge(7, like.input.bytes(), like.rotated.bytes()).parts.front().elements.failing, 0U);
}

TEST(RowViews, RefuseAContractThatSaysNothingOfATensor) {
  const auto positions = positions_from(0, 4);
  auto tables = viewed_tables(viewed_spec, positions);
  tables.front().contract = contract_named("exact");
  auto view = view_of_tables(tables, {{.positions = positions}});
  view.go_to(0);
  EXPECT_THROW(view.truth(0), InputError);
  EXPECT_NO_THROW(view.truth(1));
}

}  // namespace
}  // namespace vernier
