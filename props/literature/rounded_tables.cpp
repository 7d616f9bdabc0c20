// What is left of the encoding's laws in tables of float32, and how far the recipes people use are off.

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/core.h>

#include "numerics/audit/audit.hpp"
#include "numerics/contracts/contract.hpp"
#include "numerics/recipes/c_library.hpp"
#include "numerics/recipes/recipe_registry.hpp"
#include "props/interval_predicates.hpp"
#include "props/literature/facts.hpp"
#include "props/literature/topics.hpp"
#include "reference/certified_table.hpp"
#include "reference/ladder/rounded_table.hpp"
#include "reference/schemes/sinusoidal.hpp"

namespace vernier {
namespace {

const Recipe& recipe_named(std::string_view id) {
  return *std::ranges::find(recipes(), id, &Recipe::id);
}

Interval within(double value, double error) {
  return enclose(value) + hull(-error, error);
}

/// Every element of positions [0, length), judged.
AuditReport audited(std::int64_t d_model, std::string_view recipe, std::int64_t length) {
  const auto table = SinusoidalSpec{.d_model = d_model}.table();
  const RecipeTable made(recipe_named(recipe), table, Format::binary32);
  const Subject subject{&made, contract_named("float32")->bind(table, Format::binary32)};
  return audit(table, std::span(&subject, 1), {0, 1, length}).front();
}

/// The greatest |table - exact| of a report; audits give it to seven digits.
Interval greatest_error(const AuditReport& report) {
  const double greatest = report.statistics.absolute().greatest();
  return within(greatest, 1e-7 * greatest);
}

/// Frequencies rounded once are the same everywhere, and so is the printed figure. Those of the other recipes
/// are as good as the C library's functions, so of them only the bound is stated.
EvidenceResult recipes_against_exact_values() {
  const WorkingPrecision scope(working_precision);
  struct Known {
    std::int64_t d_model;
    std::int64_t length;
    std::string_view printed;  ///< of frequencies rounded once, in units of 10^-6
  };
  Facts facts;
  for (const auto& [d, length, printed] : std::array<Known, 7>{{{128, 100, "5.89"},
                                                                {128, 512, "28.5"},
                                                                {128, 5000, "387"},
                                                                {512, 100, "5.89"},
                                                                {512, 512, "28.7"},
                                                                {512, 1024, "57.4"},
                                                                {512, 5000, "387"}}}) {
    const Interval once = greatest_error(audited(d, "float32-rounded-frequency", length));
    bool as_bounded = true;
    std::string others;
    for (const std::string_view recipe : {"float32-exp-log", "float32-pow"}) {
      const auto report = audited(d, recipe, length);
      as_bounded = as_bounded && report.failing == 0 && report.inconclusive == 0;
      others += fmt::format(", {} ({})", digits(greatest_error(report), 3), recipe);
    }
    facts.add(rounds_to_decimal(Interval(once * 1000000), printed) && as_bounded,
              "d = {}, {} positions: off by at most {} (frequencies rounded once){}, each "
              "element within the float32 budget",
              d, length, digits(once, 3), others);
  }
  facts.add(true, "computed with {}'s expf, powf, sinf and cosf", c_library());
  return facts.conclude(Ruling::holds);
}

constexpr std::int64_t rows = 5000;
constexpr std::size_t columns = 512;
constexpr std::array<std::int64_t, 4> offsets{1, 5, 100, 1000};

TrigTable paper_table() {
  return SinusoidalSpec{.d_model = static_cast<std::int64_t>(columns)}.table();
}

/// A table of float32 numbers, 5000 x 512.
class Float32Rows {
 public:
  explicit Float32Rows(std::vector<double> values) : values_(std::move(values)) {}

  std::span<const double> row(std::int64_t position) const {
    return std::span(values_).subspan(static_cast<std::size_t>(position) * columns, columns);
  }
  /// Products of float32 numbers are exact in double; the sum of 512 that come to at most 257 in magnitude is
  /// off by less than 512 2^-53 257 < 2 10^-11.
  double dot(std::int64_t a, std::int64_t b) const {
    double sum = 0;
    for (std::size_t c = 0; c < columns; ++c) {
      sum += row(a)[c] * row(b)[c];
    }
    return sum;
  }

