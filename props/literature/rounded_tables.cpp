// What is left of the encoding's laws in tables of float32, and how far the recipes people use are off.

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <string_view>
#include <unordered_set>
#include <vector>

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
  TrigTable table;
  PositionRange positions;
  std::vector<double> values = {};

  std::size_t width() const { return table.columns.size(); }
  std::span<const double> row(std::size_t place) const {
    return std::span(values).subspan(place * width(), width());
  }
};

RoundedRows rows_of(const Interval& recipe, std::int64_t d, std::int64_t first, std::int64_t last) {
  RoundedRows rows{SinusoidalSpec{.d_model = d}.table(), {first, 1, last - first + 1}};
  rows.values.resize(static_cast<std::size_t>(rows.positions.count) * rows.width());
  if (whole(recipe) == 0) {
    std::vector<float> values(rows.values.size());
    RoundedTable(rows.table, rows.positions, Format::binary32)
        .write(0, rows.positions.count, std::as_writable_bytes(std::span(values)));
    std::ranges::copy(values, rows.values.begin());
  } else {
    const auto& made_by = recipe_numbered(recipe);
    RecipeTable(made_by, rows.table, made_by.compute()).rows(rows.positions, rows.values);
  }
  return rows;
}

Interval table_error(const RoundedRows& rows) {
  CertifiedTable truth(rows.table);
  std::vector<Enclosure> exact(rows.width());
  double greatest = -1;
  Interval result;
  for (std::size_t place = 0; place < rows.values.size() / rows.width(); ++place) {
    truth.row(rows.positions.at(static_cast<std::int64_t>(place)), exact);
    const auto row = rows.row(place);
    for (std::size_t column = 0; column < row.size(); ++column) {
      const double error = std::fabs(row[column] - exact[column].approximately());
      if (error > greatest) {
        greatest = error;
        result = abs(enclose(row[column]) - interval_of(exact[column]));
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
    phases->advance(pair, positions, phase);  // the phase of position 1 is the frequency
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

double product(std::span<const double> a, std::span<const double> b) {
  double sum = 0;
  for (std::size_t column = 0; column < a.size(); ++column) {
    sum += a[column] * b[column];
  }
  return sum;
}

double norm_error(const RoundedRows& rows) {
  double greatest = 0;
  for (std::size_t place = 0; place < studied_rows; ++place) {
    greatest = std::max(greatest, std::fabs(product(rows.row(place), rows.row(place)) -
                                            static_cast<double>(rows.width()) / 2));
  }
  return greatest;
}

double spread(const RoundedRows& rows, std::int64_t offset) {
  std::vector<double> products;
  for (std::size_t place = 0; place + static_cast<std::size_t>(offset) < studied_rows; ++place) {
    products.push_back(product(rows.row(place), rows.row(place + static_cast<std::size_t>(offset))));
  }
  const auto [least, greatest] = std::ranges::minmax(products);
  return greatest - least;
}

/// In double: off by a few 2^-53.
double shift_error(const RoundedRows& rows, std::int64_t offset) {
  CertifiedTable rotations(rows.table);
  std::vector<Enclosure> by(rows.width());
  rotations.row(offset, by);
  double greatest = 0;
  for (std::size_t place = 0; place + static_cast<std::size_t>(offset) < studied_rows; ++place) {
    const auto from = rows.row(place);
    const auto to = rows.row(place + static_cast<std::size_t>(offset));
    for (std::size_t sine = 0; sine < by.size(); sine += 2) {
      const double s = by[sine].approximately();
      const double c = by[sine + 1].approximately();
      greatest = std::max({greatest, std::fabs(from[sine] * c + from[sine + 1] * s - to[sine]),
                           std::fabs(from[sine + 1] * c - from[sine] * s - to[sine + 1])});
    }
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
