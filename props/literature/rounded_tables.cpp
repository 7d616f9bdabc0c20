// What is left of the encoding's laws in tables of float32, and how far the recipes people use are off.

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <string_view>
#include <unordered_set>
#include <vector>

#include <Eigen/Core>

#include "numerics/recipes/recipe_registry.hpp"
#include "props/judging/interval_predicates.hpp"
#include "props/literature/quantities.hpp"
#include "reference/ladder/certified_table.hpp"
#include "reference/ladder/rounded_table.hpp"
#include "reference/schemes/sinusoidal.hpp"

namespace vernier {
namespace {

const Recipe& recipe_numbered(const Interval& number) {
  return *std::ranges::find(recipes(), table_recipes.at(static_cast<std::size_t>(whole(number))),
                            &Recipe::id);
}

/// A table of consecutive positions, and what it should be.
struct RoundedRows {
  template <class Number>
  using Matrix = Eigen::Matrix<Number, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

  TrigTable table;
  PositionRange positions;
  Matrix<double> values = {};
};

RoundedRows rows_of(const Interval& recipe, std::int64_t d, std::int64_t first, std::int64_t last) {
  RoundedRows rows{SinusoidalSpec{.d_model = d}.table(), {first, 1, last - first + 1}};
  const auto all = [](auto& matrix) {
    return std::span(matrix.data(), static_cast<std::size_t>(matrix.size()));
  };
  if (whole(recipe) == 0) {
    RoundedRows::Matrix<float> values(rows.positions.count, d);
    RoundedTable(rows.table, rows.positions, Format::binary32)
        .write(0, rows.positions.count, std::as_writable_bytes(all(values)));
    rows.values = values.cast<double>();
  } else {
    const auto& made_by = recipe_numbered(recipe);
    rows.values.resize(rows.positions.count, d);
    RecipeTable(made_by, rows.table, made_by.compute()).rows(rows.positions, all(rows.values));
  }
  return rows;
}

Interval table_error(const RoundedRows& rows) {
  CertifiedTable truth(rows.table);
  std::vector<Enclosure> exact(rows.table.columns.size());
  double greatest = -1;
  Interval result;
  for (Eigen::Index place = 0; place < rows.values.rows(); ++place) {
    truth.row(rows.positions.at(place), exact);
    for (std::size_t column = 0; column < exact.size(); ++column) {
      const double value = rows.values(place, static_cast<Eigen::Index>(column));
      const double error = std::fabs(value - exact[column].approximately());
      if (error > greatest) {
        greatest = error;
        result = abs(enclose(value) - interval_of(exact[column]));
      }
    }
  }
  return result;
}

Interval frequency_error(const Recipe& recipe, std::int64_t d) {
  const auto frequencies = SinusoidalSpec{.d_model = d}.frequencies();
  const auto phases = recipe.prepare(frequencies);
  const std::array positions{1.0};
  std::array phase{0.0};
  Interval greatest = 0;
  for (int pair = 0; pair < frequencies.pairs; ++pair) {
    phases.advance(pair, positions, phase);  // the phase of position 1 is the frequency
    const Interval exact = frequencies.at(pair);
    const Interval error = abs(Interval((enclose(phase[0]) - exact) / exact)) * 0x1p24;
    if (certainly_less(greatest, error)) {
      greatest = error;
    }
  }
  return greatest;
}

constexpr std::int64_t studied_rows = 5000;
constexpr std::array<std::int64_t, 4> shift_offsets{1, 5, 100, 1000};

/// Products of float32 numbers are exact in double; the sum of 512 that come to at most 257 in magnitude is
/// off by less than 512 2^-53 257 < 2 10^-11.
constexpr double rounding_of_products = 1e-10;

double norm_error(const RoundedRows& rows) {
  const double expected = static_cast<double>(rows.values.cols()) / 2;
  return (rows.values.rowwise().squaredNorm().array() - expected).abs().maxCoeff();
}

double spread(const RoundedRows& rows, std::int64_t offset) {
  const auto pairs = studied_rows - offset;
  const Eigen::VectorXd products =
      rows.values.topRows(pairs).cwiseProduct(rows.values.bottomRows(pairs)).rowwise().sum();
  return products.maxCoeff() - products.minCoeff();
}

/// In double: off by a few 2^-53.
double shift_error(const RoundedRows& rows, std::int64_t offset) {
  CertifiedTable rotations(rows.table);
  std::vector<Enclosure> by(rows.table.columns.size());
  rotations.row(offset, by);
  const auto from = rows.values.topRows(studied_rows - offset);
  const auto to = rows.values.bottomRows(studied_rows - offset);
  double greatest = 0;
  for (Eigen::Index sine = 0; sine < rows.values.cols(); sine += 2) {
    const double s = by[static_cast<std::size_t>(sine)].approximately();
    const double c = by[static_cast<std::size_t>(sine) + 1].approximately();
    greatest = std::max(
        {greatest, (from.col(sine) * c + from.col(sine + 1) * s - to.col(sine)).cwiseAbs().maxCoeff(),
         (from.col(sine + 1) * c - from.col(sine) * s - to.col(sine + 1)).cwiseAbs().maxCoeff()});
  }
  return greatest;
}

/// A figure of the table studied. \param error of its computation
template <class Figure>
IntervalFunction studied(const Figure& figure, double error) {
  return [figure, error](FormulaValues a) {
    return Interval(enclose(figure(rows_of(a[0], 512, 0, studied_rows - 1))) + hull(-error, error));
  };
}

template <bool is_greatest, class Figure>
auto extreme_over_offsets(const Figure& figure) {
  return [figure](const RoundedRows& rows) {
    std::array<double, shift_offsets.size()> figures{};
    std::ranges::transform(shift_offsets, figures.begin(), [&](auto offset) { return figure(rows, offset); });
    return is_greatest ? std::ranges::max(figures) : std::ranges::min(figures);
  };
}

}  // namespace

IntervalFunctions rounded_table_functions() {
  return {
      {"frequency_error",
       [](FormulaValues a) { return frequency_error(recipe_numbered(a[0]), whole(a[1])); }},
      {"table_error",
       [](FormulaValues a) { return table_error(rows_of(a[0], whole(a[1]), whole(a[2]), whole(a[3]))); }},
      {"norm_error", studied(norm_error, rounding_of_products)},
      {"least_spread", studied(extreme_over_offsets<false>(spread), rounding_of_products)},
      {"greatest_spread", studied(extreme_over_offsets<true>(spread), rounding_of_products)},
      {"shift_error", studied(extreme_over_offsets<true>(shift_error), 1e-15)},
  };
}

std::int64_t first_repeated_row(const TrigTable& table, Format format, std::int64_t positions) {
  const RoundedTable rounded(table, {0, 1, positions}, format);
  const auto bytes = rounded.row_bytes();
  std::vector<std::uint64_t> storage((static_cast<std::size_t>(positions) * bytes + 7) / 8);
  rounded.write(0, positions, std::as_writable_bytes(std::span(storage)));
  const auto* const first = reinterpret_cast<const char*>(storage.data());
  std::unordered_set<std::string_view> rows;
  for (std::int64_t position = 0; position < positions; ++position) {
    if (!rows.emplace(first + static_cast<std::size_t>(position) * bytes, bytes).second) {
      return position;
    }
  }
  return 0;
}

}  // namespace vernier