 private:
  std::vector<double> values_;
};

Float32Rows correctly_rounded_rows() {
  std::vector<float> values(static_cast<std::size_t>(rows) * columns);
  RoundedTable(paper_table(), {0, 1, rows}, Format::binary32)
      .write(0, rows, std::as_writable_bytes(std::span(values)));
  return Float32Rows({values.begin(), values.end()});
}

Float32Rows recipe_rows(std::string_view recipe) {
  std::vector<double> values(static_cast<std::size_t>(rows) * columns);
  RecipeTable(recipe_named(recipe), paper_table(), Format::binary32).rows({0, 1, rows}, values);
  return Float32Rows(std::move(values));
}

double greatest_error(const Float32Rows& table) {
  CertifiedTable truth(paper_table(), rows);
  std::vector<Enclosure> exact(columns);
  double greatest = 0;
  for (std::int64_t position = 0; position < rows; ++position) {
    truth.row(position, exact);
    const auto row = table.row(position);
    for (std::size_t c = 0; c < columns; ++c) {
      greatest = std::max(greatest, std::fabs((exact[c].middle.high - row[c]) + exact[c].middle.low));
    }
  }
  return greatest;
}

double norm_deviation(const Float32Rows& table) {
  double greatest = 0;
  for (std::int64_t position = 0; position < rows; ++position) {
    greatest = std::max(greatest, std::fabs(table.dot(position, position) - columns / 2.0));
  }
  return greatest;
}

/// How far the dot product of rows a fixed offset apart varies over positions: the least and the greatest
/// spread of the offsets.
std::pair<double, double> dot_spread(const Float32Rows& table) {
  std::vector<double> spreads;
  for (const auto offset : offsets) {
    std::vector<double> products;
    for (std::int64_t position = 0; position + offset < rows; ++position) {
      products.push_back(table.dot(position, position + offset));
    }
    const auto [least, greatest] = std::ranges::minmax(products);
    spreads.push_back(greatest - least);
  }
  const auto [least, greatest] = std::ranges::minmax(spreads);
  return {least, greatest};
}

/// How far the exact rotation by an offset misses the row there, over all components. In double: off by a few
/// 2^-53.
double shift_residual(const Float32Rows& table) {
  CertifiedPhases phases(paper_table().frequencies, 64);
  std::vector<Enclosure> sine(columns / 2);
  std::vector<Enclosure> cosine(columns / 2);
  double greatest = 0;
  for (const auto offset : offsets) {
    phases.row(offset, sine, cosine);
    for (std::int64_t position = 0; position + offset < rows; ++position) {
      const auto from = table.row(position);
      const auto to = table.row(position + offset);
      for (std::size_t i = 0; i < columns / 2; ++i) {
        const double s = sine[i].approximately();
        const double c = cosine[i].approximately();
        const double turned_sine = from[2 * i] * c + from[2 * i + 1] * s;
        const double turned_cosine = from[2 * i + 1] * c - from[2 * i] * s;
        greatest = std::max(
            {greatest, std::fabs(turned_sine - to[2 * i]), std::fabs(turned_cosine - to[2 * i + 1])});
      }
    }
  }
  return greatest;
}

struct TableFigures {
  Interval error;
  Interval norm;
  Interval least_spread;
  Interval greatest_spread;
  Interval shift;
};

TableFigures figures_of(const Float32Rows& table) {
  const double rounding = 1e-10;  // of sums in double
  const double element_rounding = 1e-15;
  const auto [least, greatest] = dot_spread(table);
  return {within(greatest_error(table), element_rounding), within(norm_deviation(table), rounding),
          within(least, rounding), within(greatest, rounding),
          within(shift_residual(table), element_rounding)};
}

std::string told(std::string_view name, const TableFigures& figures) {
  return fmt::format(
      "{}: elements off by at most {}, squared norms by {}; dot products at offsets 1, 5, 100 and 1000 vary "
      "by {} to {}; rotated rows miss by {}",
      name, digits(figures.error, 3), digits(figures.norm, 2), digits(figures.least_spread, 2),
      digits(figures.greatest_spread, 2), digits(figures.shift, 2));
}

bool at_least_times(double factor, const Interval& larger, const Interval& smaller) {
  return certainly_less(Interval(factor * smaller), larger);
}

/// Frequencies off by a few units of roundoff show in elements, dot products and shifts, but not in norms.
EvidenceResult float32_table() {
  const WorkingPrecision scope(working_precision);
  Facts facts;
  const auto best = figures_of(correctly_rounded_rows());
  facts.add(rounds_to_decimal(Interval(best.error * 1e8), "2.98") &&
                rounds_to_decimal(Interval(best.norm * 1e6), "2.3") &&
                rounds_to_decimal(Interval(best.least_spread * 1e6), "2.5") &&
                rounds_to_decimal(Interval(best.greatest_spread * 1e6), "3.2") &&
                rounds_to_decimal(Interval(best.shift * 1e8), "7.1"),
            told("Correctly rounded", best));
  const auto usual = figures_of(recipe_rows("float32-exp-log"));
  facts.add(at_least_times(1000, usual.error, best.error) &&
                at_least_times(500, usual.least_spread, best.greatest_spread) &&
                at_least_times(1000, usual.shift, best.shift) && at_least_times(0.5, best.norm, usual.norm),
            "{}; the norm alone does not see it", told("Frequencies by exp and log", usual));
  return facts.conclude(Ruling::holds);
}

EvidenceResult first_position() {
  const WorkingPrecision scope(working_precision);
  Facts facts;
  const auto table = paper_table();
  for (const auto& [column, decimal] :
       std::array<std::pair<std::size_t, std::string_view>, 6>{{{0, "0.841470985"},
                                                                {2, "0.82185619"},
                                                                {510, "0.000103663293"},
                                                                {1, "0.540302306"},
                                                                {3, "0.569695009"},
                                                                {511, "0.99999999"}}}) {
    const Interval value = table.entry(1, column)();
    facts.add(rounds_to_decimal(value, decimal), "PE(1, {}) = {}", column, digits(value, 10));
  }
  return facts.conclude(Ruling::holds);
}

}  // namespace

std::vector<Evidence> rounded_table_evidence() {
  return {
      {"rounding/recipes", "the greatest error of three float32 recipes over whole tables",
       Method::exhaustive, recipes_against_exact_values},
      {"rounding/float32-table",
       "norms, dot products and shifts in float32 tables of 5000 positions and 512 columns",
       Method::exhaustive, float32_table},
      {"rounding/first-position", "position 1 of the paper's encoding of width 512", Method::interval,
       first_position},
  };
}

}  // namespace vernier
