// What is left of the encoding's laws in tables of float32, and how far the recipes people use are off.

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <span>
#include <string_view>
#include <vector>

#include <fmt/core.h>

#include "numerics/audit/audit.hpp"
#include "numerics/contracts/contract.hpp"
#include "numerics/recipes/c_library.hpp"
#include "numerics/recipes/recipe_registry.hpp"
#include "props/judging/interval_predicates.hpp"
#include "props/literature/facts.hpp"
#include "props/literature/topics.hpp"
#include "reference/ladder/certified_table.hpp"
#include "reference/ladder/rounded_table.hpp"
#include "reference/schemes/sinusoidal.hpp"

namespace vernier {
namespace {

const Recipe& recipe_named(std::string_view id) {
  return *std::ranges::find(recipes(), id, &Recipe::id);
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
void recipes_against_exact_values(Facts& facts) {
  // Printed in units of 10^-6, of frequencies rounded once.
  for (const auto& [d, length, printed] : facts.figures<std::int64_t, std::int64_t, std::string>()) {
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
}

constexpr std::int64_t table_rows = 5000;
constexpr std::size_t table_columns = 512;
constexpr std::array<std::int64_t, 4> shift_offsets{1, 5, 100, 1000};

/// A table of float32 numbers, 5000 x 512.
class Float32Rows {
 public:
  explicit Float32Rows(std::vector<double> values) : values_(std::move(values)) {}

  std::span<const double> row(std::int64_t position) const {
    return std::span(values_).subspan(static_cast<std::size_t>(position) * table_columns, table_columns);
  }
  /// Products of float32 numbers are exact in double; the sum of 512 that come to at most 257 in magnitude is
  /// off by less than 512 2^-53 257 < 2 10^-11.
  double dot(std::int64_t a, std::int64_t b) const {
    double sum = 0;
    for (std::size_t c = 0; c < table_columns; ++c) {
      sum += row(a)[c] * row(b)[c];
    }
    return sum;
  }

 private:
  std::vector<double> values_;
};

Float32Rows correctly_rounded_rows() {
  std::vector<float> values(static_cast<std::size_t>(table_rows) * table_columns);
  RoundedTable(paper_table(), {0, 1, table_rows}, Format::binary32)
      .write(0, table_rows, std::as_writable_bytes(std::span(values)));
  return Float32Rows({values.begin(), values.end()});
}

Float32Rows recipe_rows(std::string_view recipe) {
  std::vector<double> values(static_cast<std::size_t>(table_rows) * table_columns);
  RecipeTable(recipe_named(recipe), paper_table(), Format::binary32).rows({0, 1, table_rows}, values);
  return Float32Rows(std::move(values));
}

double greatest_error(const Float32Rows& table) {
  CertifiedTable truth(paper_table(), table_rows);
  std::vector<Enclosure> exact(table_columns);
  double greatest = 0;
  for (std::int64_t position = 0; position < table_rows; ++position) {
    truth.row(position, exact);
    const auto row = table.row(position);
    for (std::size_t c = 0; c < table_columns; ++c) {
      greatest = std::max(greatest, std::fabs((exact[c].middle.high - row[c]) + exact[c].middle.low));
    }
  }
  return greatest;
}

double norm_deviation(const Float32Rows& table) {
  double greatest = 0;
  for (std::int64_t position = 0; position < table_rows; ++position) {
    greatest = std::max(greatest, std::fabs(table.dot(position, position) - table_columns / 2.0));
  }
  return greatest;
}

/// How far the dot product of rows a fixed offset apart varies over positions: the least and the greatest
/// spread of the offsets.
std::pair<double, double> dot_spread(const Float32Rows& table) {
  std::vector<double> spreads;
  for (const auto offset : shift_offsets) {
    std::vector<double> products;
    for (std::int64_t position = 0; position + offset < table_rows; ++position) {
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
  std::vector<Enclosure> sine(table_columns / 2);
  std::vector<Enclosure> cosine(table_columns / 2);
  double greatest = 0;
  for (const auto offset : shift_offsets) {
    phases.row(offset, sine, cosine);
    for (std::int64_t position = 0; position + offset < table_rows; ++position) {
      const auto from = table.row(position);
      const auto to = table.row(position + offset);
      for (std::size_t i = 0; i < table_columns / 2; ++i) {
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
void float32_table(Facts& facts) {
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
}

void first_position(Facts& facts) {
  const auto table = paper_table();
  for (const auto& [column, decimal] : facts.figures<std::size_t, std::string>()) {
    const Interval value = table.entry(1, column)();
    facts.add(rounds_to_decimal(value, decimal), "PE(1, {}) = {}", column, digits(value, 10));
  }
}

/// The greatest |table - truth| over consecutive positions, as an enclosure.
Interval greatest_error(const Recipe& recipe, const TrigTable& table, std::int64_t first, std::int64_t last) {
  const RecipeTable computed(recipe, table, recipe.compute);
  CertifiedTable truth(table);
  std::vector<Enclosure> exact(truth.columns());
  std::vector<double> row(truth.columns());
  double greatest = -1;
  Interval result;
  for (std::int64_t position = first; position <= last; ++position) {
    computed.row(position, row);
    truth.row(position, exact);
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

/// "A fixed encoding goes on for ever, but may get worse at extreme lengths": so it does in float32.
void growth(Facts& facts) {
  const auto table = SinusoidalSpec{.d_model = 128}.table();
  const auto recipe = std::ranges::find(recipes(), std::string_view("float32-pow"), &Recipe::id);
  assert(recipe != recipes().end());
  Interval before = 0;
  // Measured beforehand with NumPy.
  for (const auto& [first, last, stated] : facts.figures<std::int64_t, std::int64_t, std::string>()) {
    const Interval error = greatest_error(*recipe, table, first, last);
    facts.add(rounds_to_decimal(error, stated) && certainly_less(before, error),
              "positions {} to {}: off by up to {}", first, last, digits(error, 3));
    before = error;
  }
  facts.add(true, "computed with {}'s powf, sinf and cosf", c_library());
}

}  // namespace

std::vector<Evidence> rounded_table_evidence() {
  return {
      {"rounding/recipes", recipes_against_exact_values},
      {"rounding/float32-table", float32_table},
      {"rounding/first-position", first_position},
      {"recipes/growth", growth},
  };
}

}  // namespace vernier
